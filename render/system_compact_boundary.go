package render

var _ = register(systems, "compact_boundary", "compact_boundary", viewCompactBoundary)

type compactBoundary struct {
	line
	Rows []field
}

func viewCompactBoundary(e event) (compactBoundary, error) {
	var in struct {
		CompactMetadata struct {
			Trigger                                                    text
			PreTokens, PostTokens, DurationMs, CumulativeDroppedTokens number
			PreservedMessages                                          struct{ UUIDs []text }
			PreservedSegment                                           struct{ HeadUUID text }
			PreCompactDiscoveredTools                                  []text
		}
	}
	if err := e.decode(&in); err != nil {
		return compactBoundary{}, err
	}
	m := in.CompactMetadata
	v := compactBoundary{line: line{Text: "Context compacted", Look: "loud"}}
	if m.Trigger != "" {
		v.Text += " · " + string(m.Trigger)
	}
	switch {
	case m.PreTokens > 0 && m.PostTokens > 0:
		v.Text += " · " + short(int64(m.PreTokens)) + " → " + short(int64(m.PostTokens)) + " tokens"
	case m.PreTokens > 0:
		v.Text += " · " + short(int64(m.PreTokens)) + " tokens before"
	}
	if n := len(m.PreservedMessages.UUIDs); n > 0 {
		v.Text += " · " + plural(n, "message", "messages") + " kept"
	} else if m.PreservedSegment.HeadUUID != "" {
		v.Text += " · the last messages kept"
	}
	if m.DurationMs > 0 {
		v.Rows = append(v.Rows, field{Name: "took", Value: millis(float64(m.DurationMs))})
	}
	if m.CumulativeDroppedTokens > 0 {
		v.Rows = append(v.Rows, field{Name: "dropped so far", Value: short(int64(m.CumulativeDroppedTokens)) + " tokens"})
	}
	for _, t := range m.PreCompactDiscoveredTools {
		v.Rows = append(v.Rows, field{Name: "tool kept loaded", Value: string(t)})
	}
	return v, nil
}
