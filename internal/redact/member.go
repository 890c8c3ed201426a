package redact

// envelope are the members in which the program writes ids, times and kinds: what they hold ties records and calls
// together, and is no text. It is a member of a record, of a message or of a block, and of nothing that a tool takes or gives.
var envelope = func() map[string]bool {
	all := make(map[string]bool)
	for _, name := range []string{
		"type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "leafUuid", "timestamp", "version", "userType",
		"sessionId", "session_id", "requestId", "request_id", "promptId", "messageId", "agentId", "hookEvent",
		"id", "role", "model", "stop_reason", "stop_sequence", "service_tier", "is_error",
		"tool_use_id", "toolUseID", "toolUseId", "parentToolUseID", "parent_tool_use_id", "sourceToolUseID", "sourceToolAssistantUUID",
	} {
		all[name] = true
	}
	return all
}()

// isFree says that what a member holds is of a tool or a user, whatever its members are called.
func isFree(name []byte) bool {
	switch string(name) {
	case "input", "toolUseResult", "tool_use_result", "structuredContent", "structured_content", "partial_json", "mcpMeta":
		return true
	}
	return false
}

// besideFile says that a member of the envelope may hold what is personal, and never a line of a file.
func besideFile(name []byte) bool {
	switch string(name) {
	case "cwd", "gitBranch", "slug", "name", "signature":
		return true
	}
	return false
}
