package normalize

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// peers are the origins of messages that other sessions sent, and what stands for a
// sender without a name.
var peers = map[string]string{"peer": "another session", "coordinator": "coordinator"}

// peerTag is what such a message is in since 2.1.224.
const peerTag = "cross-session-message"

// peerHeads are what the program puts before a message of another session.
var peerHeads = []string{
	"Another Claude session sent a message:", "The coordinator sent a message while you were working:",
}

// peerMessage makes a message of the text that another session sent, and reports
// whether it was one. The origin tells sender and body; the text, which the model
// was sent, has the words of the program around them. What of it is not the body
// stays as Text.
func peerMessage(m *Message, kind string, origin jsontext.Value) bool {
	unnamed, ok := peers[kind]
	text, head := cutHead(m.Text)
	if !ok && !(head && kind == "") || strings.TrimSpace(m.Text) == "" {
		return false
	}
	t := Tag{Name: peerTag, Body: text}
	rest := ""
	if at := strings.Index(text, "<"+peerTag); at >= 0 {
		if inner, after, ok := cutTag(text[at:]); ok {
			t, rest = inner, strings.TrimSpace(text[:at]+after)
			t.From = sender(t)
		}
	}
	if name := transcript.String(transcript.Field(origin, "name")); strings.TrimSpace(name) != "" {
		t.From = name
	}
	if t.From == "" {
		t.From = unnamed
	}
	if body := transcript.String(transcript.Field(origin, "body")); strings.TrimSpace(body) != "" && body != t.Body {
		if strings.TrimSpace(body) != strings.TrimSpace(t.Body) {
			rest = beyond(text, t.Body, body, rest)
		}
		t.Body = body
	}
	m.Kind, m.Name, m.Tags, m.Text = Teammate, peerTag, []Tag{t}, rest
	return true
}

// beyond is what of a text the body that the origin tells does not say.
func beyond(text, inner, body, rest string) string {
	body = strings.TrimSpace(body)
	before, after, ok := strings.Cut(inner, body)
	if !ok {
		return text
	}
	return strings.TrimSpace(before + after + "\n" + rest)
}

// cutHead takes the words of the program from the start of a text.
func cutHead(text string) (string, bool) {
	for _, head := range peerHeads {
		if after, ok := strings.CutPrefix(text, head); ok {
			return strings.TrimLeft(after, " \t\r\n"), true
		}
	}
	return text, false
}

// sender is who sent what is in a tag, "" when it does not say.
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

// isSocket reports whether an address is that of a socket or a pipe, which is no name.
func isSocket(address string) bool {
	return strings.HasPrefix(address, "uds:") || strings.HasPrefix(address, "/") || strings.HasPrefix(address, `\\`) ||
		strings.HasSuffix(address, ".sock")
}
