package codex

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// duplicates are texts that are in an event and should be repeated in an item, or the other way round. An event comes
// before the item with the same text, except for prompts, whose item comes first in most files, and the result of a
// review. A text that was not repeated by the end of the turn is drawn.
type duplicates struct {
	items    bool   // the file has items; otherwise the events are drawn
	prompted bool   // a prompt was drawn that an event will repeat
	asked    string // the text of that prompt
	shown    shownPrompt
	drawn    drawnPrompt
	plan     string // the plan that the model wrote last, in a text or in an event
	answer   string // the text of the last item, if no event before it had that text
	texts    []held
	plans    []held
	thoughts []held
	raw      []held         // reasoning of open models
	search   jsontext.Value // the query of a search
	shell    string         // the command of the human that a message will repeat
}

// A shownPrompt is a prompt that an event of this kind reported.
type shownPrompt struct{ kind, text string }

// repeats reports whether an event of another kind repeats the prompt. Some files have both.
func (s shownPrompt) repeats(kind, text string) bool {
	return s.kind != "" && s.kind != kind && s.text == text
}

// A drawnPrompt is a prompt that was drawn from its event, until the model answers. An item may repeat it.
type drawnPrompt struct {
	text     string
	pictures int
}

// repeats reports whether an item of these blocks, the first text of which is given, adds nothing to the prompt.
func (d drawnPrompt) repeats(text string, blocks []transcript.Block) bool {
	pictures := 0
	for _, b := range blocks {
		if b.Type != "text" {
			pictures++
		}
	}
	return d.text != "" && d.text == strings.TrimSpace(text) && pictures <= d.pictures
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

// drop removes the first waiting text equal to text. It reports whether there was one.
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

// said drops what a text of the model repeats. Events have it without the parts that the program cuts out: a plan,
// which has its own event, and the sources of what the model remembered.
func (w *duplicates) said(_ *translator, text string) {
	plan := ""
	if strings.Contains(text, "<proposed_plan>") {
		text, plan = cutTag(text, "proposed_plan")
		w.plan = strings.TrimSpace(plan)
		drop(&w.plans, plan)
	}
	if strings.Contains(text, "<oai-mem-citation>") {
		text, _ = cutTag(text, "oai-mem-citation")
	}
	w.answer = ""
	if !drop(&w.texts, text) {
		w.answer = strings.TrimSpace(text)
	}
}

// cutTag returns a text without an element, and what is in the element.
func cutTag(text, tag string) (rest, inner string) {
	before, after, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return text, ""
	}
	inner, after, _ = strings.Cut(after, "</"+tag+">")
	return before + after, inner
}

// planned translates a plan of the model, which a text repeats, before or after it.
func (t *translator) planned(text string) {
	w := &t.duplicates
	switch {
	case !w.items:
		t.assistant(transcript.Block{Type: "text", Raw: t.Value, Text: text})
		return
	case w.plan == "" || w.plan != strings.TrimSpace(text):
		hold(&w.plans, text, t.Pos)
	}
	w.plan = ""
	t.Hide("Plan", mirrored)
}

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
	w := &t.duplicates
	for _, list := range []struct {
		held  *[]held
		block string
	}{{&w.thoughts, "thinking"}, {&w.raw, "thinking"}, {&w.texts, "text"}, {&w.plans, "text"}} {
		for _, h := range *list.held {
			r := t.assistant(transcript.Block{Type: list.block, Raw: t.Value, Text: h.text})
			r.Pos = h.pos
		}
		*list.held = (*list.held)[:0]
	}
	w.shown, w.plan, w.answer = shownPrompt{}, "", ""
}
