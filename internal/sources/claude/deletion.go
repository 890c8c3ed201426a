package claude

import "encoding/json"

// SettingsFile returns the settings of the user, beside the folder of all projects.
func (Source) SettingsFile() string { return "../settings.json" }

// defaultKeptDays applies if the settings of Claude Code say nothing.
const defaultKeptDays = 30

// KeptDays returns cleanupPeriodDays. Versions treat 0 differently, so for 0 the time is unknown.
func (Source) KeptDays(settings []byte) (days float64, ok bool) {
	if settings == nil {
		return defaultKeptDays, true
	}
	var s struct {
		CleanupPeriodDays *float64 `json:"cleanupPeriodDays"`
	}
	if json.Unmarshal(settings, &s) != nil {
		return 0, false
	}
	if s.CleanupPeriodDays == nil {
		return defaultKeptDays, true
	}
	return *s.CleanupPeriodDays, *s.CleanupPeriodDays > 0
}
