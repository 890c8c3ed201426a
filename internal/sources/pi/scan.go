package pi

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// NewScan looks for the facts of a file in the head of the session and the first entry.
func (s Source) NewScan() sources.Scan { return sources.ScanLines(s, scanHead) }

// scanHead reads one of the first lines of the file.
func scanHead(line []byte, facts *sources.Facts) bool {
	if facts.FirstUUID != "" && !bytes.Contains(line[:min(len(line), sources.HeadSize)], []byte(`"session"`)) {
		return false
	}
	v := jsontext.Value(line)
	if !transcript.Valid(v) {
		return false
	}
	var p sources.Object
	p.Read(v)
	switch kind := p.Text("type"); {
	case kind == "title":
	case kind == "session" && facts.SessionID == "":
		h := readHead(p)
		facts.SessionID, facts.CWD, facts.Lineage = h.id, h.cwd, h.from
	case kind != "session" && facts.FirstUUID == "": // copies of a session begin with the same entry
		facts.FirstUUID = p.Text("id") + "@" + p.Text("timestamp")
	}
	return facts.SessionID != "" && facts.FirstUUID != ""
}
