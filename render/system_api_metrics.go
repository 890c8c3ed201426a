package render

import "viewer/transcript"

var _ = register(systems, "api_metrics", "api_metrics", viewAPIMetrics)

type apiMetrics struct {
	line
	Rows []field
}

func viewAPIMetrics(e event) (apiMetrics, error) {
	var in struct{ TTFTMs, OTPS number }
	if err := e.decode(&in); err != nil {
		return apiMetrics{}, err
	}
	v := apiMetrics{line: line{Icon: "clock", Text: "API metrics", Level: atEverything, Look: "note"}}
	if in.TTFTMs > 0 {
		v.Text += " · first token after " + millis(float64(in.TTFTMs))
	}
	if in.OTPS > 0 {
		v.Text += " · " + count(int(in.OTPS)) + " tokens a second"
	}
	for name, value := range transcript.Members(e.Record.Raw) {
		if transcript.Kind(value) == '0' {
			v.Rows = append(v.Rows, field{Name: name, Value: transcript.TextOf(value)})
		}
	}
	return v, nil
}
