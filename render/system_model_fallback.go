package render

import "strings"

// The program changed the model, by itself or because the first one refused; or the model refused, and there was no
// other one.
var (
	_ = register(systems, "model_fallback", "event", viewModelFallback)
	_ = register(systems, "model_refusal_fallback", "event", viewModelFallback)
	_ = register(systems, "model_consent_fallback", "event", viewModelFallback)
	_ = register(systems, "model_refusal_no_fallback", "event", viewModelFallback)
)

func viewModelFallback(e event) (recordEvent, error) {
	var in struct{ Trigger, OriginalModel, FallbackModel, APIRefusalCategory, APIRefusalExplanation text }
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	v := recordEvent{line: line{Text: oneLine(e.Text, 200), Level: atChat, Look: "rule"}}
	from := "from"
	if e.Name == "model_refusal_no_fallback" {
		from = "model"
	}
	if v.Text == "" && from == "model" {
		v.Text = "The model refused"
		if in.APIRefusalCategory != "" {
			v.Text += dot + oneLine(string(in.APIRefusalCategory), 60)
		}
	} else if v.Text == "" {
		v.Text = "Model changed"
		if in.OriginalModel != "" {
			v.Text += " from " + oneLine(string(in.OriginalModel), 60)
		}
		if in.FallbackModel != "" {
			v.Text += " to " + oneLine(string(in.FallbackModel), 60)
		}
	} else if v.Text != strings.TrimSpace(e.Text) {
		v.Rows = append(v.Rows, field{Name: "said", Value: e.Text})
	}
	v.Rows = append(v.Rows, filled(
		field{Name: from, Value: string(in.OriginalModel)},
		field{Name: "to", Value: string(in.FallbackModel)},
		field{Name: "why", Value: string(in.Trigger)},
		field{Name: "category", Value: string(in.APIRefusalCategory)},
		field{Name: "explanation", Value: string(in.APIRefusalExplanation)},
	)...)
	return v, nil
}
