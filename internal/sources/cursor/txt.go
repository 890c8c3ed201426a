package cursor

import (
	"bytes"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Text reads the transcripts from before JSONL: a line "user:" or "assistant:" begins a message, and a line in brackets
// begins a thought, a call or a result.
type Text struct{ Source }

var _ sources.Decoder = Text{}

// Wants accepts .txt files in the folder of transcripts.
func (Text) Wants(p string) bool {
	return strings.HasSuffix(p, ".txt") && strings.Contains("/"+p, "/"+folder+"/")
}

// Match accepts files that begin with the line of a speaker.
func (Text) Match(head sources.Head) bool {
	line, _, _ := bytes.Cut(head.Trimmed(), []byte("\n"))
	role := strings.TrimSpace(string(line))
	return role == "user:" || role == "assistant:"
}

// Arrange returns nothing: Source arranges these files.
func (Text) Arrange(*sources.Tree) []sources.Folder { return nil }

// Folders returns nothing: Source knows the folders.
func (Text) Folders(func(string) string, string) []string { return nil }

// MayHold returns false: Source reads the databases.
func (Text) MayHold(string) bool { return false }

// Values yields the messages in the JSON of newer transcripts.
func (Text) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		var w textWriter
		line, offset := 0, int64(0)
		for raw := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			line++
			if role := strings.TrimSpace(string(raw)); role == "user:" || role == "assistant:" {
				if v := w.end(); v != nil && !yield(w.pos, v) {
					return
				}
				w = textWriter{role: strings.TrimSuffix(role, ":"), pos: transcript.Pos{Line: line, Offset: offset}}
			} else {
				w.line(strings.TrimRight(string(raw), "\r\n"))
			}
			offset += int64(len(raw))
		}
		if v := w.end(); v != nil {
			yield(w.pos, v)
		}
	}
}

// A textWriter builds the JSON of one message.
type textWriter struct {
	role   string
	pos    transcript.Pos
	blocks []jsontext.Value
	kind   string // of the current part: "text", "thinking", "tool_use" or "tool_result"
	name   string // of the tool
	text   []string
	input  []any    // names and values of the arguments that have ended
	arg    string   // the name of the current argument
	value  []string // its lines
}

// line adds a line of the message.
func (w *textWriter) line(s string) {
	for mark, kind := range map[string]string{
		"[Thinking]": "thinking", "[Tool call]": "tool_use", "[Tool result]": "tool_result",
	} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			w.part()
			w.kind, rest = kind, strings.TrimSpace(rest)
			if kind == "thinking" {
				w.text = []string{rest}
			} else {
				w.name = rest
			}
			return
		}
	}
	if w.kind == "thinking" && s == "" {
		w.part()
		return
	}
	if w.kind == "tool_use" {
		if arg, ok := strings.CutPrefix(s, "  "); ok {
			name, value, named := strings.Cut(arg, ": ")
			if !named {
				name, named = strings.CutSuffix(arg, ":")
			}
			if named && !strings.ContainsAny(name, " \t") {
				w.argument()
				w.arg, w.value = name, []string{value}
				return
			}
		}
		if len(w.value) > 0 && s != "" {
			w.value = append(w.value, s)
			return
		}
		if s == "" {
			w.part()
			return
		}
		w.part()
	}
	w.text = append(w.text, s)
}

// argument ends the current argument.
func (w *textWriter) argument() {
	if len(w.value) > 0 {
		w.input = append(w.input, w.arg, strings.Join(w.value, "\n"))
	}
	w.arg, w.value = "", nil
}

// part ends the current part.
func (w *textWriter) part() {
	w.argument()
	text := strings.Trim(strings.Join(w.text, "\n"), "\n")
	switch {
	case w.kind == "tool_use":
		w.blocks = append(w.blocks, sources.Make("type", w.kind, "name", w.name, "input", sources.Make(w.input...)))
	case w.kind == "tool_result" && text != "":
		w.blocks = append(w.blocks, sources.Make("type", w.kind, "content", text))
	case w.kind == "thinking":
		w.blocks = append(w.blocks, sources.Make("type", w.kind, "thinking", text))
	case text != "" && w.kind != "tool_result": // a result with only a name has no content
		w.blocks = append(w.blocks, sources.Make("type", "text", "text", text))
	}
	w.kind, w.name, w.text, w.input = "", "", nil, nil
}

// end returns the message, or nil if it is empty.
func (w *textWriter) end() jsontext.Value {
	w.part()
	if w.role == "" || len(w.blocks) == 0 {
		return nil
	}
	content := sources.MakeList(w.blocks...)
	return sources.Make("role", w.role, "message", sources.Make("content", content))
}
