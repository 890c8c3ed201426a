package render

var _ = register(systems, "microcompact_boundary", "event", viewMicrocompactBoundary)

func viewMicrocompactBoundary(e event) (recordEvent, error) {
	var in struct {
		MicrocompactMetadata struct {
			Trigger                text
			PreTokens, TokensSaved number
			CompactedToolIDs       []text
			ClearedAttachmentUUIDs []text
		}
	}
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	m := in.MicrocompactMetadata
	v := recordEvent{line: line{Text: "Old tool results cleared", Look: "rule", Level: atTools}}
	if n := len(m.CompactedToolIDs); n > 0 {
		v.Text = plural(n, "old tool result", "old tool results") + " cleared"
	}
	if m.Trigger != "" {
		v.Text += dot + string(m.Trigger)
	}
	if m.TokensSaved > 0 {
		v.Text += dot + short(int64(m.TokensSaved)) + " tokens saved"
	}
	if m.PreTokens > 0 {
		v.Rows = append(v.Rows, field{Name: "tokens before", Value: count(int(m.PreTokens))})
	}
	for _, list := range []struct {
		name string
		ids  []text
	}{{"cleared results", m.CompactedToolIDs}, {"cleared attachments", m.ClearedAttachmentUUIDs}} {
		if len(list.ids) > 0 {
			v.Rows = append(v.Rows, e.d.said(list.name, joined(list.ids, ", ")))
		}
	}
	return v, nil
}
