package tools

import (
	"slices"
	"strconv"
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
		Script: commandsOfScript,
	})
	_ = register(Tool{Name: "wait", Icon: "term", Label: "Wait", Continue: "cell_id", Describe: describeWait})
)

// commandsOfScript returns the commands of the script that an input is or has.
func commandsOfScript(in jsontext.Value) []Given {
	script := transcript.String(in)
	for _, name := range []string{"input", "code", "source"} {
		script += transcript.String(transcript.Field(in, name))
	}
	return scriptCommands(script)
}

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
	c.Target = words.Line(targetOf(commands), 160)
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
	content := c.group.Result.Block.Content
	hasExit := func(b transcript.Block) bool { return returnOf(b.Text).exit != "" }
	if !c.failed() || slices.ContainsFunc(content, hasExit) {
		c.Failure = c.failed()
		c.printed(content)
	}
	c.Media = true
	c.images(media(content))
}

// printed draws what a script printed: what a command returned like the output of a command, all else as it is.
func (c *Call) printed(content []transcript.Block) {
	if !slices.ContainsFunc(content, func(b transcript.Block) bool { return returnOf(b.Text).isWhole }) {
		c.read(Section{Shape: Any, Text: c.text()})
		return
	}
	for i := range content {
		r := returnOf(content[i].Text)
		if !r.isWhole {
			c.read(Section{Shape: Any, Text: joined(content[i:i+1], nil)})
			continue
		}
		label := ""
		switch {
		case r.session != "":
			label = "runs on as " + words.Line(r.session, 20)
		case r.exit != "0":
			label = "exit " + words.Line(r.exit, 20)
			c.mark(label, Bad)
		}
		c.read(Section{Shape: Terminal, Label: label, Text: r.output})
	}
}

// A returned value is what a command of a script returned to it. Scripts often print it as JSON:
// {"chunk_id":"1a2b3c","wall_time_seconds":0.7,"exit_code":0,"output":"…"}. The exit code may also be a text of its
// own: exit=0.
type returned struct {
	output        string
	exit, session string // its exit code, or the id of the command if it still runs
	isWhole       bool   // the text is such a value, and has nothing else to show
}

// returnOf reads what a command returned from a text that a script printed.
func returnOf(text string) returned {
	text = strings.TrimSpace(text)
	if code, ok := strings.CutPrefix(text, "exit="); ok {
		if _, err := strconv.Atoi(code); err == nil {
			return returned{exit: code}
		}
	}
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"output"`) || !transcript.Valid(jsontext.Value(text)) {
		return returned{output: text}
	}
	r := returned{isWhole: true}
	var output jsontext.Value
	for name, v := range transcript.Members(jsontext.Value(text)) {
		switch name {
		case "output":
			output = v
		case "exit_code":
			r.exit = transcript.TextOf(v)
		case "session_id":
			r.session = transcript.TextOf(v)
		case "chunk_id", "wall_time_seconds", "original_token_count": // also left out where the log has them as text
		default:
			r.isWhole = false
		}
	}
	if transcript.Kind(output) != '"' || r.exit+r.session == "" {
		return returned{output: text}
	}
	r.output = transcript.String(output)
	return r
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

// Limits of what is read of a script.
const (
	maxCommands = 200
	maxOnLine   = 8 // commands or tools on the line of the call
	maxArgs     = 16 << 10
)

// targetOf returns the line about a script that runs commands.
func targetOf(commands []Given) string {
	var texts []string
	for _, c := range commands[:min(len(commands), maxOnLine)] {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "; ")
}

// scriptCommands returns the commands that a script gives to shells as plain texts: {"cmd":"go test ./..."}.
func scriptCommands(script string) []Given {
	var all []Given
	for len(all) < maxCommands {
		_, after, ok := strings.Cut(script, "exec_command(")
		if !ok {
			break
		}
		script = after
		args, _, _ := strings.Cut(after, "exec_command(")
		args = args[:min(len(args), maxArgs)]
		command, rest := quotedMember(args, "cmd")
		if command == "" {
			continue
		}
		c := Given{Text: command}
		c.Folder, _ = quotedMember(rest, "workdir")
		if permissions, _ := quotedMember(rest, "sandbox_permissions"); permissions == "require_escalated" {
			c.Unconfined = true
			c.Explanation, _ = quotedMember(rest, "justification")
		}
		all = append(all, c)
	}
	return all
}

// quotedMember returns the plain text of a member of an object in a script, with or without quotes around its name,
// and what follows it; "" and the whole text for none.
func quotedMember(args, member string) (text, rest string) {
	for _, name := range []string{`"` + member + `"`, member} {
		_, value, ok := strings.Cut(args, name)
		value = strings.TrimLeft(value, " \t\n")
		value, colon := strings.CutPrefix(value, ":")
		if value = strings.TrimLeft(value, " \t\n"); !ok || !colon || !strings.HasPrefix(value, `"`) {
			continue
		}
		quoted := quotedStart(value)
		return transcript.String(jsontext.Value(quoted)), value[len(quoted):]
	}
	return "", args
}

// scriptTools returns the tools that a script calls, each once: tools.web__run({…}).
func scriptTools(script string) []string {
	var all []string
	for len(all) < maxOnLine {
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

// quotedStart returns the quoted text at the beginning of another, with its quotes; "" if it is not valid.
func quotedStart(s string) string {
	for end := 1; end < len(s); end++ {
		switch s[end] {
		case '\\':
			end++
		case '"':
			if !jsontext.Value(s[:end+1]).IsValid() {
				return ""
			}
			return s[:end+1]
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
