package render

import (
	"strings"
	"unicode/utf8"

	"viewer/internal/outcome"
	"viewer/normalize"
)

// A reply is a prompt of at most so many characters and words: "yes", "do it", "2". The outline shows what it answers.
const (
	replyLength = 24
	replyWords  = 4
)

func isReply(t *normalize.Turn) bool {
	if len(t.Prompt) != 1 || t.Prompt[0].Kind != normalize.Prompt {
		return false
	}
	text := strings.TrimSpace(t.Prompt[0].Text)
	return text != "" && utf8.RuneCountInString(text) <= replyLength && len(strings.Fields(text)) <= replyWords
}

// noteReplies finds what replies answer: the end of the previous answer.
func (s *sessionData) noteReplies(c *normalize.Conversation) {
	for i, t := range c.Turns {
		if i == 0 || !t.Asked() || !isReply(t) {
			continue
		}
		answer := outcome.Answer(c.Turns[i-1])
		for n := len(answer) - 1; n >= 0; n-- {
			if m := answer[n]; m.Kind == normalize.Text {
				if text := outcome.Question(m.Text); text != "" {
					s.replies[t] = text
				}
				break
			}
		}
	}
}
