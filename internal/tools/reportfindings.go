package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "ReportFindings", Icon: "warn", Label: "Findings",
	Template: "reportfindings", Detail: Findings{}, Describe: describeReportFindings,
})

// Findings are the remarks of a review.
type Findings []Finding

// A Finding is one remark of a review.
type Finding struct {
	Place                                string // "tide.go:12"
	Category, Verdict, Summary, Scenario string
	Rest                                 jsontext.Value // an object: other members
}

func describeReportFindings(c *Call) error {
	var in struct {
		Findings []struct {
			File, Category, Verdict, Summary, FailureScenario fields.Text
			Line                                              fields.Number
			fields.Extra
		}
		Level fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Target, c.Rest = true, words.Plural(len(in.Findings), "finding", "findings"), in.Rest
	c.fact(words.Line(string(in.Level), 40))
	var all Findings
	var list []Field
	for _, f := range in.Findings {
		place := c.Short(string(f.File))
		if f.Line > 0 {
			place += ":" + words.Count(int(f.Line))
		}
		all = append(all, Finding{
			place, words.Line(string(f.Category), 60), words.Line(string(f.Verdict), 60),
			string(f.Summary), string(f.FailureScenario), f.Rest,
		})
		list = append(list, Field{Name: place, Value: strings.Join(words.NonEmpty(
			string(f.Category), string(f.Verdict), string(f.Summary), string(f.FailureScenario)), "\n")})
	}
	c.given(Section{Shape: Fields, Drawn: true, List: list})
	c.Detail = all
	return nil
}
