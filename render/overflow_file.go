package render

import (
	"html/template"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
)

type overflowView struct {
	Href, Text, Size string
}

// overflowFile puts the records of messages into a file and links it. If other parts of a record are on other pages,
// only the missing parts are written: otherwise each page would write a record of thousands of calls.
func (p *pageState) overflowFile(messages []*normalize.Message) template.HTML {
	var records []*transcript.Record
	parts := make(map[*transcript.Record][]*normalize.Message)
	known := make(map[*normalize.Message]bool, len(messages))
	total := 0
	for _, m := range messages {
		p.entries[m] = ledgerEntry{kind: tooMuch, generic: true}
		if known[m] {
			continue
		}
		known[m] = true
		if parts[m.Record] == nil {
			records = append(records, m.Record)
		}
		parts[m.Record] = append(parts[m.Record], m)
		total += len(rawOf(m)) + 1
	}
	all := make([]byte, 0, total+total/4)
	for _, r := range records {
		all = append(appendParts(all, r, parts[r]), '\n')
	}
	return page.Execute("partial/overflow", overflowView{p.root + p.media.add(slices.Clip(all), ".txt"),
		plural(len(records), "more record", "more records"), size(len(all))})
}

// appendParts writes some parts of a record: the record of the log if these are all parts, else their blocks, with the
// rest of the record next to the first one.
func appendParts(b []byte, r *transcript.Record, parts []*normalize.Message) []byte {
	if r.Message == nil || len(parts) >= len(r.Message.Content) || parts[0].Block == nil {
		return append(b, wholeValue(r)...)
	}
	first := slices.ContainsFunc(parts, func(m *normalize.Message) bool { return m.Part == 0 })
	var content jsontext.Value
	for _, m := range parts {
		content = append(append(content, ','), m.Block.Raw...)
	}
	content[0] = '['
	content = append(content, ']')
	var record jsontext.Value
	for name, value := range transcript.QuotedMembers(r.Raw) {
		switch transcript.String(name) {
		case "message":
			var message jsontext.Value
			for name, value := range transcript.QuotedMembers(value) {
				if transcript.String(name) == "content" {
					message = appendMember(message, name, content)
				} else if first {
					message = appendMember(message, name, value)
				}
			}
			record = appendMember(record, name, message)
		case "type", "uuid", "timestamp":
			record = appendMember(record, name, value)
		default:
			if first {
				record = appendMember(record, name, value)
			}
		}
	}
	return append(b, record...)
}

// wholeValue returns the value of a record, also if only the blocks of its result have the texts.
func wholeValue(r *transcript.Record) jsontext.Value {
	if !r.TextApart {
		return r.Raw
	}
	result := &r.Message.Content[0]
	texts := []byte{'['}
	for i, b := range result.Content {
		if i > 0 {
			texts = append(texts, ',')
		}
		texts, _ = jsontext.AppendQuote(texts, b.Text) // fails for invalid UTF-8, which it replaces
	}
	id, _ := jsontext.AppendQuote(nil, result.ToolUseID)
	whole := appendMember(slices.Clone(r.Raw), jsontext.Value(`"call_id"`), id)
	return appendMember(whole, jsontext.Value(`"output"`), append(texts, ']'))
}

// flushOverflow writes the records that did not fit on the page so far.
func (p *pageState) flushOverflow() template.HTML {
	if len(p.quota.overflow) == 0 {
		return ""
	}
	kept := slices.Clone(p.quota.overflow)
	p.quota.overflow = nil
	return p.overflowFile(kept)
}
