package normalize

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// peers has the origins of messages from other sessions, with the words for a sender without a name.
var peers = map[string]string{"peer": "another session", "coordinator": "coordinator"}

// peerTag is the tag around such a message since 2.1.224, agentTag around the message of an agent.
const (
	peerTag  = "cross-session-message"
	agentTag = "agent-message"
)

// peerHeads are the texts that the program puts before a message of another session.
var peerHeads = []string{
	"Another Claude session sent a message:", "The coordinator sent a message while you were working:",
}

// peerMessage changes a message that another session sent, and reports whether it was one. The origin has sender and
// body; the text, which the model was sent, has text of the program around them. Text that is not part of the body
// stays in Text.
func peerMessage(m *Message, kind string, origin jsontext.Value) bool {
	unnamed, ok := peers[kind]
	text, head := cutHead(m.Text)
	if !ok && !(head && kind == "") || strings.TrimSpace(m.Text) == "" {
		return false
	}
	t := Tag{Name: peerTag, Body: text}
	rest := ""
	if at := tagAt(text); at >= 0 {
		if inner, after, ok := cutTag(text[at:]); ok {
			t, rest = inner, strings.TrimSpace(text[:at]+after)
			t.From = sender(t)
		}
	}
	if name := transcript.String(transcript.Field(origin, "name")); strings.TrimSpace(name) != "" {
		t.From = name
	}
	t.From = cmp.Or(t.From, unnamed)
	if body := transcript.String(transcript.Field(origin, "body")); strings.TrimSpace(body) != "" && body != t.Body {
		if strings.TrimSpace(body) != strings.TrimSpace(t.Body) {
			rest = beyond(text, t.Body, body, rest)
		}
		t.Body = body
	}
	frame := t.unframe()
	m.Kind, m.Name, m.Tags, m.Text = Teammate, peerTag, []Tag{t}, strings.TrimSpace(frame+"\n\n"+rest)
	return true
}

// tagAt returns the place of the tag around a message of another session or an agent, -1 for none.
func tagAt(text string) int {
	if at := strings.Index(text, "<"+peerTag); at >= 0 {
		return at
	}
	return strings.Index(text, "<"+agentTag)
}

// unframe reduces the report that an agent hands back, since 2.1.271, to its text: in the log its lines are indented by
// two blanks, below a paragraph that tells the model what it is. It returns that paragraph, "" for another message.
func (t *Tag) unframe() (frame string) {
	const begin, end = "[Subagent hand-back] ", "The report follows:\n"
	at := strings.Index(t.Body, begin)
	if at < 0 || at > 0 && t.Body[at-1] != '\n' { // notes of the program may come before it
		return ""
	}
	frame, report, ok := strings.Cut(t.Body[at:], end)
	if !ok {
		return ""
	}
	t.Body = t.Body[:at] + strings.TrimPrefix(strings.ReplaceAll("\n"+report, "\n  ", "\n"), "\n")
	return frame + strings.TrimSpace(end)
}

// beyond returns the part of a text that is not in the body of the origin.
func beyond(text, inner, body, rest string) string {
	body = strings.TrimSpace(body)
	before, after, ok := strings.Cut(inner, body)
	if !ok {
		return text
	}
	return strings.TrimSpace(before + after + "\n" + rest)
}

// cutHead cuts the text of the program from the start of a text.
func cutHead(text string) (string, bool) {
	for _, head := range peerHeads {
		if after, ok := strings.CutPrefix(text, head); ok {
			return strings.TrimLeft(after, " \t\r\n"), true
		}
	}
	return text, false
}

// sender returns who sent the content of a tag, "" if unknown.
func sender(t Tag) string {
	for _, name := range []string{"teammate_id", "from-name", "from"} {
		if from := strings.TrimSpace(t.Attr(name)); from != "" && !isSocket(from) {
			return from
		}
	}
	if t.Name == peerTag {
		return peers["peer"]
	}
	return ""
}

// isSocket reports whether an address is that of a socket or a pipe, which is not a name.
func isSocket(address string) bool {
	return strings.HasPrefix(address, "uds:") || strings.HasPrefix(address, "/") || strings.HasPrefix(address, `\\`) ||
		strings.HasSuffix(address, ".sock")
}
