package copilot

import (
	"bytes"
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// NewScan looks for the facts of a file in the event that starts the session.
func (s Source) NewScan() sources.Scan { return sources.ScanLines(s, scanHead) }

// scanHead reads one of the first lines of the file.
func scanHead(line []byte, facts *sources.Facts) bool {
	if bytes.Contains(line, []byte(`"chatMessages"`)) || bytes.Contains(line, []byte(`"timeline"`)) {
		scanDocument(line, facts) // a document on one line
	}
	if !bytes.Contains(line, []byte(`"session.`)) || !transcript.Valid(line) {
		return false
	}
	switch transcript.String(transcript.Field(line, "type")) {
	case "session.start", "session.resume", "session.context_changed":
	default:
		return false
	}
	data := transcript.Field(line, "data")
	context := transcript.Or(transcript.Field(data, "context"), data)
	text := func(v jsontext.Value, name string) string { return transcript.String(transcript.Field(v, name)) }
	facts.SessionID = cmp.Or(facts.SessionID, text(data, "sessionId"))
	facts.CWD = cmp.Or(facts.CWD, text(context, "cwd"), text(context, "gitRoot"))
	if repository := text(context, "repository"); repository != "" {
		host := cmp.Or(text(context, "repositoryHost"), "github.com")
		facts.Repository = cmp.Or(facts.Repository, sources.HashRepository(host+"/"+repository))
	}
	return facts.SessionID != "" && facts.CWD != ""
}

func scanDocument(line []byte, facts *sources.Facts) {
	var p sources.Object
	if p.Read(line); !isHistory(p) || facts.SessionID != "" {
		return
	}
	facts.SessionID, facts.CWD = p.Text("sessionId"), folderIn(line)
	facts.Start, _ = sources.TimeOf(p.Get("startTime"))
	facts.End = facts.Start
}
