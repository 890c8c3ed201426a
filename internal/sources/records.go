package sources

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// UserRecord returns a record with the role of the user: a prompt, or text that a program put there.
func UserRecord(is transcript.TextKind, blocks ...transcript.Block) transcript.Record {
	m := &transcript.Message{Role: "user", Content: blocks}
	return transcript.Record{Type: "user", Message: m, Rare: &transcript.Rare{TextIs: is}}
}

// SystemRecord returns a remark of the program. The pairs are the members of its raw JSON that pages show, see Make.
func SystemRecord(subtype, text string, pairs ...any) transcript.Record {
	pairs = append([]any{"type", "system", "subtype", subtype, "content", text}, pairs...)
	r := transcript.Record{Type: "system", Subtype: subtype, Raw: Make(pairs...)}
	if text != "" {
		r.Content = Quote(text)
	}
	return r
}

// About returns words of a remark with what they are about, if that is known: "Plan: created".
func About(words, about string) string {
	if about == "" {
		return words
	}
	return words + ": " + about
}

// TakenBack returns words for the last n prompts or messages, which the human took back.
func TakenBack(n int, what string) string {
	if n == 1 {
		return "The last " + what + " was taken back"
	}
	return "The last " + strconv.Itoa(n) + " " + what + "s were taken back"
}

// SettingsRecord returns settings of a session from here on, as pairs of names and texts. Empty texts are left out.
func SettingsRecord(pairs ...any) transcript.Record {
	var said []string
	for i := 0; i+1 < len(pairs); i += 2 {
		name, value := fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1])
		if value == "" {
			continue
		}
		if name != "model" {
			value = name + " " + value
		}
		said = append(said, value)
	}
	return SystemRecord("settings", strings.Join(said, " · "), pairs...)
}

// HiddenRecord returns a record that is hidden by the named rule. Only the kind of its value is kept.
func HiddenRecord(kind, rule string) transcript.Record {
	return transcript.Record{Type: kind, Raw: Make("type", kind), Rare: &transcript.Rare{Hidden: rule}}
}

// TitleRecord returns a record with a title of the session, written by the model or by somebody else.
func TitleRecord(title string, byModel bool) transcript.Record {
	if byModel {
		return transcript.Record{Type: "ai-title", Raw: Make("type", "ai-title", "aiTitle", title)}
	}
	return transcript.Record{Type: "custom-title", Raw: Make("type", "custom-title", "customTitle", title)}
}

// FailureRecord returns a record of a request that failed.
func FailureRecord(text transcript.Block) transcript.Record {
	m := &transcript.Message{Role: "assistant", Model: "<synthetic>", Content: []transcript.Block{text}}
	return transcript.Record{Type: "assistant", Message: m, IsAPIError: true}
}

// Content returns the blocks of content, which is a text or a list of parts. blocksOf returns the blocks of a part. raw
// is the value around the content, which becomes the raw value of a text. A blank text has no block.
func Content(raw, content jsontext.Value, blocksOf func(part *Object, raw jsontext.Value) []transcript.Block,
) (all []transcript.Block) {
	if transcript.Kind(content) == '"' {
		if s := transcript.String(content); strings.TrimSpace(s) != "" {
			all = append(all, transcript.Block{Type: "text", Raw: raw, Text: s})
		}
		return all
	}
	for e := range transcript.Elements(content) {
		var part Object
		part.Read(e)
		all = append(all, blocksOf(&part, e)...)
	}
	return all
}

// Rare returns the rare fields of a record and allocates them if there are none.
func Rare(r *transcript.Record) *transcript.Rare {
	if r.Rare == nil {
		r.Rare = new(transcript.Rare)
	}
	return r.Rare
}
