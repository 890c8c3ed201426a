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
	}
	of := make(map[*byte]int) // number of records of each value of the log
	for _, r := range records {
		of[valueOf(r)]++
	}
	var all []byte
	written := 0
	for _, r := range records {
		switch value := valueOf(r); {
		case value == nil || of[value] == 1:
			all = appendParts(all, r, parts[r])
		case of[value] > 1:
			all = append(all, r.Raw...)
			of[value] = 0
		default: // it is written
			continue
		}
		all = append(all, '\n')
		written++
	}
	return page.Execute("partial/overflow", overflowView{p.root + p.media.add(slices.Clip(all), ".txt"),
		plural(written, "more record", "more records"), size(len(all))})
}

// valueOf identifies the value of the log that a record was translated from, nil if it is not all of the record. One
// line can become thousands of records.
func valueOf(r *transcript.Record) *byte {
	if len(r.Raw) == 0 || r.TextApart {
		return nil
	}
	return &r.Raw[0]
}

// appendParts writes some parts of a record: their blocks, with the rest of the record next to the first one. If these
// are all parts, or the log does not have them in a list, it writes the record of the log.
func appendParts(b []byte, r *transcript.Record, parts []*normalize.Message) []byte {
	if !isSplit(r, parts) {
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

// isSplit reports whether parts are only some elements of a list of the record. Blocks of other logs than those of
// Claude Code may have no value of their own.
func isSplit(r *transcript.Record, parts []*normalize.Message) bool {
	if r.Message == nil || len(parts) >= len(r.Message.Content) {
		return false
	}
	for _, m := range parts {
		if m.Block == nil || len(m.Block.Raw) >= len(r.Raw) {
			return false
		}
	}
	return transcript.Kind(transcript.Field(transcript.Field(r.Raw, "message"), "content")) == '['
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
