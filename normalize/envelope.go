package normalize

import "strings"

// A Tag is one element of the markup that the program puts around its own text in user messages: <name
// attr="value">body</name>.
type Tag struct {
	Name  string
	Attrs string // unparsed: name="value" ...
	Body  string
	From  string // who sent it, for a message of another agent or session; "" if unknown
}

// skillTag comes after the name of a skill that nobody typed: the model or the settings of an agent loaded it.
const skillTag = "skill-format"

// launchTag comes after the output of a skill that works as an agent in the background. It has the id of that agent.
const launchTag = "forked-skill-launch"

// envelopes has the kinds of user texts that start with a tag. Other tags belong to the text: people type markup, too.
var envelopes = map[string]Kind{
	"command-name":            Command,
	"command-message":         Command,
	"command-args":            Command,
	"command-contents":        Command,
	skillTag:                  Command,
	"local-command-stdout":    Output,
	"local-command-stderr":    Output,
	launchTag:                 Output,
	"local-command-caveat":    Injected,
	"bash-input":              Shell,
	"bash-stdout":             Output,
	"bash-stderr":             Output,
	"task-notification":       Notification,
	"teammate-message":        Teammate,
	"system-reminder":         Injected,
	"ide_opened_file":         Injected,
	"ide_selection":           Injected,
	"ide_diagnostics":         Injected,
	"post-tool-use-hook":      Injected,
	"new-diagnostics":         Injected,
	"user-prompt-submit-hook": Injected,
	agentTag:                  Teammate,
	peerTag:                   Teammate,
	"channel":                 Injected,
	"fork-boilerplate":        Injected,
	"user-memory-input":       Injected,
	"mcp-resource":            Injected,
	"uploaded_files":          Injected,
	"ci-monitor-event":        Injected,

	"observed_from_primary_session": Injected,
}

// contextTags are the tags before a text that the user wrote.
var contextTags = map[string]bool{
	"ide_opened_file": true, "ide_selection": true, "ide_diagnostics": true, "post-tool-use-hook": true,
	"new-diagnostics": true, "system-reminder": true, "mcp-resource": true,
	"uploaded_files": true, "ci-monitor-event": true, "observed_from_primary_session": true,
}

// openEnvelope cuts the known tags from the start of a text. Only the start counts, because users may quote tags.
func openEnvelope(text string) (tags []Tag, rest string) {
	rest = text
	for {
		tag, after, ok := cutTag(strings.TrimLeft(rest, " \t\r\n"))
		if !ok || len(tags) == maxTags {
			return tags, rest
		}
		tags = append(tags, tag)
		rest = after
	}
}

// maxTags limits the tags of an envelope; the rest is text. Real ones have a few.
const maxTags = 1000

// cutTag cuts one known tag from the start of s. The body ends at the last closing tag before the next opening tag of
// the same name, because arguments and outputs may contain markup.
func cutTag(s string) (Tag, string, bool) {
	if len(s) < 2 || s[0] != '<' {
		return Tag{}, s, false
	}
	n := 1
	for n < len(s) && (s[n] == '-' || s[n] == '_' || 'a' <= s[n] && s[n] <= 'z') {
		n++
	}
	name := s[1:n]
	if _, ok := envelopes[name]; !ok || n == len(s) {
		return Tag{}, s, false
	}
	end := strings.IndexByte(s[n:], '>')
	if end < 0 || s[n] != '>' && s[n] != ' ' {
		return Tag{}, s, false
	}
	attrs := s[n : n+end]
	body := s[n+end+1:]
	closing := "</" + name + ">"
	limit := len(body)
	if next := strings.Index(body, "<"+name); next >= 0 {
		limit = next
	}
	at := strings.LastIndex(body[:limit], closing)
	if at < 0 {
		at = strings.Index(body, closing)
	}
	if at < 0 {
		return Tag{}, s, false
	}
	return Tag{Name: name, Attrs: attrs, Body: body[:at]}, body[at+len(closing):], true
}

// Attr returns the last value that the tag gives an attribute.
func (t Tag) Attr(name string) (value string) {
	for rest := t.Attrs; ; {
		key, after, ok := strings.Cut(strings.TrimLeft(rest, " \t\n"), `="`)
		if !ok {
			return value
		}
		text, more, ok := strings.Cut(after, `"`)
		if !ok {
			return value
		}
		if key == name {
			value = text
		}
		rest = more
	}
}

// tagBody returns the body of the first tag of a name.
func tagBody(tags []Tag, name string) string {
	for _, t := range tags {
		if t.Name == name {
			return t.Body
		}
	}
	return ""
}

// Element returns the trimmed body of <name>body</name> inside the body of a tag, such as a part of a notification.
func (t Tag) Element(name string) string {
	_, after, ok := strings.Cut(t.Body, "<"+name+">")
	if !ok {
		return ""
	}
	body, _, ok := strings.Cut(after, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(body)
}
