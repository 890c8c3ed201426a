package aider

import (
	"bytes"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The kinds of parts of a history.
const (
	runPart    = "run"    // the time at which a run began
	promptPart = "prompt" // lines that begin with "#### "
	notePart   = "note"   // lines of the program, which begin with "> "
	answerPart = "answer" // all else is of the model
)

// Values yields the parts of a history, such as {"part":"prompt","text":"Fix it."}, each with its line.
func (Source) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		var now part
		number, blank := 0, true
		before := runPart // the kind of the last part that was not white space
		for offset := 0; offset < len(data); {
			line, _, _ := bytes.Cut(data[offset:], []byte("\n"))
			end := offset + len(line) + 1
			if offset == 0 {
				line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark
			}
			pos := transcript.Pos{Line: number + 1, Offset: int64(offset)}
			number++
			offset = end
			text := strings.TrimSuffix(string(line), "\r")
			kind, text := kindOf(text, blank, before, now.kind)
			blank = strings.TrimSpace(string(line)) == ""
			if blank {
				kind = now.kind
			}
			if kind != now.kind || kind == runPart && !blank {
				if !now.give(yield) {
					return
				}
				now = part{kind: kind, pos: pos}
			}
			if !blank {
				before = kind
			}
			now.lines = append(now.lines, text)
		}
		now.give(yield)
	}
}

// A part is a run of lines of one kind.
type part struct {
	kind  string
	pos   transcript.Pos
	lines []string
}

func (p *part) give(yield func(transcript.Pos, jsontext.Value) bool) bool {
	text := strings.Trim(strings.Join(p.lines, "\n"), "\n")
	if p.kind == "" || strings.TrimSpace(text) == "" {
		return true
	}
	return yield(p.pos, sources.Make("part", p.kind, "text", text))
}

// kindOf returns the kind of a line. Headings of the model look like prompts. A prompt follows the start of a run or a
// text of the program, is a single line, or ends in the two spaces that the program appends.
func kindOf(line string, blank bool, before, open string) (kind, text string) {
	if at, ok := strings.CutPrefix(line, runMark); ok {
		return runPart, strings.TrimSpace(at)
	}
	if text, ok := strings.CutPrefix(line, "#### "); ok {
		follows := open == promptPart && !blank
		if follows || blank && (before != answerPart || strings.HasSuffix(line, "  ")) {
			return promptPart, strings.TrimSpace(text)
		}
	}
	if text, ok := strings.CutPrefix(line, "> "); ok && (blank || open == notePart || open == promptPart) {
		return notePart, strings.TrimRight(text, " ")
	}
	return answerPart, line
}
