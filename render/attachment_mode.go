package render

// Modes that the session enters and leaves.
var (
	_ = register(attachments, "plan_mode", "attached", viewMode("plan", "Plan mode"))
	_ = register(attachments, "plan_mode_exit", "attached", viewMode("plan", "Plan mode left"))
	_ = register(attachments, "plan_mode_reentry", "attached", viewMode("plan", "Plan mode entered again"))
	_ = register(attachments, "auto_mode", "attached", viewMode("gear", "Auto mode"))
	_ = register(attachments, "auto_mode_exit", "attached", viewMode("gear", "Auto mode left"))
	_ = register(attachments, "ultra_effort_enter", "attached", viewMode("gear", "Highest effort"))
	_ = register(attachments, "output_style", "attached", viewMode("gear", "Output style"))
	_ = register(attachments, "output_style_instructions", "attached", viewMode("gear", "Output style"))
	_ = register(attachments, "remote_session_change", "attached", viewMode("gear", "Remote session changed"))
	_ = register(attachments, "silent_turn_reminder", "attached", viewMode("message", "Reminder to answer"))
	_ = register(attachments, "workflow_keyword_request", "attached", viewMode("workflow", "Workflow asked for"))
)

// viewMode draws the change of a mode.
func viewMode(icon, text string) func(event) (attached, error) {
	return func(e event) (attached, error) {
		v := attached{line: quiet(icon, text), Rows: e.rest("isSubAgent", "planExists")}
		if t := e.field("reminderType"); t == "full" || t == "sparse" {
			v.Rows = e.rest("isSubAgent", "planExists", "reminderType")
		}
		return v, nil
	}
}
