package render

import (
	"cmp"
	"html/template"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/outcome"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/render/page"
)

// The end of a run of claude -p or of the SDK.
var _ = register(records, "result", "result", viewResult)

type runResult struct {
	line
	Rows   []field
	Answer template.HTML
	Errors []*output
}

func viewResult(e event) (runResult, error) {
	var in struct {
		IsError                               truth
		DurationMs, DurationAPIMs, NumTurns   number
		TotalCostUSD                          *number
		Result, StopReason, TerminalReason    text
		Errors, PermissionDenials, ModelUsage jsontext.Value
		StructuredOutput, Usage               jsontext.Value
	}
	if err := decode(e.Record.Raw, &in); err != nil {
		return runResult{}, err
	}
	stopped := outcome.Aborted(e.Record)
	v := runResult{line: line{Icon: "stop", Text: "Run ended", Level: atChat, Look: "note"}}
	switch subtype := e.Record.Subtype; {
	case subtype == "success" && bool(in.IsError):
		v.Text = "Run failed"
	case subtype == "success":
		v.Text = "Run finished"
		v.Icon = "done"
	case stopped:
		v.Text, v.Open = "Run interrupted", true
	case subtype != "":
		v.Text += ": " + cmp.Or(outcome.EndReason(e.Record), oneLine(subtype, 60))
	}
	if !stopped && (bool(in.IsError) || e.Record.Subtype != "success" && e.Record.Subtype != "") {
		v.Look, v.Icon, v.Open = "err", "error", true
	}
	if in.NumTurns > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: plural(int(in.NumTurns), "turn", "turns")})
	}
	if in.DurationMs > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: millis(float64(in.DurationMs))})
	}
	if in.TotalCostUSD != nil && *in.TotalCostUSD > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: dollars(float64(*in.TotalCostUSD)), Main: true})
	}
	if in.DurationAPIMs > 0 {
		v.Rows = append(v.Rows, field{Name: "time in requests", Value: millis(float64(in.DurationAPIMs))})
	}
	v.Rows = append(v.Rows, filled(
		field{Name: "stopped because", Value: string(in.StopReason)},
		field{Name: "ended because", Value: string(in.TerminalReason)},
		field{Name: "tokens", Value: usageWords(in.Usage)},
	)...)
	for model, u := range transcript.Members(in.ModelUsage) {
		v.Rows = append(v.Rows, field{Name: oneLine(model, 60), Value: modelUsage(u)})
	}
	for d := range transcript.Elements(in.PermissionDenials) {
		v.Rows = append(v.Rows, field{Name: "denied",
			Value: strings.Join(words.NonEmpty(transcript.TextOf(transcript.Field(d, "tool_name")),
				transcript.TextOf(transcript.Field(d, "tool_input"))), " ")})
	}
	for _, s := range texts(in.Errors) {
		v.Errors = append(v.Errors, e.d.terminal(s))
	}
	if in.StructuredOutput != nil && transcript.Kind(in.StructuredOutput) != 'n' {
		v.Rows = append(v.Rows, e.d.field("structured output", transcript.Pretty(in.StructuredOutput)))
	}
	v.Answer = e.d.answerText(string(in.Result), e.Anchor)
	return v, nil
}

// A tokenCount is the usage of a query or a model.
type tokenCount struct{ InputTokens, OutputTokens, CacheReadInputTokens, CacheCreationInputTokens number }

func (c tokenCount) words() string {
	in := c.InputTokens + c.CacheReadInputTokens + c.CacheCreationInputTokens
	return short(int64(in)) + " in" + dot + short(int64(c.OutputTokens)) + " out"
}

// usageWords returns the tokens of a query, "" if unknown.
func usageWords(u jsontext.Value) string {
	var in tokenCount
	if decode(u, &in) != nil || in == (tokenCount{}) {
		return ""
	}
	return in.words()
}

func modelUsage(u jsontext.Value) string {
	var in struct {
		tokenCount
		CostUSD *number
	}
	if decode(u, &in) != nil {
		return oneLine(string(u), 100)
	}
	s := in.words()
	if in.CostUSD != nil {
		s += dot + dollars(float64(*in.CostUSD))
	}
	return s
}
