package redact

// A memberKind says what the name of a member tells of its value, in records of all agents: a set of the bits below.
type memberKind uint16

const (
	// envelopeMember holds an id, a time or a kind, which ties records and calls together and is no text. It is a
	// member of a record, of a message or of a block, and of nothing that a tool takes or gives.
	envelopeMember  memberKind = 1 << iota
	personalMember             // may hold what is personal, and never a line of a file
	toolMember                 // holds what is of a tool or a user, whatever the members in it are called
	idMember                   // the id of a call
	callMember                 // the id of the call that what stands beside it belongs to
	folderMember               // the folder that a record was written in
	signatureMember            // signs the thinking beside it
	thinkingMember             // what is signed
	dataMember                 // a picture or a signature
	pairNameMember             // the name of a pair: {"name": ..., "value": ...}
	pairValueMember            // the value of a pair
	commandMember              // what a shell is given, and not what a file holds
	pathMember                 // the name of a file
	inputMember                // what a tool is given, perhaps a command
	codeMember                 // a program, which may read a file
	outputMember               // what a tool printed
)

// memberKinds are the names that tell something.
var memberKinds = func() map[string]memberKind {
	all := make(map[string]memberKind)
	for _, m := range []struct {
		kind  memberKind
		names []string
	}{
		{envelopeMember, []string{
			"type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "leafUuid", "timestamp", "version",
			"userType",
			"sessionId", "session_id", "requestId", "request_id", "promptId", "messageId", "agentId", "hookEvent",
			"id", "role", "stop_reason", "stop_sequence", "service_tier", "is_error",
			"tool_use_id", "toolUseID", "toolUseId", "parentToolUseID", "parent_tool_use_id", "sourceToolUseID",
			"sourceToolAssistantUUID",
		}},
		{personalMember, []string{"cwd", "gitBranch", "slug", "name", "signature", "model"}},
		{toolMember, []string{
			"input", "toolUseResult", "tool_use_result", "structuredContent", "structured_content", "partial_json",
			"mcpMeta",
		}},
		{idMember, []string{"id", "call_id", "callId"}},
		{callMember, []string{
			"call_id", "callId", // of the call, and of what it printed
			"tool_use_id", "toolUseID", "parentToolUseID", "sourceToolUseID", "toolCallId", "tool_call_id",
		}},
		{folderMember, []string{"cwd"}},
		{signatureMember, []string{"signature"}},
		{thinkingMember, []string{"thinking"}},
		{dataMember, []string{"data", "signature"}},
		{pairNameMember, []string{"name", "Name", "key", "Key"}},
		{pairValueMember, []string{"value", "Value"}},
		{commandMember, []string{"command", "cmd", "commands", "CommandLine", "script"}},
		{pathMember, []string{
			"filePath", "file_path", "filename", "fileName", "path", "displayPath", "notebook_path", "absolute_path",
			"absolutePath", "AbsolutePath", "target_file", "targetFile", "TargetFile", "relative_workspace_path",
			"file", "uri",
			"glob", "include",
		}},
		{inputMember, []string{"arguments", "input"}},
		{codeMember, []string{"code"}},
		{outputMember, []string{
			"content", "stdout", "output", "text", "result", "aggregated_output", "formatted_output", "resultDisplay",
		}},
	} {
		for _, name := range m.names {
			all[name] |= m.kind
		}
	}
	return all
}()

// A member is what is known of members of one name.
type member struct {
	kind   memberKind
	judged bool  // the name itself holds nothing to replace, as far as what was learned goes
	class  class // what the name promises of the value, when judged
}

// Members are remembered by their names, since the same few stand in each record: so many, of so many bytes.
const (
	mostMembers       = 1 << 10
	longestMemberName = 40
)
