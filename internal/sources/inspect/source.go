// Package inspect reads the logs of evaluations that Inspect AI writes: one JSON document, or a zip archive (.eval)
// with a document for each sample. Each sample is a session. The package never opens a file.
package inspect

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the logs of Inspect.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that samples do not tell which messages a request still contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Inspect", NotSent: true} }

// Wants accepts documents and archives.
func (Source) Wants(p string) bool { return path.Ext(p) == ".json" || path.Ext(p) == ".eval" }

// mark is the first member of a sample that was separated from its log.
const mark = "inspect_sample"

// Match accepts logs and samples of a log. A log begins with a version, a status and a description of the evaluation.
// If its members are sorted, the description comes first, and the others may come after all samples.
func (Source) Match(head sources.Head) bool {
	switch {
	case head.Has(mark):
		return true
	case !head.Has("eval") || head.Has("type", "role", "uuid", "sessionId"):
		return false
	}
	eval := head.Value("eval")
	if eval != nil && transcript.Field(eval, "task") == nil {
		return false
	}
	switch transcript.String(head.Value("status")) {
	case "started", "success", "cancelled", "error":
		return transcript.Kind(head.Value("version")) == '0'
	}
	return !head.Has("status") && transcript.Field(eval, "run_id") != nil
}

// FolderOf returns "", because logs name no folder.
func (Source) FolderOf([]byte) string { return "" }

// MayHold accepts archives, and documents whose name is that of a log: a time, a task and an id.
func (Source) MayHold(p string) bool {
	base := path.Base(p)
	return path.Ext(p) == ".eval" || path.Ext(p) == ".json" && strings.HasPrefix(base, "20") &&
		strings.Count(base, "_") >= 2
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
