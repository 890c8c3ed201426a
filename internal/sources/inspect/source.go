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

// Match accepts logs, which begin with a version, a status and a description of the evaluation, and samples of a log.
func (Source) Match(head sources.Head) bool {
	versioned, status := false, false
	for name, value := range head.Members() {
		switch name {
		case mark:
			return true
		case "version":
			versioned = transcript.Kind(value) == '0'
		case "status":
			switch transcript.String(value) {
			case "started", "success", "cancelled", "error":
				status = true
			}
		case "eval":
			kind := transcript.Kind(value)
			return versioned && status && (value == nil || kind == '{' && transcript.Field(value, "task") != nil)
		default:
			return false
		}
	}
	return false
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
