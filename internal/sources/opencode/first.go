package opencode

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// first returns a message of versions 0.x in the form of later ones. These have the parts inside the message, and all
// facts about it and its calls in "metadata".
func first(v jsontext.Value) (info jsontext.Value, parts []jsontext.Value, ok bool) {
	var o, metadata, said, tools sources.Object
	o.Read(v)
	if o.Get("parts") == nil || o.Get("metadata") == nil {
		return nil, nil, false
	}
	metadata.Read(o.Get("metadata"))
	said.Read(metadata.Get("assistant"))
	tools.Read(metadata.Get("tool"))
	info = sources.Make(
		"id", o.Text("id"), "sessionID", metadata.Text("sessionID"), "role", o.Text("role"),
		"time", metadata.Get("time"), "modelID", said.Text("modelID"), "path", said.Get("path"),
		"cost", said.Get("cost"), "tokens", said.Get("tokens"), "summary", said.Get("summary"),
		"error", metadata.Get("error"),
	)
	for part := range transcript.Elements(o.Get("parts")) {
		if transcript.String(transcript.Field(part, "type")) == "tool-invocation" {
			part = firstCall(transcript.Field(part, "toolInvocation"), &tools)
		}
		parts = append(parts, part)
	}
	return info, parts, true
}

// firstCall returns a call in the form of later versions. tools has facts of calls by their ids.
func firstCall(v jsontext.Value, tools *sources.Object) jsontext.Value {
	var call, facts sources.Object
	call.Read(v)
	id := call.Text("toolCallId")
	facts.Read(tools.Get(id))
	status := "running"
	if call.Text("state") == "result" {
		status = "completed"
		if string(facts.Get("error")) == "true" {
			status = "error"
		}
	}
	state := sources.Make("status", status, "input", call.Get("args"), "output", call.Get("result"),
		"time", facts.Get("time"), "title", facts.Text("title"), "metadata", tools.Get(id))
	return sources.Make("type", "tool", "callID", id, "tool", call.Text("toolName"), "state", state)
}
