package render

import (
	"html/template"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// unparsed is what a model wrote as the input of a call when that was no JSON, as the
// program notes it since 2.1.209.
func unparsed(input jsontext.Value) (raw jsontext.Value, ok bool) {
	for name, value := range transcript.Members(input) {
		if name != "__unparsedToolInput" {
			return nil, false
		}
		raw, ok = value, true
	}
	return raw, ok
}

// drawUnparsed draws such a call: what was written, as it stands, whatever tool was meant.
func drawUnparsed(c call, noted jsontext.Value) (row, template.HTML) {
	var in struct {
		Raw text
		Len number
		extra
	}
	if decode(noted, &in) != nil {
		in.Raw = text(transcript.TextOf(noted))
	}
	v := anyTool{row: row{Icon: "gear", Target: "input that is no JSON", Prose: true, More: c.d.fields(in.Rest)}}
	f := c.d.field("input", string(in.Raw))
	f.Long = true
	v.Input = []field{f}
	if n := int(in.Len); n > len(in.Raw) {
		v.Facts = facts(count(n) + " characters, cut by the log")
	}
	if !c.failed() {
		v.Output = c.d.anyText(c.text())
	}
	return v.row, execute("partial/anytool", v)
}
