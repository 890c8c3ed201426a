package markup

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Link returns target if it is an absolute http, https or mailto URL, otherwise "". It is stricter than a browser,
// which drops blanks and control characters and reads a backslash as a slash: such a target is not a link here. Neither
// is one with a user name, which is usually there to disguise another host.
func Link(target string) string {
	scheme, rest, ok := strings.Cut(target, ":")
	if !ok || !utf8.ValidString(target) {
		return ""
	}
	for _, r := range target {
		if r <= ' ' || r == '\\' || r == '"' || r == '<' || r == '>' || r == '`' || hidden(r) || invisible(r) {
			return ""
		}
	}
	switch strings.ToLower(scheme) {
	case "http", "https":
		if !strings.HasPrefix(rest, "//") {
			return ""
		}
		u, err := url.Parse(target)
		if err != nil || u.Hostname() == "" || u.User != nil {
			return ""
		}
	case "mailto":
		address, _, _ := strings.Cut(rest, "?")
		name, host, ok := strings.Cut(address, "@")
		if !ok || name == "" || host == "" || strings.ContainsAny(address, "/:") {
			return ""
		}
	default:
		return ""
	}
	return target
}

// linkAttributes are the attributes of a link besides its target. Links that a model wrote must not track readers of a
// published transcript.
const linkAttributes = ` rel="noopener noreferrer nofollow"`
