package render

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
	BashID, ShellID, TaskID, Filter, AgentID text
	Block                                    truth
	Timeout                                  number
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
	v := background{row: row{Icon: "term", Label: "Output", Target: in.id(), More: fields(in.Rest)}}
	var res struct {
		Command, Status, Stdout, Stderr text
		ExitCode                        *number
	}
	if c.failed() {
		return v, nil
	}
	if !c.result(&res) {
		v.Output = c.d.terminal(c.text())
		return v, nil
	}
	v.Command, v.Target = oneLine(string(res.Command), 200), oneLine(in.id()+" "+string(res.Command), 160)
	v.Output, v.Stderr = c.d.terminal(string(res.Stdout)), c.d.terminal(string(res.Stderr))
	v.Facts = append(facts(string(res.Status)), exitFact(res.ExitCode)...)
	return v, nil
}

func viewTaskOutput(c call) (background, error) {
	var in backgroundInput
	if err := c.input(&in); err != nil {
		return background{}, err
	}
	v := background{row: row{Icon: "term", Label: "Output", Target: in.id(), More: fields(in.Rest)}}
	var res struct {
		RetrievalStatus text
		Task            struct {
			TaskType, Status, Description, Output, Result text
			ExitCode                                      *number
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
	if t.Status == "" {
		v.Facts = facts(string(res.RetrievalStatus))
	}
	v.Output = c.d.terminal(string(t.Output))
	if v.Output == nil {
		v.Output = c.d.terminal(string(t.Result))
	}
	return v, nil
}

func viewTaskStop(c call) (background, error) {
	var in backgroundInput
	if err := c.input(&in); err != nil {
		return background{}, err
	}
	v := background{row: row{Icon: "term", Label: "Stop", Target: in.id(), More: fields(in.Rest)}}
	var res struct{ Message, Command text }
	if !c.failed() {
		if c.result(&res) && res.Message != "" {
			v.Command = oneLine(string(res.Command), 200)
			v.Output = c.d.plain(string(res.Message))
		} else {
			v.Output = c.d.plain(c.text())
		}
	}
	return v, nil
}

func exitFact(code *number) []fact {
	switch {
	case code == nil:
		return nil
	case *code != 0:
		return []fact{{Text: "exit " + count(int(*code)), Look: "bad", Main: true}}
	}
	return facts("exit 0")
}
