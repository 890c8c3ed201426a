package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// In the code mode of Codex the model writes a script that calls its tools, and may wait for a script that still runs.
var (
	_ = register(Tool{
		Name: "exec", Icon: "term", Label: "Script", Action: Run, Describe: describeScript,
		Script: func(in jsontext.Value) []string {
			script := transcript.String(in)
			for _, name := range []string{"input", "code", "source"} {
				script += transcript.String(transcript.Field(in, name))
			}
			return scriptCommands(script)
		},
	})
	_ = register(Tool{Name: "wait", Icon: "term", Label: "Wait", Continue: "cell_id", Describe: describeWait})
)

func describeScript(c *Call) error {
	in := c.group.Call.Block.Input
	script := transcript.String(in)
	if script == "" {
		var obj struct {
			Input, Code, Source fields.Text
			fields.Extra
		}
		if err := c.input(&obj); err != nil {
			return err
		}
		script, c.Rest = string(obj.Input+obj.Code+obj.Source), obj.Rest
	}
	commands := scriptCommands(script)
	c.Target = words.Line(strings.Join(commands, "; "), 160)
	if c.Target == "" {
		c.Target = words.Line(strings.Join(scriptTools(script), ", "), 160)
	}
	if c.Target == "" {
		c.Target = words.Line(firstLine(script), 160)
	}
	c.given(Section{Shape: Code, Text: script, Lang: "js"})
	c.scriptEnd()
	return nil
}

// scriptEnd reads how a script ended, and what it printed.
func (c *Call) scriptEnd() {
	var end ended
	if c.result(&end) {
		c.lasted(float64(end.Seconds) * 1000)
		if end.Cell != "" {
			c.Background = true
			c.mark("runs on as "+words.Line(string(end.Cell), 20), Neutral)
		}
	}
	if c.group.Result == nil {
		return
	}
	if !c.failed() {
		c.read(Section{Shape: Any, Text: c.text()})
	}
	c.Media = true
	c.images(media(c.group.Result.Block.Content))
}

func describeWait(c *Call) error {
	var in struct {
		CellID, SessionID                 fields.Text
		YieldTimeMs, MaxTokens, TimeoutMs fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Rest, c.Target = in.Rest, "for "+words.Line(string(in.CellID+in.SessionID), 20)
	c.scriptEnd()
	return nil
}

// maxCommands limits the commands of a script on the line of its call.
const maxCommands = 8

// scriptCommands returns the commands that a script gives to shells as plain texts: {"cmd":"go test ./..."}.
func scriptCommands(script string) []string {
	var all []string
	for len(all) < maxCommands {
		_, after, ok := strings.Cut(script, "exec_command(")
		if !ok {
			break
		}
		script = after
		args, _, _ := strings.Cut(after, "exec_command(")
		for _, name := range []string{`"cmd"`, "cmd"} {
			_, value, ok := strings.Cut(args, name)
			value = strings.TrimLeft(value, " \t\n")
			value, colon := strings.CutPrefix(value, ":")
			if value = strings.TrimLeft(value, " \t\n"); !ok || !colon || !strings.HasPrefix(value, `"`) {
				continue
			}
			if s := quotedStart(value); s != "" {
				all = append(all, s)
			}
			break
		}
	}
	return all
}

// scriptTools returns the tools that a script calls, each once: tools.web__run({…}).
func scriptTools(script string) []string {
	var all []string
	for len(all) < maxCommands {
		_, after, ok := strings.Cut(script, "tools.")
		if !ok {
			break
		}
		script = after
		n := 0
		for n < len(after) && (after[n] == '_' || after[n]|0x20 >= 'a' && after[n]|0x20 <= 'z' ||
			after[n] >= '0' && after[n] <= '9') {
			n++
		}
		name := strings.ReplaceAll(strings.TrimPrefix(after[:n], "mcp__"), "__", " ")
		if n > 0 && n < len(after) && after[n] == '(' && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// quotedStart returns the quoted text at the beginning of another.
func quotedStart(s string) string {
	for end := 1; end < len(s); end++ {
		switch s[end] {
		case '\\':
			end++
		case '"':
			v := jsontext.Value(s[:end+1])
			if !v.IsValid() {
				return ""
			}
			return transcript.String(v)
		}
	}
	return ""
}

// firstLine returns the first line that is not blank.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			return line
		}
	}
	return ""
}
