package prose

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
)

// A Typed text was typed by somebody. It is shown unchanged, but blocks between fences of Markdown are drawn as code.
type Typed struct {
	text  string
	parts []part
}

// A part is a range of the text, up to where the next begins.
type part struct {
	from int
	look string // code, code wrap, fence, or "" for words
	lang string
}

// NewTyped finds the fences. An unclosed one is ignored.
func NewTyped(text string) Typed {
	t := Typed{text: text, parts: []part{{}}}
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return t
	}
	if from, to, ok := insideFence(text); ok {
		t.parts = []part{{look: "fence"}, {from: from}}
		t.find(from, to)
		t.parts = append(t.parts, part{from: to, look: "fence"})
		return t
	}
	t.find(0, len(text))
	return t
}

// find adds the blocks between fences in a range of the text.
func (t *Typed) find(from, to int) {
	mark, lang := "", ""
	open, code, at := 0, 0, from
	for line := range strings.Lines(t.text[from:to]) {
		found, info := fence(line)
		switch {
		case mark == "" && found != "" && !strings.Contains(info, "`"):
			lang, _, _ = strings.Cut(info, " ")
			mark, open, code = found, at, at+len(line)
		case mark != "" && strings.HasPrefix(found, mark) && info == "":
			look := "code"
			if wordy[strings.ToLower(lang)] {
				look = "code wrap"
			}
			t.parts = append(t.parts, part{open, "fence", ""}, part{code, look, lang},
				part{at, "fence", ""}, part{from: at + len(line)})
			mark = ""
		}
		at += len(line)
	}
}

// wordy are the languages of fences with prose, whose lines are as long as paragraphs.
var wordy = map[string]bool{"markdown": true, "md": true, "mdx": true, "text": true, "txt": true, "plaintext": true}

// fence returns the mark of a line that is a fence, and the text after it.
func fence(line string) (mark, info string) {
	line = strings.TrimSpace(line)
	mark = fenceMark(line)
	return mark, strings.TrimSpace(line[len(mark):])
}

// insideFence returns the range of the words of a text that is completely inside a fence for prose, as people wrap
// copied text. Fences inside it belong to blocks if each opening one names a language; otherwise the first bare one
// would end it.
func insideFence(text string) (from, to int, ok bool) {
	trimmed := strings.TrimSpace(text)
	start := strings.Index(text, trimmed)
	head, _, _ := strings.Cut(trimmed, "\n")
	mark, lang := fence(head)
	last := strings.LastIndexByte(trimmed, '\n')
	if closing, info := fence(trimmed[last+1:]); mark == "" || last < len(head) || !wordy[strings.ToLower(lang)] ||
		closing != mark || info != "" {
		return 0, 0, false
	}
	from, to = start+len(head)+1, start+last+1
	open := ""
	for line := range strings.Lines(text[from:max(from, to)]) {
		switch found, info := fence(line); {
		case found == "":
		case open == "" && info == "" && strings.HasPrefix(found, mark):
			return 0, 0, false
		case open == "":
			open = found
		case info == "" && strings.HasPrefix(found, open):
			open = ""
		}
	}
	return from, max(from, to), open == ""
}

// HTML draws a range of the text.
func (t Typed) HTML(from, to int) template.HTML {
	var b strings.Builder
	for i, p := range t.parts {
		end := len(t.text)
		if i+1 < len(t.parts) {
			end = t.parts[i+1].from
		}
		start, end := max(p.from, from), min(end, to)
		if start >= end {
			continue
		}
		switch s := t.text[start:end]; p.look {
		case "code", "code wrap":
			b.WriteString(`<code class="` + p.look + `">` + string(markup.Code(s, p.lang)) + "</code>")
		case "fence":
			b.WriteString(`<span class="fence">` + string(markup.Text(s)) + "</span>")
		default:
			b.WriteString(string(markup.Text(s)))
		}
	}
	return template.HTML(b.String())
}
