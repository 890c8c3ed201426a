package render

import (
	"html/template"

	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
)

// requestNotes draws facts about the request in the record of a message: changes by the API, questions to a classifier.
func (d *drawer) requestNotes(m *normalize.Message) template.HTML {
	r := m.Record
	if m.Part > 0 || r.Transformations == nil && r.Classifier == nil || r.Message == nil {
		return ""
	}
	var all []template.HTML
	add := func(text string, rows []field) {
		all = append(all, d.line(lineView{quiet("gear", text), "", page.Execute("partial/fields", rows)}))
	}
	if r.Transformations != nil {
		n := 0
		for range transcript.Elements(r.Transformations) {
			n++
		}
		text := "The API changed what it was sent"
		if n > 0 {
			text = also(text, plural(n, "change", "changes"))
		}
		add(text, []field{d.field("changes", valueText(r.Transformations))})
	}
	if r.Classifier != nil {
		add("The server was asked about a call", []field{d.field("request", valueText(r.Classifier))})
	}
	return join(all...)
}
