package normalize

import "strings"

// plainTitle returns a title without tags, caveats about local commands and the fence around a whole prompt. It is ""
// if nothing else is there.
func plainTitle(title string) string {
	title = strings.TrimSpace(title)
	for range 20 {
		before := title
		if strings.HasPrefix(title, caveat[:len("Caveat: The messages below were generated")]) { // titles are cut
			_, title, _ = strings.Cut(title, "explicitly asks you to.")
		}
		if strings.HasPrefix(title, "```") || strings.HasPrefix(title, "~~~") {
			_, title, _ = strings.Cut(title, "\n")
		}
		title = strings.TrimSpace(cutLeadingTag(title))
		if title == before {
			return title
		}
	}
	return ""
}

// cutLeadingTag cuts a tag from the start of a title: the whole element if something follows it, otherwise only the tag
// around its text.
func cutLeadingTag(title string) string {
	if len(title) < 3 || title[0] != '<' {
		return title
	}
	n := 1
	if title[n] == '/' {
		n++
	}
	name := n
	for n < len(title) && (title[n] == '-' || title[n] == '_' || title[n] == ':' || 'a' <= title[n] &&
		title[n] <= 'z' || n > name && '0' <= title[n] && title[n] <= '9') {
		n++
	}
	end := strings.IndexByte(title[n:], '>')
	if n == name || end < 0 && n < len(title) && title[n] != ' ' || end >= 0 && title[n] != '>' && title[n] != ' ' &&
		title[n] != '/' {
		return title // not a tag: "<3 this", "<T>"
	}
	if end < 0 { // cut inside of the tag
		return ""
	}
	body := title[n+end+1:]
	if inner, after, ok := strings.Cut(body, "</"+title[name:n]+">"); ok {
		if strings.TrimSpace(after) != "" {
			return after
		}
		return inner
	}
	return body
}
