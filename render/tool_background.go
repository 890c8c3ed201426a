package render

import "strings"

// Commands and agents that run in the background: their output is polled or
// they are stopped. The names changed: BashOutput and KillBash until 2.0.x,
// KillShell, then TaskOutput and TaskStop.
var (
	_ = register(tools, "BashOutput", "background", viewBashOutput)
	_ = register(tools, "TaskOutput", "background", viewTaskOutput)
	_ = register(tools, "AgentOutputTool", "background", viewTaskOutput)
	_ = register(tools, "KillBash", "background", viewTaskStop)
	_ = register(tools, "KillShell", "background", viewTaskStop)
	_ = register(tools, "TaskStop", "background", viewTaskStop)
)

type background struct {
	row
	Command string
	Output  *output
	Stderr  *output
}

type backgroundInput struct {
	BashID, ShellID, TaskID, AgentID text
	extra
}

func (in backgroundInput) id() string {
	return string(in.BashID + in.ShellID + in.TaskID + in.AgentID)
}

func viewBashOutput(c call) (background, error) {
	var in backgroundInput
	if err := c.input(&in); err != nil {
		return background{}, err
	}
	v := background{row: row{Icon: "term", Label: "Output", Target: in.id(), More: c.d.fields(in.Rest)}}
	var res struct {
		Command, Status, Stdout, Stderr, ExitCode text
	}
	if c.failed() {
		return v, nil
	}
	if !c.result(&res) {
		v.Output = c.d.terminal(c.text())
		return v, nil
	}
	v.Command, v.Target = string(res.Command), oneLine(in.id()+" "+string(res.Command), 160)
	v.Output, v.Stderr = c.d.terminal(string(res.Stdout)), c.d.terminal(string(res.Stderr))
	v.Facts = append(facts(string(res.Status)), exitFact(res.ExitCode)...)
	return v, nil
}

func viewTaskOutput(c call) (background, error) {
	var in backgroundInput
	if err := c.input(&in); err != nil {
		return background{}, err
	}
	v := background{row: row{Icon: "term", Label: "Output", Target: in.id(), More: c.d.fields(in.Rest)}}
	var res struct {
		RetrievalStatus text
		Task            struct {
			TaskType, Status, Description, Output, Result, Error, ExitCode text
		}
	}
	if c.failed() {
		return v, nil
	}
	if !c.result(&res) {
		v.Output = c.d.terminal(c.text())
		return v, nil
	}
	t := res.Task
	if t.Description != "" {
		v.Target, v.Prose = oneLine(string(t.Description), 160), true
	}
	v.Facts = append(facts(string(t.Status)), exitFact(t.ExitCode)...)
	if res.RetrievalStatus != "success" {
		v.Facts = append(facts(taskWords(string(res.RetrievalStatus))), v.Facts...)
	}
	if t.Output == t.Result {
		t.Result = ""
	}
	v.Output = c.d.terminal(strings.Join(nonEmpty(string(t.Output), string(t.Result)), "\n"))
	v.Stderr = c.d.terminal(string(t.Error))
	return v, nil
}

func viewTaskStop(c call) (background, error) {
	var in backgroundInput
	if err := c.input(&in); err != nil {
		return background{}, err
	}
	v := background{row: row{Icon: "term", Label: "Stop", Target: in.id(), More: c.d.fields(in.Rest)}}
	var res struct{ Message, Command text }
	if !c.failed() {
		if c.result(&res) && res.Message != "" {
			v.Command = string(res.Command)
			v.Output = c.d.plain(string(res.Message))
		} else {
			v.Output = c.d.plain(c.text())
		}
	}
	return v, nil
}

func exitFact(code text) []fact {
	switch code {
	case "":
		return nil
	case "0":
		return facts("exit 0")
	}
	return []fact{{Text: "exit " + oneLine(string(code), 20), Look: "bad", Main: true}}
}
