package cline

import (
	"strings"

	"viewer/internal/transcript"
)

// A userMessage is a message in the role of the user while it is read.
type userMessage struct {
	*translator
	typed, added []transcript.Block // by the human, by the program
	of           string             // the call that the blocks are the result of, "" for none
	result       []transcript.Block // so far
}

// user translates a message in the role of the user: results, text typed in tags, and text of the program.
func (t *translator) user(blocks []transcript.Block) {
	u := userMessage{translator: t}
	for _, b := range blocks {
		switch {
		case b.Type == "tool_result":
			u.end()
			t.operations(&b)
			u.said(t.resultOf(b.ToolUseID, b.IsError, b.Content))
		case b.Type == "text":
			u.text(b, strings.TrimSpace(b.Text))
		case u.of != "": // a screenshot, or a picture with a reply
			u.result = append(u.result, b)
		default:
			u.typed = append(u.typed, b)
		}
	}
	u.end()
	if len(u.typed) > 0 {
		t.User(transcript.PromptText, u.typed...)
	}
	if len(u.added) > 0 {
		t.User(transcript.InjectedText, u.added...)
	}
}

// said adds what the human said, and what the program put around it.
func (u *userMessage) said(reply, around []transcript.Block) {
	u.typed, u.added = append(u.typed, reply...), append(u.added, around...)
}

// end ends the result of a call written in a text.
func (u *userMessage) end() {
	if u.of != "" {
		u.said(u.resultOf(u.of, false, u.result))
	}
	u.of, u.result = "", nil
}

// text reads a text, given also without white space around it.
func (u *userMessage) text(b transcript.Block, text string) {
	name, inside, behind, ok := element(text)
	input, entered := typedIn(text)
	at, isResult := u.openCall(text)
	switch {
	case entered:
		u.end()
		u.typed = append(u.typed, transcript.Block{Type: "text", Raw: b.Raw, Text: input})
	case isResult:
		u.end()
		u.of, u.open = u.open[at].id, u.open[at+1:]
		_, rest, _ := strings.Cut(text, "] Result:")
		if rest = strings.TrimSpace(rest); rest != "" {
			u.result = append(u.result, transcript.Block{Type: "text", Raw: b.Raw, Text: rest})
		}
	case isReminder(text):
		u.end()
		u.said(replies([]transcript.Block{b}))
	case ok && name == "environment_details":
		u.end()
		u.added = append(u.added, b)
	case ok && (name == "task" || name == "feedback" || name == "user_message" || name == "answer") &&
		strings.TrimSpace(behind) == "":
		u.end()
		u.typed = append(u.typed, transcript.Block{Type: "text", Raw: b.Raw, Text: strings.TrimSpace(inside)})
	case u.of != "":
		u.result = append(u.result, b)
	case text != "":
		if _, reply, _ := reply(text); reply == "" {
			u.typed = append(u.typed, b)
		} else {
			u.said(replies([]transcript.Block{b}))
		}
	}
}
