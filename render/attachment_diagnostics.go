package render

import (
	"cmp"
	"strings"

	"viewer/internal/words"
)

var _ = register(attachments, "diagnostics", "diagnostics", viewDiagnostics)

type diagnostics struct {
	line
	Files []diagnosed
}

// diagnosed is one file with its diagnostics.
type diagnosed struct {
	Name string
	Rows []diagnostic
}

type diagnostic struct{ Severity, Look, Place, Text, Source string }

func viewDiagnostics(e event) (diagnostics, error) {
	var in struct {
		Files []struct {
			URI         text
			Diagnostics []struct {
				Message, Severity, Source, Code text
				Range                           struct {
					Start *struct{ Line, Character number }
				}
			}
		}
	}
	if err := e.decode(&in); err != nil {
		return diagnostics{}, err
	}
	v := diagnostics{line: line{Icon: "warn", Text: "Diagnostics", Level: atEverything, Look: "note"}}
	counts := make(map[string]int)
	for _, f := range in.Files {
		file := diagnosed{Name: e.d.path(strings.TrimPrefix(string(f.URI), "file://"))}
		for _, g := range f.Diagnostics {
			row := diagnostic{
				Severity: strings.ToLower(oneLine(string(g.Severity), 20)), Text: string(g.Message),
				Source: strings.Join(words.NonEmpty(oneLine(string(g.Source), 40), oneLine(string(g.Code), 40)), " "),
			}
			row.Text = cmp.Or(row.Text, "without a message")
			if at := g.Range.Start; at != nil { // counted from 0
				row.Place = count(int(at.Line)+1) + ":" + count(int(at.Character)+1)
			}
			switch row.Severity {
			case "":
				row.Severity = "remark"
			case "error":
				row.Look = "bad"
			case "warning":
				row.Look = "warn"
			}
			counts[row.Severity]++
			file.Rows = append(file.Rows, row)
		}
		v.Files = append(v.Files, file)
	}
	var parts []string
	for _, s := range []struct{ key, one, many string }{{"error", "error", "errors"},
		{"warning", "warning", "warnings"}, {"info", "remark", "remarks"}, {"hint", "hint", "hints"}} {
		if n := counts[s.key]; n > 0 {
			parts = append(parts, plural(n, s.one, s.many))
		}
	}
	if len(parts) > 0 {
		v.Text += dot + strings.Join(parts, ", ")
	}
	if n := len(in.Files); n > 0 {
		v.Text += " in " + plural(n, "file", "files")
	}
	return v, nil
}
