package normalize

// allowed has the block types that the Messages API accepts, by role.
var allowed = map[string]map[string]bool{
	"user":      {"text": true, "image": true, "document": true, "search_result": true, "tool_result": true},
	"assistant": {"text": true, "thinking": true, "redacted_thinking": true, "tool_use": true, "server_tool_use": true, "web_search_tool_result": true},
}
