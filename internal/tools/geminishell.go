package tools

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// The shell of Gemini CLI, of its forks and of Cursor. It draws as Bash does.
var (
	_ = foreignShell("run_shell_command")
	_ = foreignShell("run_command")
)

func foreignShell(name string) struct{} {
	return register(Tool{
		Name: name, Icon: "term", Label: "Bash", Action: Run,
		Template: "bash", Detail: Bash{}, Describe: describeForeignShell, Commands: foreignCommand,
	})
}

func foreignCommand(in jsontext.Value) string {
	if command := transcript.TextOf(transcript.Field(in, "command")); command != "" {
		return command
	}
	return transcript.TextOf(transcript.Field(in, "CommandLine")) // Antigravity
}

func describeForeignShell(c *Call) error {
	var in struct {
		Command, CommandLine, Description, Explanation fields.Text
		DirPath, Directory, Cwd, WorkingDirectory      fields.Text
		IsBackground                                   fields.Bool
		BlockUntilMs, Timeout, SafeToAutoRun, Blocking fields.Ignored
		WaitMsBeforeAsync                              fields.Ignored
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Rest = string(in.Command+in.CommandLine), in.Rest
	c.Description = string(in.Description+in.Explanation) + in.words()
	c.Target, c.Failure = words.Line(c.Command, 160), true
	if dir := string(in.DirPath + in.Directory + in.Cwd + in.WorkingDirectory); dir != "" && dir != c.context.Folder {
		c.fact("in " + words.Line(c.Short(dir), 80))
	}
	if in.IsBackground {
		c.Background = true
		c.mark("in background", Neutral)
	}
	c.cutOff()
	c.commandEnd()
	return nil
}
