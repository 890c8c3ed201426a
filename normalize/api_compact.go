package normalize

import "viewer/transcript"

// applyCompaction begins at the last compaction: its summary, what was kept
// word for word of the time before, and the rest (reference 003, section 5.4;
// format, section 15). It comes before the steps of the reference, which are
// given the list that is left after it.
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
			s.drop(WhyCompacted, e.parts...)
		}
	}
	s.entries = append(list, after[summaries:]...)
}

// preserved are the records before a compaction that the model keeps: those
// that are listed, else those from the head to the tail of a segment. In file
// order, since the results of parallel calls are not on the chain of parents.
func preserved(before []*entry, boundary *entry) map[*entry]bool {
	kept := make(map[*entry]bool)
	meta := transcript.Field(boundary.record.Raw, "compactMetadata")
	if meta == nil {
		meta = transcript.Field(boundary.record.Raw, "compact_metadata")
	}
	listed := make(map[string]bool)
	for id := range transcript.Elements(transcript.Field(transcript.Field(meta, "preservedMessages"), "uuids")) {
		listed[transcript.String(id)] = true
	}
	segment := transcript.Field(meta, "preservedSegment")
	head, tail := transcript.String(transcript.Field(segment, "headUuid")), transcript.String(transcript.Field(segment, "tailUuid"))
	first, last := -1, -1
	for i, e := range before {
		id := e.record.UUID
		if id == "" {
			continue
		}
		kept[e] = listed[id]
		if id == head && first < 0 {
			first = i
		}
		if id == tail {
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
