package normalize

// The rules that hide a record. The ledger counts by these names.
const (
	ruleTitle                = "titles and names"
	ruleQueue                = "prompt queue"
	ruleLastPrompt           = "last prompt"
	ruleMode                 = "modes"
	ruleSnapshot             = "file snapshots"
	ruleLink                 = "links"
	ruleCost                 = "cost totals"
	ruleLatch                = "bookkeeping"
	ruleProgress             = "progress"
	ruleCaveat               = "caveats"
	ruleEmpty                = "empty messages"
	ruleRepeated             = "repeated records"
	ruleRepeatedResult       = "repeated results"
	ruleRepeatedNotification = "repeated notifications"
	ruleWarmup               = "warm-up agents"
	rulePersonal             = "personal data"
	ruleWithdrawn            = "withdrawn messages"
	ruleShared               = "history of another session"
	ruleStream               = "stream events"
	ruleStarted              = "hooks that started"
	ruleUnlimited            = "reminders of unlimited tokens"
	ruleRequest              = "copies of requests"
	ruleApproved             = "stops of approved plans"
)

// bookkeeping has the rule for each record type of internal data. The head of the page has the parts that matter to
// readers.
var bookkeeping = map[string]string{
	"summary":                   ruleTitle,
	"ai-title":                  ruleTitle,
	"custom-title":              ruleTitle,
	"agent-name":                ruleTitle,
	"tag":                       ruleTitle,
	"queue-operation":           ruleQueue,
	"last-prompt":               ruleLastPrompt,
	"permission-mode":           ruleMode,
	"mode":                      ruleMode,
	"file-history-snapshot":     ruleSnapshot,
	"file-history-delta":        ruleSnapshot,
	"attribution-snapshot":      ruleSnapshot,
	"pr-link":                   ruleLink,
	"bridge-session":            rulePersonal,
	"frame-link":                ruleLink,
	"cost-state":                ruleCost,
	"atis-latch":                ruleLatch,
	"worktree-state":            ruleLatch,
	"relocated":                 ruleLatch,
	"artifact-autoreact-ledger": ruleLatch,
	"artifact-comment-monitor":  ruleLatch,
	"agent-setting":             ruleLatch,
	"agent-color":               ruleLatch,
	"isolation-latch":           ruleLatch,
	"memory-mode":               ruleLatch,
	"dev-mods":                  ruleLatch,
	"observer-ref":              ruleLatch,
	"api-request":               ruleRequest,
	"api-request-shape":         ruleRequest,
	"api-request-blob":          ruleRequest,
	"content-replacement":       ruleLatch,
	"marble-origami-commit":     ruleLatch,
	"marble-origami-snapshot":   ruleLatch,
	"marble-origami-reset":      ruleLatch,
	"speculation-accept":        ruleLatch,
	"saved_hook_context":        ruleLatch,

	// Of SDK streams, which also have the whole messages.
	"stream_event":           ruleStream,
	"stream_request_start":   ruleStream,
	"transcript_mirror":      ruleStream,
	"keep_alive":             ruleStream,
	"control_request":        ruleStream,
	"control_response":       ruleStream,
	"control_cancel_request": ruleStream,
	"command_lifecycle":      ruleStream,
	"tool_progress":          ruleProgress,
	"prompt_suggestion":      ruleLatch,
}

// pointerTypes has the record types that refer to other sessions. A file with only these has no conversation.
var pointerTypes = map[string]bool{
	"continued-in": true, "fork-context-ref": true, "history-suppression": true, "teleported-from": true,
	"teleport-skipped-branch": true,
}

// hidePointers hides records about other sessions in a file without messages.
func hidePointers(messages []*Message) {
	for _, m := range messages {
		if m.Record.Message != nil && bookkeeping[m.Record.Type] == "" {
			return
		}
	}
	for _, m := range messages {
		if pointerTypes[m.Record.Type] && m.Rule == "" {
			m.Rule = ruleLatch
		}
	}
}

// personal has the attachments with account data of the user: an e-mail address, an organization.
var personal = map[string]bool{
	"session_context": true,
	"credential_org":  true,
}

// showPersonal shows messages that are hidden as personal data.
func showPersonal(messages []*Message) {
	for _, m := range messages {
		if m.Rule == rulePersonal {
			m.Rule = ""
		}
	}
}

// transientSubtypes has the system subtypes of SDK streams that only report the current state.
var transientSubtypes = map[string]string{
	"status":                   ruleStream,
	"thinking_tokens":          ruleStream,
	"session_state_changed":    ruleStream,
	"background_tasks_changed": ruleStream,
	"task_progress":            ruleProgress,
	"task_updated":             ruleProgress,
	"hook_started":             ruleProgress,
	"hook_progress":            ruleProgress,
	"session_title_changed":    ruleTitle,
	"bridge_state":             ruleStream,
	"cloud_session_delta":      ruleStream,
	"commands_changed":         ruleStream,
	"control_request_progress": ruleStream,
	"permission_check_status":  ruleStream,
	"session_metadata":         ruleStream,
	"turn_handoff_available":   ruleStream,
	"turn_starting":            ruleStream,
	"ui_focus":                 ruleStream,
	"ui_invalidate":            ruleStream,
	"ui_log":                   ruleStream,
	"ui_panes":                 ruleStream,
	"ui_scroll":                ruleStream,
	"ui_status":                ruleStream,
	"ui_toast":                 ruleStream,
	"worker_shutting_down":     ruleStream,
}
