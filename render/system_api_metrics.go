package render

var _ = register(systems, "api_metrics", "bare", viewAPIMetrics)

// viewAPIMetrics draws the speed of an answer. The frame lists the other numbers.
func viewAPIMetrics(e event) (recordEvent, error) {
	var in struct{ TTFTMs, OTPS number }
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	v := recordEvent{line: line{Icon: "clock", Text: "API metrics", Level: atEverything, Look: "note"}}
	if in.TTFTMs > 0 {
		v.Text += dot + "first token after " + millis(float64(in.TTFTMs))
	}
	if in.OTPS > 0 {
		v.Text += dot + count(int(in.OTPS)) + " tokens a second"
	}
	return v, nil
}
