package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// Commands and agents that run in the background: their output is polled or
// they are stopped. The names changed: BashOutput and KillBash until 2.0.x,
// KillShell, then TaskOutput and TaskStop.
var (
	_ = register(Tool{Name: "BashOutput", Icon: "term", Label: "Output", Describe: describeBashOutput})
	_ = register(Tool{Name: "TaskOutput", Icon: "term", Label: "Output", Describe: describeTaskOutput})
	_ = register(Tool{Name: "AgentOutputTool", Icon: "term", Label: "Output", Describe: describeTaskOutput})
	_ = register(Tool{Name: "KillBash", Icon: "term", Label: "Stop", Describe: describeTaskStop})
	_ = register(Tool{Name: "KillShell", Icon: "term", Label: "Stop", Describe: describeTaskStop})
	_ = register(Tool{Name: "TaskStop", Icon: "term", Label: "Stop", Describe: describeTaskStop})
	_ = register(Tool{Name: "task_output", Icon: "term", Label: "Output", Describe: describeTaskOutput}) // of Qwen Code
	_ = register(Tool{Name: "task_stop", Icon: "term", Label: "Stop", Describe: describeTaskStop})
)

// background reads the id of the background task, for the target.
func (c *Call) background() (id string, err error) {
	var in struct {
		BashID, ShellID, TaskID, AgentID fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return "", err
	}
	c.Target, c.Rest = string(in.BashID+in.ShellID+in.TaskID+in.AgentID), in.Rest
	return c.Target, nil
}

func describeBashOutput(c *Call) error {
	id, err := c.background()
	if err != nil || c.failed() {
		return err
	}
	var res struct {
		Command, Status, Stdout, Stderr, ExitCode fields.Text
	}
	if !c.result(&res) {
		c.read(Section{Shape: Terminal, Text: c.text()})
		return nil
	}
	c.Target = words.Line(id+" "+string(res.Command), 160)
	c.read(Section{Shape: Command, Text: string(res.Command)})
	c.streams(string(res.Stdout), string(res.Stderr))
	c.fact(string(res.Status))
	c.exit(res.ExitCode)
	return nil
}

func describeTaskOutput(c *Call) error {
	if _, err := c.background(); err != nil || c.failed() {
		return err
	}
	var res struct {
		RetrievalStatus fields.Text
		Task            struct {
			TaskType, Status, Description, Output, Result, Error, ExitCode fields.Text
		}
	}
	if !c.result(&res) {
		c.read(Section{Shape: Terminal, Text: c.text()})
		return nil
	}
	t := res.Task
	if t.Description != "" {
		c.Target, c.Prose = words.Line(string(t.Description), 160), true
	}
	if res.RetrievalStatus != "success" {
		c.fact(statusWords(string(res.RetrievalStatus)))
	}
	c.fact(string(t.Status))
	c.exit(t.ExitCode)
	if t.Output == t.Result {
		t.Result = ""
	}
	c.streams(strings.Join(words.NonEmpty(string(t.Output), string(t.Result)), "\n"), string(t.Error))
	return nil
}

func describeTaskStop(c *Call) error {
	if _, err := c.background(); err != nil || c.failed() {
		return err
	}
	var res struct{ Message, Command fields.Text }
	if c.result(&res) && res.Message != "" {
		c.read(Section{Shape: Command, Text: string(res.Command)})
		c.read(Section{Text: string(res.Message)})
		return nil
	}
	c.read(Section{Text: c.text()})
	return nil
}

// streams sets the output of a command.
func (c *Call) streams(stdout, stderr string) {
	c.read(Section{Shape: Terminal, Text: stdout})
	c.read(Section{Shape: Terminal, Text: stderr, Label: "stderr"})
}

func (c *Call) exit(code fields.Text) {
	switch code {
	case "":
	case "0":
		c.fact("exit 0")
	default:
		c.mark("exit "+words.Line(string(code), 20), Bad)
	}
}
