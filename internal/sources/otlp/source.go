// Package otlp reads traces of OpenTelemetry in JSON whose spans have the attributes for generative AI: those of
// Visual Studio and Copilot CLI, of exporters to files, and of viewer export. It never opens a file.
package otlp

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads traces of OpenTelemetry, see docs/agents.md. A file is read as a whole, because spans are written
// when they end: those of calls come before those of the request that made them.
type Source struct{ sources.Defaults }

var (
	_ sources.Decoder  = Source{}
	_ sources.Splitter = Source{}
)

// Writer reports that requests need not tell what the model was sent.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "OpenTelemetry", NotSent: true}
}

// Match accepts spans with attributes for generative AI. Other traces are not of agents.
func (Source) Match(head sources.Head) bool {
	return conventional(head) && (head.First() == "resourceSpans" || isSpan(head))
}

// isSpan reports whether a file begins with a span that has the members of an exporter of a language.
func isSpan(head sources.Head) bool {
	ids := head.Has("traceId", "trace_id") && head.Has("spanId", "span_id") ||
		transcript.Field(head.Value("context"), "trace_id") != nil
	return ids && head.Has("name") && head.Has("startTime", "start_time", "endTime", "end_time")
}

// FolderOf returns "", because traces name no folder.
func (Source) FolderOf([]byte) string { return "" }

// Folders returns where Visual Studio keeps traces.
func (Source) Folders(getenv func(string) string, _ string) []string {
	if dir := getenv("LOCALAPPDATA"); dir != "" {
		return []string{dir + "/Temp/VSGitHubCopilotLogs/traces"}
	}
	return nil
}

// MayHold accepts the files of Visual Studio, which have all conversations of a window.
func (Source) MayHold(p string) bool { return strings.HasSuffix(p, "_VSGitHubCopilot_traces.jsonl") }

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
