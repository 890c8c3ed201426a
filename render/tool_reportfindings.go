package render

var _ = register(tools, "ReportFindings", "reportfindings", viewReportFindings)

type reportFindings struct {
	row
	Findings []finding
}

// A finding is one remark of a review.
type finding struct {
	Place, Category, Verdict, Summary, Scenario string
	More                                        []field
}

func viewReportFindings(c call) (reportFindings, error) {
	var in struct {
		Findings []struct {
			File, Category, Verdict, Summary, FailureScenario text
			Line                                              number
			extra
		}
		Level text
		extra
	}
	if err := c.input(&in); err != nil {
		return reportFindings{}, err
	}
	v := reportFindings{row: row{Icon: "warn", Label: "Findings", Prose: true, Target: plural(len(in.Findings), "finding", "findings"), More: c.d.fields(in.Rest)}}
	if in.Level != "" {
		v.Facts = facts(oneLine(string(in.Level), 40))
	}
	for _, f := range in.Findings {
		place := c.d.path(string(f.File))
		if f.Line > 0 {
			place += ":" + count(int(f.Line))
		}
		v.Findings = append(v.Findings, finding{place, oneLine(string(f.Category), 60), oneLine(string(f.Verdict), 60), string(f.Summary), string(f.FailureScenario), c.d.fields(f.Rest)})
	}
	return v, nil
}
