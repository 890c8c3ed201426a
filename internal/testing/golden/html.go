package golden

import (
	"path"
	"strings"

	"golang.org/x/net/html"
)

// canonical returns the form in which sections are compared and shown: HTML with one tag or text on each line, and
// everything else unchanged.
func canonical(name, text string) string {
	if path.Ext(name) != ".html" {
		return text
	}
	return normalizeHTML(text)
}

// normalizeHTML puts each tag and each text on a line of its own. White space with a newline is indentation and is
// removed between tags. Other white space becomes one space, because it is visible between words. Inside tags and <pre>
// nothing changes, because white space is content there.
func normalizeHTML(text string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	pre := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			// The tokenizer reads from memory, so its only error is the end of the text.
			return out.String()
		}
		raw := string(z.Raw())
		switch kind {
		case html.TextToken:
			if pre == 0 {
				raw = collapse(raw)
			}
		case html.StartTagToken, html.EndTagToken:
			tag, _ := z.TagName()
			if name := string(tag); name == "pre" || name == "textarea" {
				if kind == html.StartTagToken {
					pre++
				} else if pre > 0 {
					pre--
				}
			}
		}
		if raw != "" {
			out.WriteString(raw)
			out.WriteByte('\n')
		}
	}
}

// collapse keeps a space at either end of a text only if there is no newline. "<b>a</b> and" looks different from
// "<b>a</b>and", but templates may break lines anywhere.
func collapse(text string) string {
	words := strings.Join(strings.Fields(text), " ")
	head := text[:len(text)-len(strings.TrimLeft(text, " \t\r\n\f"))]
	tail := text[len(strings.TrimRight(text, " \t\r\n\f")):]
	if words == "" {
		if text == "" || strings.Contains(text, "\n") {
			return ""
		}
		return " "
	}
	if head != "" && !strings.Contains(head, "\n") {
		words = " " + words
	}
	if tail != "" && !strings.Contains(tail, "\n") {
		words += " "
	}
	return words
}
