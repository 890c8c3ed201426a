package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// The shells of Codex and Copilot: exec_command starts a command that may keep running, and write_stdin continues it.
// They draw as Bash does.
var (
	_ = codexShell("exec_command", "cmd")
	_ = codexShell("shell_command", "command")
	_ = codexShell("shell", "command")
	_ = codexShell("local_shell", "command")
	_ = codexShell("powershell", "command")
	_ = register(Tool{
		Name: "write_stdin", Icon: "term", Label: "Input", Action: Run, Template: "bash", Detail: Bash{},
		Continue: "session_id", Describe: describeWriteStdin,
	})
)

func codexShell(name, command string) struct{} {
	label := "Bash"
	if name == "powershell" {
		label = "PowerShell"
	}
	return register(Tool{
		Name: name, Icon: "term", Label: label, Action: Run, Command: command,
		Template: "bash", Detail: Bash{}, Describe: describeExecCommand, PrintsAll: true,
	})
}

// ended has the facts about the end of a command, or that it still runs.
type ended struct {
	ExitCode, Session, Cell fields.Text
	Seconds, OriginalTokens fields.Number
}

func describeExecCommand(c *Call) error {
	var in struct {
		Cmd, Command                                   jsontext.Value
		Justification, SandboxPermissions, Workdir     fields.Text
		Description, Mode, ShellID                     fields.Text
		WorkingDirectory, WorkingDir                   fields.Text
		ToolUsePurpose                                 fields.Text // of Kiro
		WithEscalatedPermissions                       fields.Bool
		YieldTimeMs, TimeoutMs, Timeout                fields.Number
		MaxOutputTokens                                fields.Number
		Type, Tty, Login, Shell, User, Env, PrefixRule fields.Ignored
		InitialWait                                    fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	given := transcript.Or(in.Cmd, in.Command)
	c.Command, c.Description, c.Rest = commandText(given), string(in.Justification+in.Description+in.ToolUsePurpose),
		in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	if bool(in.WithEscalatedPermissions) || in.SandboxPermissions == "require_escalated" {
		c.Facts = append(c.Facts, Fact{Text: "without sandbox", Tone: Warning})
	} else if in.SandboxPermissions != "" && in.SandboxPermissions != "use_default" {
		c.fact(statusWords(string(in.SandboxPermissions)))
	}
	if in.Mode != "" && in.Mode != "sync" {
		c.fact(words.Line(string(in.Mode+" "+in.ShellID), 40))
	}
	if dir := string(in.Workdir + in.WorkingDirectory + in.WorkingDir); dir != "" && dir != c.context.Folder {
		c.fact("in " + words.Line(c.Short(dir), 80))
	}
	c.commandEnd()
	return nil
}

// commandEnd reads the facts about the end of a command.
func (c *Call) commandEnd() {
	b := Bash{Stdout: c.text()}
	var end ended
	if c.result(&end) {
		c.lasted(float64(end.Seconds) * 1000)
		switch {
		case end.Session != "":
			c.runsOn("runs on as " + words.Line(string(end.Session), 20))
		case end.ExitCode != "" && end.ExitCode != "0":
			c.Exit = words.Line(string(end.ExitCode), 20)
			c.mark("exit "+c.Exit, Bad)
		}
		if n := int(end.OriginalTokens); n > len(b.Stdout)/2 && n > 1000 {
			b.Note = "The log has only a part of " + words.Count(n) + " tokens."
		}
	}
	if c.Exit == "" && c.group.State == normalize.Failed {
		if code, rest := cutExit(b.Stdout); code != "" {
			c.Exit = code
			c.mark("exit "+code, Bad)
			b.Stdout = rest
		}
	}
	if !c.failed() && markup.Lines(trimmed(b.Stdout)) > 1 {
		c.fact(words.Plural(markup.Lines(strings.TrimSpace(b.Stdout)), "line", "lines"))
	}
	c.Detail = b
}

// commandText returns a command as people write it, given a text, or the arguments of a program, which is usually a
// shell.
func commandText(v jsontext.Value) string {
	if transcript.Kind(v) != '[' {
		return transcript.TextOf(v)
	}
	var all []string
	for e := range transcript.Elements(v) {
		all = append(all, transcript.TextOf(e))
	}
	if len(all) == 3 && (all[1] == "-lc" || all[1] == "-c" || strings.EqualFold(all[1], "-Command")) {
		return all[2]
	}
	for i, w := range all {
		if w == "" || strings.ContainsAny(w, " \t\n\"'$`\\|&;<>()*?") {
			all[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(all, " ")
}

func describeWriteStdin(c *Call) error {
	var in struct {
		SessionID, Chars             fields.Text
		YieldTimeMs, MaxOutputTokens fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Rest, c.Failure = in.Rest, true
	c.Target = "to " + words.Line(string(in.SessionID), 20)
	if in.Chars == "" {
		c.Label = "Wait"
		c.Target = "for " + words.Line(string(in.SessionID), 20)
	} else {
		c.Target += ": " + words.Line(string(in.Chars), 120)
		c.given(Section{Shape: Fields, List: []Field{{Name: "typed", Value: string(in.Chars), Long: true}}})
	}
	c.commandEnd()
	return nil
}
