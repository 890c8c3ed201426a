package normalize

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// applyCompaction drops everything before the last compaction, except its summary and the messages that it kept
// verbatim. It comes before the other steps, which see only the rest.
func applyCompaction(s *sending) {
	at := -1
	for i, e := range s.entries {
		if e.record.Type == "system" && e.record.Subtype == "compact_boundary" {
			at = i
		}
	}
	if at < 0 {
		return
	}
	findBroken(s)
	before, boundary, after := s.entries[:at], s.entries[at], s.entries[at+1:]
	summaries := 0
	for summaries < len(after) && after[summaries].record.IsCompactSummary {
		summaries++
	}
	kept := preserved(before, boundary)
	list := append([]*entry{boundary}, after[:summaries]...)
	for _, e := range before {
		if kept[e] {
			list = append(list, e)
		} else {
			s.drop(whyCompacted, e.parts...)
		}
	}
	s.entries = append(list, after[summaries:]...)
}

// dropCleared drops everything before the last prompt with which the context was cleared, except the hooks that ran for
// it.
func dropCleared(s *sending) {
	at := len(s.entries) - 1
	for at >= 0 && !s.entries[at].parts[0].Anew {
		at--
	}
	for at > 0 && s.entries[at-1].parts[0].Kind == Hook {
		at--
	}
	if at <= 0 {
		return
	}
	for _, e := range s.entries[:at] {
		s.drop(whyCleared, e.parts...)
	}
	s.entries = s.entries[at:]
}

// preserved returns the records before a compaction that the model keeps: those that are listed, otherwise those from
// the head to the tail of a segment, in file order, because results of parallel calls are not on the chain of parents.
func preserved(before []*entry, boundary *entry) map[*entry]bool {
	kept := make(map[*entry]bool)
	p := preservedOf(boundary)
	listed := make(map[string]bool)
	for _, id := range p.listed {
		listed[id] = true
	}
	first, last := -1, -1
	for i, e := range before {
		id := e.record.UUID
		if id == "" {
			continue
		}
		kept[e] = listed[id]
		if id == p.head && first < 0 {
			first = i
		}
		if id == p.tail {
			last = i
		}
	}
	if len(listed) == 0 && first >= 0 && last >= first {
		for _, e := range before[first : last+1] {
			kept[e] = true
		}
	}
	return kept
}

// A preservation has the records that a compaction says it keeps.
type preservation struct {
	listed     []string // uuids
	head, tail string   // of a segment
}

func preservedOf(boundary *entry) preservation {
	inside := func(v jsontext.Value, camel, snake string) jsontext.Value { // snake_case in SDK streams
		if inner := transcript.Field(v, camel); inner != nil {
			return inner
		}
		return transcript.Field(v, snake)
	}
	meta := inside(boundary.record.Raw, "compactMetadata", "compact_metadata")
	var p preservation
	preserved := inside(meta, "preservedMessages", "preserved_messages")
	for id := range transcript.Elements(transcript.Field(preserved, "uuids")) {
		p.listed = append(p.listed, transcript.String(id))
	}
	segment := inside(meta, "preservedSegment", "preserved_segment")
	p.head = transcript.String(inside(segment, "headUuid", "head_uuid"))
	p.tail = transcript.String(inside(segment, "tailUuid", "tail_uuid"))
	return p
}

// findBroken reports compactions that keep missing records: a program that resumes the session fails on them.
func findBroken(s *sending) {
	place := make(map[string]int, len(s.entries))
	for i, e := range s.entries {
		if id := e.record.UUID; id != "" {
			if _, ok := place[id]; !ok {
				place[id] = i
			}
		}
	}
	for i, e := range s.entries {
		if e.record.Type != "system" || e.record.Subtype != "compact_boundary" {
			continue
		}
		p := preservedOf(e)
		before := func(id string) bool { at, there := place[id]; return there && at < i }
		lost := 0
		for _, id := range p.listed {
			if !before(id) {
				lost++
			}
		}
		switch m := e.parts[0]; {
		case lost > 0:
			s.problem(m, fmt.Sprintf("of %d records that the compaction keeps %d do not come before it",
				len(p.listed), lost))
		case len(p.listed) > 0 || p.head == "" && p.tail == "":
		case !before(p.head):
			s.problem(m, fmt.Sprintf("the compaction keeps records from %.60q, which does not come before it", p.head))
		case !before(p.tail):
			s.problem(m, fmt.Sprintf("the compaction keeps records up to %.60q, which does not come before it",
				p.tail))
		case place[p.tail] < place[p.head]:
			s.problem(m, "the compaction keeps records whose last comes before the first")
		}
	}
}
