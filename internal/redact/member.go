package redact

import "bytes"

// A memberKind is what the name of a member implies about its value, in records of all agents: a set of these bits.
type memberKind uint16

const (
	// envelopeMember is an id, a time or a kind, which connects records and calls and is not text. It is a member of a
	// record, a message or a block, but not of the input or result of a tool. See isPlainID.
	envelopeMember  memberKind = 1 << iota
	personalMember             // may have personal data, and never a line of a file
	toolMember                 // has data of a tool or a user, whatever the names of the members in it
	idMember                   // the id of a call
	callMember                 // the id of the call that the neighbouring members belong to
	folderMember               // the folder that a record was written in
	signatureMember            // signs the thinking beside it
	thinkingMember             // the signed text
	dataMember                 // a picture or a signature
	pairNameMember             // the name of a pair: {"name": ..., "value": ...}
	pairValueMember            // the value of a pair
	commandMember              // input of a shell, not the content of a file
	pathMember                 // the name of a file
	inputMember                // input of a tool, possibly a command
	codeMember                 // a program, which may read a file
	outputMember               // output of a tool
)

// memberKinds has the kinds of members by name.
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
			"call_id", "callId", // of the call, and of its output
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

// isPlainID reports whether the value of an envelope member is an id, a time or a kind as programs write them, without
// a secret. Most strings of a log are such. Others are examined like any text.
func isPlainID(v []byte) bool {
	if at := bytes.IndexByte(v, '_'); at > 0 && len(v) <= longestID {
		switch string(v[:at]) {
		case "toolu", "msg", "req", "call":
			return isAll(v[at:], isIDByte)
		}
	}
	return len(v) <= longestKind && isAll(v, isKindByte) || len(v) <= longestID && isAll(v, isHexByte) ||
		isAll(v, isTimeByte)
}

// The lengths of kinds and ids, in bytes, up to which they are not examined: keys of services are longer.
const (
	longestKind = 32
	longestID   = 40
)

func isKindByte(c byte) bool { return isLower(c) || c == '_' || c == '-' }
func isIDByte(c byte) bool   { return isAlnum(c) || c == '_' }
func isHexByte(c byte) bool  { return isHex(c) && !isUpper(c) || c == '-' }
func isTimeByte(c byte) bool {
	return isDigit(c) || c == 'T' || c == 'Z' || c == ':' || c == '.' || c == '+' || c == '-'
}

// A member has the facts about members of one name.
type member struct {
	kind   memberKind
	judged bool  // the name itself has nothing to replace, with the words learned so far
	class  class // the class of the name, if judged
}

// Members are cached by name, because all records have the same few. These are the limits of number and length.
const (
	maxMembers        = 1 << 10
	longestMemberName = 40
)
