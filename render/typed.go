package render

import (
	"html/template"
	"strings"

	"viewer/markup"
)

// A typed text is what somebody typed: it is shown as it is, to the character,
// but what stands between fences of Markdown is drawn as code.
type typed struct {
	text  string
	parts []typedPart
}

// A typedPart is a stretch of the text, up to where the next begins.
type typedPart struct {
	from int
	look string // code, fence, or "" for words
	lang string
}

// newTyped finds the fences. One that is not closed is none.
func newTyped(text string) typed {
	t := typed{text: text, parts: []typedPart{{}}}
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return t
	}
	mark, lang := "", ""
	open, code, at := 0, 0, 0
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		found := fenceMark(words)
		switch info := words[len(found):]; {
		case mark == "" && found != "" && !strings.Contains(info, "`"):
			lang, _, _ = strings.Cut(strings.TrimSpace(info), " ")
			mark, open, code = found, at, at+len(line)
		case mark != "" && strings.HasPrefix(found, mark) && info == "":
			t.parts = append(t.parts, typedPart{open, "fence", ""}, typedPart{code, "code", lang}, typedPart{at, "fence", ""}, typedPart{from: at + len(line)})
			mark = ""
		}
		at += len(line)
	}
	return t
}

// html draws the text from one place to another.
func (t typed) html(from, to int) template.HTML {
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
		case "code":
			b.WriteString(`<code class="code">` + string(markup.Code(s, p.lang)) + "</code>")
		case "fence":
			b.WriteString(`<span class="fence">` + string(markup.Text(s)) + "</span>")
		default:
			b.WriteString(string(markup.Text(s)))
		}
	}
	return template.HTML(b.String())
}
