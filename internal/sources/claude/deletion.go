package claude

import "encoding/json"

// SettingsFile is that of the user, beside the folder of all projects.
func (Source) SettingsFile() string { return "../settings.json" }

// defaultKeptDays is what Claude Code takes where its settings say nothing.
const defaultKeptDays = 30

// KeptDays is cleanupPeriodDays. Versions differ in what they make of 0, so that it tells nothing.
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
