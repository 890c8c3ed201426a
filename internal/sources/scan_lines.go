package sources

import (
	"bytes"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Lenient are the JSON options for logs: invalid UTF-8 and repeated names are accepted.
var Lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// ScanLines looks for facts in JSONL files whose first lines describe the session. It calls head with one line after
// the other, without surrounding white space, until head reports that it has enough. Of all other lines the scan reads
// only the time, and only of the first and the last that have one. A file that is not JSONL is read by ScanRecords.
func ScanLines(s Source, head func(line []byte, facts *Facts) (enough bool)) Scan {
	return &lineScan{source: s, head: head}
}

type lineScan struct {
	source Source
	head   func(line []byte, facts *Facts) bool
	facts  Facts
	begun  bool
	enough bool // head needs no more lines
	whole  Scan // for a file that is not JSONL
}

// bom is the byte order mark, which some programs of Windows write at the beginning of a file.
var bom = []byte("\ufeff")

func (s *lineScan) Lines(lines []byte) {
	if !s.begun {
		lines = bytes.TrimPrefix(lines, bom)
		s.begun = len(bytes.TrimSpace(lines)) > 0
		if s.begun && IsDocument(lines) {
			s.whole = ScanRecords(s.source)
		}
	}
	if s.whole != nil {
		s.whole.Lines(lines)
		return
	}
	for rest := lines; len(rest) > 0 && (!s.enough || s.facts.Start.IsZero()); {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		for _, value := range valuesOf(line) {
			if s.facts.Start.IsZero() {
				s.facts.Start, _ = LineTime(value)
			}
			s.enough = s.enough || s.head(value, &s.facts)
		}
	}
	for end := len(lines); end > 0; {
		at := bytes.LastIndexByte(lines[:end], '\n')
		for _, value := range slices.Backward(valuesOf(lines[at+1 : end])) {
			if stamp, ok := LineTime(value); ok {
				s.facts.End = stamp
				return
			}
		}
		end = max(at, 0)
	}
}

// valuesOf returns the values of a line: none of a blank one, nearly always one, and several if line ends are missing.
func valuesOf(line []byte) [][]byte {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	if line[0] != '{' || transcript.SkipValue(line, 0) == len(line) {
		return [][]byte{line}
	}
	var values [][]byte
	for _, r := range transcript.Read("", line).Records {
		values = append(values, r.Raw)
	}
	return values
}

// LineTime returns the "timestamp" or "time" of a line that is a JSON object, in UTC. It may be an RFC 3339 string or
// milliseconds since 1970. ok is false if there is none.
func LineTime(line []byte) (stamp time.Time, ok bool) {
	if len(line) == 0 || line[0] != '{' || !transcript.Valid(line) {
		return time.Time{}, false
	}
	v := transcript.Or(transcript.Field(line, "timestamp"), transcript.Field(line, "time"))
	return TimeOf(v)
}

func (s *lineScan) Facts() Facts {
	if s.whole != nil {
		return s.whole.Facts()
	}
	return s.facts
}

func (s *lineScan) Unsure() bool { return false }
func (s *lineScan) Again([]byte) {}
func (s *lineScan) Checked()     {}

// Resumable reports whether lines can be added.
func (s *lineScan) Resumable() bool { return s.whole == nil }

func (s *lineScan) Clone() Scan {
	c := *s
	if s.whole != nil {
		c.whole = s.whole.Clone()
	}
	return &c
}
