package opencode

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// NewScan looks for the facts of a file. Most are in the description of the session at the beginning. A file that
// begins with something else is read as a whole.
func (s Source) NewScan() sources.Scan { return &scan{} }

type scan struct {
	facts sources.Facts
	begun bool
	head  []byte       // the description of the session, as far as it was read
	whole sources.Scan // for events, and for messages without a session
}

// maxHead limits how much of the description of a session is read, in bytes. It may contain the changes of files.
const maxHead = 1 << 20

func (s *scan) Lines(lines []byte) {
	switch {
	case s.whole != nil:
		s.whole.Lines(lines)
	case !s.begun:
		s.head = append(s.head, lines[:min(len(lines), maxHead-len(s.head))]...)
		s.begin()
	}
}

// begin reads the description of the session once it is complete.
func (s *scan) begin() {
	for name, value := range sources.HeadMembers(s.head) {
		switch {
		case name == "info" && value == nil && len(s.head) < maxHead:
			return
		case name == "info" && value != nil && transcript.Field(value, "role") == nil:
			s.facts = factsOf(value)
		default:
			s.whole = sources.ScanRecords(Source{})
			s.whole.Lines(s.head)
		}
		s.begun, s.head = true, nil
		return
	}
}

func factsOf(info jsontext.Value) (f sources.Facts) {
	var o sources.Object
	o.Read(info)
	f.SessionID, f.Parent, f.CWD = o.Text("id"), o.Text("parentID"), folderOf(&o)
	f.Lineage = forkedFrom(&o)
	times := o.Get("time")
	f.Start = sources.Milliseconds(transcript.Field(times, "created"))
	f.End = sources.Milliseconds(transcript.Field(times, "updated"))
	if f.SessionID != "" {
		f.FirstUUID = f.SessionID + ".title"
	}
	return f
}

func (s *scan) Facts() sources.Facts {
	switch {
	case s.whole != nil:
		return s.whole.Facts()
	case !s.begun && len(s.head) > 0:
		return sources.ScanAll(sources.ScanRecords(Source{}), s.head)
	}
	return s.facts
}

func (s *scan) Unsure() bool { return false }
func (s *scan) Again([]byte) {}
func (s *scan) Checked()     {}

// Resumable returns false, because documents are rewritten.
func (s *scan) Resumable() bool { return false }

func (s *scan) Clone() sources.Scan {
	c := *s
	c.head = bytes.Clone(s.head)
	if s.whole != nil {
		c.whole = s.whole.Clone()
	}
	return &c
}
