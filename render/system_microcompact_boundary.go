package render

var _ = register(systems, "microcompact_boundary", "bare", viewMicrocompactBoundary)

type microcompactBoundary struct{ line }

func viewMicrocompactBoundary(e event) (microcompactBoundary, error) {
	var in struct {
		MicrocompactMetadata struct {
			Trigger                text
			PreTokens, TokensSaved number
			CompactedToolIDs       []text
		}
	}
	if err := e.decode(&in); err != nil {
		return microcompactBoundary{}, err
	}
	m := in.MicrocompactMetadata
	v := microcompactBoundary{line{Text: "Old tool results cleared", Look: "rule", Level: atTools}}
	if n := len(m.CompactedToolIDs); n > 0 {
		v.Text = plural(n, "old tool result", "old tool results") + " cleared"
	}
	if m.Trigger != "" {
		v.Text += " · " + string(m.Trigger)
	}
	if m.TokensSaved > 0 {
		v.Text += " · " + short(int64(m.TokensSaved)) + " tokens saved"
	}
	return v, nil
}
