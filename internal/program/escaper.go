package program

import (
	"bytes"
	"html/template"
	"io"
	"strings"
	"text/template/parse"
)

// An escaper appends a text, escaped for its context.
type escaper func(out []byte, s string) []byte

// raw is for values of type template.HTML, which are not escaped.
func raw(out []byte, s string) []byte { return append(out, s...) }

// escapes has what html/template writes for a byte in a text or a quoted attribute.
var escapes = [256]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;",
}

// escapeText returns html/template's escaper for texts and quoted attributes.
func escapeText(out []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		if e := escapes[s[i]]; e != "" {
			out = append(append(out, s[from:i]...), e...)
			from = i + 1
		}
	}
	return append(out, s[from:]...)
}

// contexts are contexts in HTML, each with the characters that need no escaping there. A text with any other character
// is escaped by html/template itself.
var contexts = []struct{ before, after, unchanged string }{
	{`<a href="`, `"></a>`, "/_.-#"},
	{`<a href="/`, `"></a>`, "/_.-#"},
	{`<a href="#`, `"></a>`, "_.-"},
	{`<title>`, `</title>`, " /_.-#"},
}

// escapersOf returns the escapers that programs know, by the chain of names that html/template adds to a value.
func escapersOf() map[string]escaper {
	known := map[string]escaper{
		"_html_template_htmlescaper": escapeText,
		"_html_template_attrescaper": escapeText,
	}
	for _, c := range contexts {
		t := template.Must(template.New("").Parse(c.before + "{{.}}" + c.after))
		if err := t.Execute(io.Discard, ""); err != nil {
			continue // then no template uses it
		}
		for _, n := range t.Tree.Root.Nodes {
			if action, ok := n.(*parse.ActionNode); ok && len(action.Pipe.Cmds) > 1 {
				known[chainOf(action.Pipe)] = inContext(t, c.before, c.after, c.unchanged)
			}
		}
	}
	return known
}

// inContext lets html/template escape a text, unless it has only letters, digits and characters that need no escaping
// there.
func inContext(t *template.Template, before, after, unchanged string) escaper {
	return func(out []byte, s string) []byte {
		if strings.IndexFunc(s, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
				strings.ContainsRune(unchanged, r))
		}) < 0 {
			return append(out, s...)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, s); err != nil {
			panic("program: " + err.Error())
		}
		return append(out, b.Bytes()[len(before):b.Len()-len(after)]...)
	}
}

// chainOf returns the names of the escapers at the end of a pipe.
func chainOf(pipe *parse.PipeNode) string {
	var names []string
	for _, c := range pipe.Cmds[1:] {
		if len(c.Args) != 1 {
			return "?"
		}
		id, ok := c.Args[0].(*parse.IdentifierNode)
		if !ok {
			return "?"
		}
		names = append(names, id.Ident)
	}
	return strings.Join(names, "|")
}
