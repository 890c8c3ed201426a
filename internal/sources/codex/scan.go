package codex

import (
	"bytes"
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// NewScan looks for the facts of a file in the head of the session and the first text that names a folder.
func (s Source) NewScan() sources.Scan { return sources.ScanLines(s, scanHead) }

// scanHead reads one of the first lines of the file.
func scanHead(line []byte, facts *sources.Facts) bool {
	v := jsontext.Value(line)
	if !mayHaveFacts(line, facts) || !transcript.Valid(v) {
		return false
	}
	folder := func(cwd string) {
		facts.CWD = cmp.Or(facts.CWD, cwd)
	}
	var p sources.Object
	p.Read(v)
	payload := p.Get("payload")
	switch kind := p.Text("type"); {
	case payload != nil:
		p.Read(payload)
		switch kind {
		case "session_meta":
			scanMeta(p, facts)
		case "turn_context":
			folder(p.Text("cwd"))
		case "response_item":
			folder(environmentFolder(line))
		}
	case kind == "" && p.Get("id") != nil:
		scanMeta(p, facts)
	case kind == "message":
		folder(environmentFolder(line))
	case kind == "thread.started" && facts.SessionID == "":
		facts.SessionID = p.Text("thread_id")
	}
	return facts.SessionID != "" && facts.CWD != ""
}

// mayHaveFacts reports whether a line may contain what is still missing.
func mayHaveFacts(line []byte, facts *sources.Facts) bool {
	return facts.Start.IsZero() || facts.SessionID == "" && bytes.Contains(line, []byte(`id"`)) ||
		facts.CWD == "" && bytes.Contains(line, []byte("cwd"))
}

// scanMeta reads the head of a session. The first one belongs to the file.
func scanMeta(p sources.Object, facts *sources.Facts) {
	if facts.SessionID != "" {
		return
	}
	h := readHead(p)
	facts.FirstUUID = "o0.0@" + h.id // files of one thread have it in common, see translator.add
	facts.SessionID, facts.Parent, facts.Lineage = h.id, h.parent, h.from
	facts.Repository = sources.HashRepository(transcript.String(transcript.Field(p.Get("git"), "repository_url")))
	facts.CWD = cmp.Or(facts.CWD, h.cwd)
}
