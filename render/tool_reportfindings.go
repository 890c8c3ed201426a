package render

import "viewer/internal/tools"

var _ = register(toolTemplates, "reportfindings", "reportfindings", viewReportFindings)

type reportFindings struct{ Findings []finding }

// A finding is one remark of a review.
type finding struct {
	Place, Category, Verdict, Summary, Scenario string
	More                                        []field
}

func viewReportFindings(c call) (reportFindings, error) {
	var v reportFindings
	all, err := detail[tools.Findings](c)
	if err != nil {
		return reportFindings{}, err
	}
	for _, f := range all {
		v.Findings = append(v.Findings, finding{
			f.Place, f.Category, f.Verdict, f.Summary, f.Scenario, c.d.fields(f.Rest),
		})
	}
	return v, nil
}
