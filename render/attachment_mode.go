package render

// Modes that the session enters and leaves.
var (
	_ = register(attachments, "plan_mode", "attached", viewMode("plan", "Plan mode"))
	_ = register(attachments, "plan_mode_exit", "attached", viewMode("plan", "Plan mode left"))
	_ = register(attachments, "plan_mode_reentry", "attached", viewMode("plan", "Plan mode entered again"))
	_ = register(attachments, "auto_mode", "attached", viewMode("gear", "Auto mode"))
	_ = register(attachments, "auto_mode_exit", "attached", viewMode("gear", "Auto mode left"))
	_ = register(attachments, "ultra_effort_enter", "attached", viewMode("gear", "Highest effort"))
	_ = register(attachments, "ultra_effort_exit", "attached", viewMode("gear", "Highest effort left"))
	_ = register(attachments, "ultrathink_effort", "attached", viewMode("gear", "More thought asked for"))
	_ = register(attachments, "advisor_tool", "attached", viewMode("gear", "Advisor"))
	_ = register(attachments, "language", "attached", viewMode("gear", "Language"))
	_ = register(attachments, "session_settings", "attached", viewMode("gear", "Settings"))
	_ = register(attachments, "sandbox_instructions", "attached", viewMode("gear", "Sandbox"))
	_ = register(attachments, "output_style", "attached", viewMode("gear", "Output style"))
	_ = register(attachments, "output_style_instructions", "attached", viewMode("gear", "Output style"))
	_ = register(attachments, "remote_session_change", "attached", viewMode("gear", "Remote session changed"))
	_ = register(attachments, "silent_turn_reminder", "attached", viewMode("message", "Reminder to answer"))
	_ = register(attachments, "critical_system_reminder", "attached", viewMode("message", "Reminder"))
	_ = register(attachments, "tool_search_usage_reminder", "attached",
		viewMode("message", "Reminder to search for tools"))
	_ = register(attachments, "elapsed_time_reminder", "attached", viewMode("clock", "Time passed"))
	_ = register(attachments, "token_usage", "attached", viewMode("list", "Tokens used"))
	_ = register(attachments, "output_token_usage", "attached", viewMode("list", "Tokens used"))
	_ = register(attachments, "memory_update", "attached", viewMode("memory", "Memory changed"))
	_ = register(attachments, "mcp_resource", "attached", viewMode("plug", "Resource attached"))
	_ = register(attachments, "mcp_dropped_tools_delta", "attached", viewMode("gear", "Tools left out"))
	_ = register(attachments, "dynamic_skill", "attached", viewMode("skill", "Skills of a folder"))
	_ = register(attachments, "teammate_mailbox", "attached", viewMode("message", "Messages of teammates"))
	_ = register(attachments, "team_context", "attached", viewMode("agent", "Team"))
	_ = register(attachments, "workflow_size_guideline_change", "attached",
		viewMode("workflow", "Size of workflows changed"))
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
