package claude

import (
	"bytes"
	"maps"
	"slices"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A scan reads the few members of records that other sessions and the name of the project depend on. It decodes only
// records that have one of them.
type scan struct {
	facts         sources.Facts
	begun         bool
	values, again *records        // for a file that is not JSONL, for the first and the second pass
	named         []string        // records that compactions continue from
	missing       map[string]bool // by the same ids: whether no record with the id was found yet
	left          int             // how many are missing
	checked       int             // how many of named were looked for in all lines
	searched      bool            // all lines were searched for the name of the team
}

// NewScan looks for the facts of a file.
func (Source) NewScan() sources.Scan { return new(scan) }

func (s *scan) Clone() sources.Scan {
	c := *s
	c.values, c.again = s.values.clone(), s.again.clone()
	c.named, c.missing, c.facts.Summaries = slices.Clip(c.named), maps.Clone(c.missing), maps.Clone(c.facts.Summaries)
	return &c
}

func (s *scan) Resumable() bool { return s.values == nil }

func (s *scan) Lines(lines []byte) {
	if !s.begun && len(lines) > 0 {
		s.begun = true
		if sources.IsDocument(lines) {
			s.values, s.again = new(records), new(records)
		}
	}
	lines = s.values.lines(lines)
	first(&s.facts.CWD, lines, folderOf)
	first(&s.facts.SessionID, lines, sessionOf)
	first(&s.facts.Lineage, lines, lineageOf)
	first(&s.facts.Plan, lines, planOf)
	first(&s.facts.FirstUUID, lines, idOf)
	first(&s.facts.Team, lines, teamOf)
	if s.facts.Start.IsZero() {
		s.facts.Start = firstTime(lines)
	}
	if end := lastTime(lines); !end.IsZero() {
		s.facts.End = end
	}
	parentOf.each(lines, func(id string) {
		if _, named := s.missing[id]; !named {
			if s.missing == nil {
				s.missing = make(map[string]bool)
			}
			s.missing[id] = true
			s.named = append(s.named, id)
			s.left++
		}
	})
	s.find(lines) // most come right before the compaction
	if s.searched {
		first(&s.facts.Member, lines, memberOf)
	}
	s.titles(lines)
}

// find looks for the missing records.
func (s *scan) find(lines []byte) {
	if s.left == 0 {
		return
	}
	idOf.eachOf(lines, func(id string) bool { return s.missing[id] }, func(id string) {
		s.missing[id] = false
		s.left--
	})
}

// titles reads the titles of other conversations.
func (s *scan) titles(lines []byte) {
	for {
		at := leafOf.in(lines)
		if at < 0 {
			return
		}
		start, end, _ := lineAround(lines, at)
		if !bytes.Contains(lines[start:end], []byte(`"summary"`)) {
			lines = lines[end:]
			continue
		}
		for _, r := range transcript.Read("", lines[start:end]).Records {
			if r.Type != "summary" || r.LeafUUID == "" {
				continue
			}
			if s.facts.Summaries == nil {
				s.facts.Summaries = make(map[string]string)
			}
			s.facts.Summaries[r.LeafUUID] = transcript.String(transcript.Field(r.Raw, "summary"))
		}
		lines = lines[end:]
	}
}

func (s *scan) Unsure() bool {
	return s.facts.Team != "" && s.facts.Member == "" && !s.searched ||
		slices.ContainsFunc(s.named[s.checked:], func(id string) bool { return s.missing[id] })
}

func (s *scan) Again(lines []byte) {
	lines = s.again.lines(lines)
	if s.facts.Team != "" {
		first(&s.facts.Member, lines, memberOf)
	}
	s.find(lines)
}

func (s *scan) Checked() {
	s.checked, s.searched = len(s.named), s.facts.Team != ""
	if s.again != nil {
		s.again = new(records)
	}
}

func (s *scan) Facts() sources.Facts {
	all := s.facts
	for _, id := range s.named {
		if s.missing[id] && len(all.Elsewhere) < sources.MaxElsewhere {
			all.Elsewhere = append(all.Elsewhere, id)
		}
	}
	all.Summaries = maps.Clone(all.Summaries)
	return all
}

// first sets *to to the first value of a member, unless it is set already.
func first(to *string, lines []byte, m member) {
	if *to == "" {
		*to = m.first(lines)
	}
}

// FolderOf returns the first working directory named in the beginning of a log, or "".
func (Source) FolderOf(head []byte) string {
	if sources.IsDocument(head) {
		head = headLines(head)
	}
	if cwd := folderOf.first(head); cwd != "" {
		return cwd
	}
	return sources.FirstString(head, "cwd") // below the top of a record, as other programs write it
}

// FindRecords returns a function that marks which ids the records in the lines of a file have.
func (Source) FindRecords(ids []string, found map[string]bool) func(lines []byte) {
	const few = 8 // faster to look for one after the other
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	var values *records
	begun := false
	return func(lines []byte) {
		if !begun && len(lines) > 0 {
			if begun = true; sources.IsDocument(lines) {
				values = new(records)
			}
		}
		lines = values.lines(lines)
		named := func(id string) bool { return bytes.Contains(lines, []byte(id)) }
		if len(ids) > few || slices.ContainsFunc(ids, named) {
			missing := func(id string) bool { return wanted[id] && !found[id] }
			idOf.eachOf(lines, missing, func(id string) { found[id] = true })
		}
	}
}
