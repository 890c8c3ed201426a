package normalize

import "strings"

// plainTitle is a title without what programs put before it: tags, a caveat about
// local commands, the fence around a whole prompt. It is "" when nothing else is there.
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

// cutLeadingTag takes a tag from the start of a title: all of the element when
// something follows it, else the tag around its text.
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
		return title // no tag: "<3 this", "<T>"
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
