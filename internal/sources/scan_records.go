package sources

import (
	"bytes"
	"cmp"

	"viewer/internal/transcript"
)

// ScanRecords looks for the facts of a file in its records. It takes as long as reading the file; sources with large
// files should implement one.
func ScanRecords(s Source) Scan {
	scan := &recordScan{source: s}
	if t := s.NewTranslator(); t != nil {
		scan.options.Translate = t.Translate
	}
	return scan
}

type recordScan struct {
	source  Source
	options transcript.Options // with the translator of the file
	facts   Facts
	begun   bool
	whole   bool   // the file is not JSONL
	data    []byte // the content of such a file
}

func (s *recordScan) Lines(lines []byte) {
	if !s.begun && len(lines) > 0 {
		_, decoder := s.source.(Decoder)
		s.begun, s.whole = true, decoder || IsDocument(lines)
	}
	if s.whole {
		s.data = append(s.data, lines...)
		return
	}
	s.facts.add(s.options.Read("", lines).Records)
}

func (s *recordScan) Facts() Facts {
	all := s.facts
	if s.whole {
		all.add(List{s.source}.Read("", s.data, transcript.Options{}).Records)
	}
	return all
}

// add notes the first values that the records have, and the last time.
func (f *Facts) add(records []transcript.Record) {
	for i := range records {
		r := &records[i]
		f.CWD = cmp.Or(f.CWD, r.CWD)
		if f.SessionID == "" && r.AgentID != "" { // as in agent files of Claude Code
			f.SessionID, f.Parent = r.AgentID, r.SessionID
		}
		f.SessionID = cmp.Or(f.SessionID, r.SessionID)
		f.Lineage = cmp.Or(f.Lineage, r.LineageID)
		f.FirstUUID = cmp.Or(f.FirstUUID, r.UUID)
		if r.Timestamp.IsZero() {
			continue
		}
		if f.Start.IsZero() {
			f.Start = r.Timestamp
		}
		f.End = r.Timestamp
	}
}

func (s *recordScan) Unsure() bool { return false }
func (s *recordScan) Again([]byte) {}
func (s *recordScan) Checked()     {}

// Resumable returns false, because the translator may have read a line that is not complete yet.
func (s *recordScan) Resumable() bool { return false }

func (s *recordScan) Clone() Scan {
	c := *s
	c.data = bytes.Clone(s.data)
	return &c
}
