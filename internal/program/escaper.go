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

// escapeText escapes like html/template in texts, titles and quoted attributes.
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

// contexts are contexts of addresses in HTML. A text of letters, digits and the characters of kept, after the scheme,
// is only escaped like any attribute there. A percent sign must begin an escape. Any other text is escaped by
// html/template itself.
var contexts = []struct{ before, after, scheme, kept string }{
	{`<a href="`, `"></a>`, "https://", "/_.-#=+%"},
	{`<a href="/`, `"></a>`, "", "/_.-#=+%"},
	{`<a href="#`, `"></a>`, "", "_.-"},
}

// escapersOf returns the escapers that programs know, by the chain of names that html/template adds to a value.
func escapersOf() map[string]escaper {
	known := map[string]escaper{
		"_html_template_htmlescaper":   escapeText,
		"_html_template_attrescaper":   escapeText,
		"_html_template_rcdataescaper": escapeText,
	}
	for _, c := range contexts {
		t := template.Must(template.New("").Parse(c.before + "{{.}}" + c.after))
		if err := t.Execute(io.Discard, ""); err != nil {
			continue // then no template uses it
		}
		for _, n := range t.Tree.Root.Nodes {
			if action, ok := n.(*parse.ActionNode); ok && len(action.Pipe.Cmds) > 1 {
				known[chainOf(action.Pipe)] = inContext(t, c.before, c.after, c.scheme, c.kept)
			}
		}
	}
	return known
}

// inContext returns the escaper for a context.
func inContext(t *template.Template, before, after, scheme, kept string) escaper {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var isKept [256]bool
	for _, c := range []byte(letters + kept) {
		isKept[c] = true
	}
	return func(out []byte, s string) []byte {
		path := strings.TrimPrefix(s, scheme)
		for i := range len(path) {
			if c := path[i]; !isKept[c] || c == '%' && !isEscape(path[i:]) {
				var b bytes.Buffer
				if err := t.Execute(&b, s); err != nil {
					panic("program: " + err.Error())
				}
				return append(out, b.Bytes()[len(before):b.Len()-len(after)]...)
			}
		}
		return escapeText(out, s)
	}
}

// isEscape reports whether a text begins with a percent sign and two hexadecimal digits.
func isEscape(s string) bool {
	return len(s) > 2 && strings.Trim(s[1:3], "0123456789abcdefABCDEF") == ""
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
