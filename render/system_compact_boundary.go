package render

import "cmp"

var _ = register(systems, "compact_boundary", "event", viewCompactBoundary)

func viewCompactBoundary(e event) (recordEvent, error) {
	var in struct {
		CompactMetadata struct {
			Trigger                                                    text
			PreTokens, PostTokens, DurationMs, CumulativeDroppedTokens number
			PreservedMessages                                          struct {
				AnchorUUID      text
				UUIDs, AllUUIDs []text
			}
			PreservedSegment          struct{ HeadUUID, AnchorUUID, TailUUID text }
			PreCompactDiscoveredTools []text
		}
	}
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	m := in.CompactMetadata
	v := recordEvent{line: line{Text: "Context compacted", Look: "loud"}}
	if m.Trigger != "" {
		v.Text += dot + string(m.Trigger)
	}
	switch {
	case m.PreTokens > 0 && m.PostTokens > 0:
		v.Text += dot + short(int64(m.PreTokens)) + " → " + short(int64(m.PostTokens)) + " tokens"
	case m.PreTokens > 0:
		v.Text += dot + short(int64(m.PreTokens)) + " tokens before"
	}
	if n := len(m.PreservedMessages.UUIDs); n > 0 {
		v.Text += dot + plural(n, "message", "messages") + " kept"
	} else if m.PreservedSegment.HeadUUID != "" {
		v.Text += dot + "the last messages kept"
	}
	if m.DurationMs > 0 {
		v.Rows = append(v.Rows, field{Name: "took", Value: millis(float64(m.DurationMs))})
	}
	if m.CumulativeDroppedTokens > 0 {
		v.Rows = append(v.Rows, field{Name: "dropped so far",
			Value: short(int64(m.CumulativeDroppedTokens)) + " tokens"})
	}
	v.Rows = append(v.Rows, filled(
		field{Name: "kept from record", Value: string(m.PreservedSegment.HeadUUID)},
		field{Name: "to record", Value: string(m.PreservedSegment.TailUUID)},
		field{Name: "after record",
			Value: string(cmp.Or(m.PreservedSegment.AnchorUUID, m.PreservedMessages.AnchorUUID))},
	)...)
	if n := len(m.PreservedMessages.AllUUIDs); n > 0 {
		v.Rows = append(v.Rows, field{Name: "kept", Value: plural(n, "record", "records")})
	}
	for _, t := range m.PreCompactDiscoveredTools {
		v.Rows = append(v.Rows, field{Name: "tool kept loaded", Value: string(t)})
	}
	return v, nil
}
