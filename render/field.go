package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/render/page"
)

// A field is a name and a value of an object that is listed.
type field struct {
	Name     string
	Value    string
	Long     bool      // is in a separate block
	FullText *fullText // if Value is only the beginning
}

// Folded returns a long value as a block: its beginning, and the rest folded.
func (f field) Folded() fieldBlock {
	b := fieldBlock{Head: f.Value}
	if n := markup.Lines(f.Value); n > screenful+slack {
		b.Head, b.Rest = markup.CutText(f.Value, screenful)
		b.All = "all " + count(n) + " lines"
	} else if len(f.Value) > wideValue {
		b.Head = cutBytes(f.Value, wideValue/2)
		b.Rest, b.All = f.Value[len(b.Head):], "all of it"
	}
	if f.FullText != nil {
		b.All = "more"
	}
	return b
}

// wideValue is the number of bytes that fill a screen, even in few lines.
const wideValue = 4 << 10

type fieldBlock struct{ Head, Rest, All string }

// emptyText stands for a text without characters, which differs from no text.
const emptyText = `""`

// Limits of a list of members: their number, and the length of their names in bytes. All others become one value.
const (
	maxFields = 200
	longName  = 200
)

// fields lists the members of an object; nested values as JSON.
func (p *pageState) fields(v jsontext.Value) []field {
	var all []field
	var rest []byte
	others := 0
	for quoted, value := range transcript.QuotedMembers(v) {
		if transcript.Kind(value) == 'n' {
			continue
		}
		if len(all) == maxFields || len(quoted) > longName {
			if rest == nil && len(v) > 1<<20 { // at once, as growing would take several times as much
				rest = make([]byte, 0, len(v))
			}
			rest = appendMember(rest, quoted, value)
			others++
			continue
		}
		all = append(all, p.field(transcript.String(quoted), cmp.Or(valueText(value), emptyText)))
	}
	if others > 0 {
		all = append(all, p.field("and "+count(others)+" more", transcript.Pretty(rest)))
	}
	return all
}

// valueText returns a value as text: objects and arrays as indented JSON.
func valueText(v jsontext.Value) string {
	if k := transcript.Kind(v); k == '{' || k == '[' {
		return transcript.Pretty(v)
	}
	return transcript.TextOf(v)
}

// filled returns the fields that have a value.
func filled(all ...field) []field {
	return slices.DeleteFunc(all, func(f field) bool { return f.Value == "" })
}

// field lists a value, or its beginning if it is too long for the page.
func (p *pageState) field(name, value string) field {
	f := field{Name: name, Long: len(value) > 80 || strings.Contains(value, "\n")}
	f.FullText = p.fitText(value, func(part string) int {
		f.Value = part
		return page.EscapedLen(part)
	})
	return f
}

// said lists a text, in a block only if it has several lines.
func (p *pageState) said(name, words string) field {
	f := p.field(name, words)
	f.Long = f.FullText != nil || strings.Contains(words, "\n")
	return f
}
