package sitegen

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/transcript"
)

// A scanned is what has to be known of a project's files before the first of
// its sessions is drawn.
type scanned struct {
	CWD       string            `json:"cwd,omitempty"`
	Place     string            `json:"place,omitempty"` // stands for the folder, where CWD does not say whose home it is in
	SessionID string            `json:"sessionID,omitempty"`
	Lineage   string            `json:"lineage,omitempty"`   // the session this one was first resumed from
	FirstUUID string            `json:"firstUUID,omitempty"` // of the first record that has one
	Team      string            `json:"team,omitempty"`      // and the name of the member whose session it is
	Member    string            `json:"member,omitempty"`
	Elsewhere []string          `json:"elsewhere,omitempty"` // records of other files that compactions go on from
	Summaries map[string]string `json:"summaries,omitempty"` // titles by the uuid of the record that they describe
	Start     time.Time         `json:"start,omitzero"`      // the first and the last time in the file
	End       time.Time         `json:"end,omitzero"`
}

// A scanning looks at the lines of a file for the few things that other sessions and
// the project's name depend on. It decodes only the records that it finds.
type scanning struct {
	scanned
	begun, array bool
	named        []string        // records that compactions go on from
	missing      map[string]bool // the same: whether no line has it yet
	left         int             // of those
	looked       int             // so many of those named were looked for in all lines
	searched     bool            // all lines were looked at for the member
}

// scan looks at a whole file.
func scan(data []byte) scanned {
	var s scanning
	s.take(data)
	if s.unsure() {
		s.again(data)
	}
	return s.done()
}

// clone is the same for other lines to follow.
func (s *scanning) clone() *scanning {
	c := *s
	c.named, c.missing, c.Summaries = slices.Clip(c.named), maps.Clone(c.missing), maps.Clone(c.Summaries)
	return &c
}

// take looks at lines, which follow those before.
func (s *scanning) take(lines []byte) {
	if !s.begun && len(lines) > 0 {
		s.begun, s.array = true, lines[0] == '['
	}
	s.first(&s.CWD, lines, folderOf)
	s.first(&s.SessionID, lines, sessionOf)
	s.first(&s.Lineage, lines, lineageOf)
	s.first(&s.FirstUUID, lines, idOf)
	s.first(&s.Team, lines, teamOf)
	if s.Start.IsZero() {
		s.Start = firstTime(lines)
	}
	if end := lastTime(lines); !end.IsZero() {
		s.End = end
	}
	parentOf.each(lines, func(id string) {
		if _, known := s.missing[id]; !known {
			if s.missing == nil {
				s.missing = make(map[string]bool)
			}
			s.missing[id] = true
			s.named = append(s.named, id)
			s.left++
		}
	})
	s.find(lines) // most stand right before the compaction
	if s.searched {
		s.first(&s.Member, lines, memberOf)
	}
	s.titles(lines)
}

// find looks for the records that are missing.
func (s *scanning) find(lines []byte) {
	if s.left == 0 {
		return
	}
	idOf.eachOf(lines, func(id string) bool { return s.missing[id] }, func(id string) {
		s.missing[id] = false
		s.left--
	})
}

// titles takes the summaries of other conversations.
func (s *scanning) titles(lines []byte) {
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
			if s.Summaries == nil {
				s.Summaries = make(map[string]string)
			}
			s.Summaries[r.LeafUUID] = transcript.String(transcript.Field(r.Raw, "summary"))
		}
		lines = lines[end:]
	}
}

// unsure says that all lines have to be looked at again, for what nobody knew to look for.
func (s *scanning) unsure() bool {
	return s.Team != "" && s.Member == "" && !s.searched ||
		slices.ContainsFunc(s.named[s.looked:], func(id string) bool { return s.missing[id] })
}

// again looks at lines for the second time.
func (s *scanning) again(lines []byte) {
	if s.Team != "" {
		s.first(&s.Member, lines, memberOf)
	}
	s.find(lines)
}

// checked says that all lines were looked at again.
func (s *scanning) checked() { s.looked, s.searched = len(s.named), s.Team != "" }

// done is what was found.
func (s *scanning) done() scanned {
	all := s.scanned
	all.Place = placeOf(all.CWD)
	if all.End.Before(all.Start) {
		all.End = all.Start
	}
	for _, id := range s.named {
		if s.missing[id] && len(all.Elsewhere) < mostElsewhere {
			all.Elsewhere = append(all.Elsewhere, id)
		}
	}
	all.Summaries = maps.Clone(s.Summaries)
	return all
}

// first notes the first value of a member, when none is known.
func (s *scanning) first(to *string, lines []byte, m member) {
	if *to == "" {
		*to = m.first(lines)
	}
}

// placeOf stands for a folder without naming it: what a site holds may be published.
func placeOf(cwd string) string {
	if cwd == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("cwd\x00" + cwd))
	return hex.EncodeToString(sum[:8])
}

// projectName is what people call a project: the last element of the folder in
// which most of its sessions were started. The folder below projects/ is a
// lossy form of it and only serves when no record has a folder.
func projectName(cwds []string, fallback string) (name, cwd string) {
	votes := make(map[string]int)
	for _, c := range cwds {
		if c != "" && !temporary(c) {
			votes[c]++
		}
	}
	if len(votes) == 0 {
		for _, c := range cwds {
			if c != "" {
				votes[c]++
			}
		}
	}
	best := make([]string, 0, len(votes))
	for c := range votes {
		best = append(best, c)
	}
	slices.SortFunc(best, func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	if len(best) == 0 {
		return fallback, ""
	}
	cwd = best[0]
	name = path.Base(strings.ReplaceAll(cwd, `\`, "/"))
	if name == "/" || name == "." {
		name = fallback
	}
	return name, cwd
}

// temporary says that a folder is no place a project would live in.
func temporary(cwd string) bool {
	for _, p := range []string{"/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/"} {
		if strings.HasPrefix(cwd+"/", p) {
			return true
		}
	}
	return false
}
