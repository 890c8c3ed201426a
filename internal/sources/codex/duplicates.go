package codex

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// duplicates are texts that are in an event and should be repeated in an item, or the other way round. An event comes
// before the item with the same text, except for prompts. A text that was not repeated by the end of the turn is drawn.
type duplicates struct {
	items    bool   // the file has items; otherwise the events are drawn
	prompted bool   // a prompt was drawn that an event will repeat
	asked    string // the text of that prompt
	texts    []held
	thoughts []held
	raw      []held         // reasoning of open models
	search   jsontext.Value // the query of a search
	shell    string         // the command of the human that a message will repeat
}

// A held text waits for its item. It has its own place.
type held struct {
	text string
	pos  transcript.Pos
}

// maxHeld limits how many texts wait for their items. A request has a few.
const maxHeld = 1000

func hold(to *[]held, text string, pos transcript.Pos) {
	if len(*to) < maxHeld {
		*to = append(*to, held{text, pos})
	}
}

// drop removes the first waiting text equal to text, and reports whether there was one.
func drop(from *[]held, text string) bool {
	text = strings.TrimSpace(text)
	for i, h := range *from {
		if strings.TrimSpace(h.text) == text {
			*from = append((*from)[:i], (*from)[i+1:]...)
			return true
		}
	}
	return false
}

func (w *duplicates) said(_ *translator, text string) { drop(&w.texts, text) }

func (w *duplicates) thought(text string) {
	drop(&w.thoughts, text)
	drop(&w.raw, text)
}

// takeRaw returns the reasoning that only events have, for an item that has none.
func (w *duplicates) takeRaw() (texts []string) {
	for _, h := range w.raw {
		texts = append(texts, h.text)
	}
	w.raw = w.raw[:0]
	return texts
}

// release draws the texts that no item repeated.
func (t *translator) release() {
	pos, w := t.pos, &t.duplicates
	for _, list := range []struct {
		held  *[]held
		block string
	}{{&w.thoughts, "thinking"}, {&w.raw, "thinking"}, {&w.texts, "text"}} {
		for _, h := range *list.held {
			r := t.assistant(transcript.Block{Type: list.block, Raw: t.value, Text: h.text})
			r.Pos = h.pos
		}
		*list.held = (*list.held)[:0]
	}
	t.pos = pos
}
