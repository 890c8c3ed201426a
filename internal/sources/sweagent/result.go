package sweagent

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// result translates the result of a call in a message. Those of mini-swe-agent include how the command ended.
func (t *translator) result(id string, m *sources.Object) {
	for i, open := range t.open {
		if open == id {
			t.open = append(t.open[:i:i], t.open[i+1:]...)
			break
		}
	}
	content := m.Get("content")
	blocks := t.blocks(content)
	b := transcript.Block{Type: "tool_result", Raw: t.Value, ToolUseID: id, Content: blocks}
	b.Plain = transcript.Kind(content) == '"'
	var extra sources.Object
	extra.Read(m.Get("extra"))
	code := transcript.TextOf(extra.Get("returncode"))
	if len(blocks) == 1 {
		text := blocks[0].Text
		_, behind, ok := between(text, "<exception>", "</exception>")
		b.IsError = ok || timedOut(text)
		if !ok {
			behind = text
		}
		if stated, rest, ok := between(behind, "<returncode>", "</returncode>"); ok {
			code = stated
			if output, _, ok := between(rest, "<output>", "</output>"); ok && !b.IsError {
				blocks[0].Text = strings.Trim(output, "\n")
			}
		}
	}
	if code != "" && code != "0" {
		b.IsError = true
		if len(blocks) == 1 && code != notRun {
			blocks[0].Text = sources.WithExitCode(code, blocks[0].Text)
		}
	}
	r := t.User(transcript.AnyText, b)
	if extra.Text("exception_info") == "action was not executed" {
		sources.Rare(r).ToolDenialKind = "interrupted"
		t.skipped = append(t.skipped, t.Added()-1)
	}
}

// notRun stands for the exit code of a command that did not end by itself.
const notRun = "-1"

// timedOut reports whether a result says that the program stopped the command after some time.
func timedOut(text string) bool {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(text, "EXECUTION TIMED OUT") || strings.HasPrefix(text, "COMMAND TIMED OUT") ||
		strings.HasPrefix(text, "The last command <command>") && strings.Contains(text, "</command> timed out") ||
		strings.HasPrefix(text, "The command '") && strings.Contains(first, " was cancelled because it took more than ")
}

// between returns what comes between two words at the beginning of a text, and what comes after them.
func between(s, open, end string) (inner, rest string, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimSpace(s), open)
	if !ok {
		return "", "", false
	}
	return strings.Cut(s, end)
}
