package tools

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
	"viewer/normalize"
)

// The tools of Hermes Agent whose input differs from that of other tools.
var (
	_ = register(Tool{
		Name: "terminal", Icon: "term", Label: "Bash", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describeTerminal,
	})
	_ = register(Tool{
		Name: "patch", Has: "old_string", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace,
		Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "patch", Has: "patch", Icon: "edit", Label: "Patch", Action: Edit, Describe: describeApplyPatch,
		Files: patchFiles,
	})
	_ = register(Tool{
		Name: "search_files", Has: "pattern", Icon: "find", Label: "Grep", Action: Search,
		Describe: describePatternSearch,
	})
	_ = register(Tool{
		Name: "todo", Has: "todos", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoWrite,
	})
	_ = register(Tool{
		Name: "delegate_task", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeDelegateTask,
	})
	_ = register(Tool{Name: "skill_view", Icon: "skill", Label: "Skill", Skill: "name", Describe: describeNamedSkill})
	_ = plain("skills_list", "skill", "List skills", "category")
	_ = plain("skill_manage", "skill", "Change a skill", "name")
	_ = plain("process", "term", "Process", "action")
	_ = plain("web_extract", "globe", "WebFetch", "urls")
	_ = plain("vision_analyze", "image", "Image", "image_url")
	_ = plain("session_search", "find", "Search sessions", "query")
	_ = said("memory", "file", "Memory", "content", "action")
	_ = asks("clarify")
)

func describeTerminal(c *Call) error {
	if err := describePiBash(c); err != nil {
		return err
	}
	var in struct{ Background fields.Bool }
	if c.input(&in) == nil && bool(in.Background) {
		c.runsOn("in background")
	}
	return nil
}

// describePatternSearch describes a search for a pattern in files, or for files.
func describePatternSearch(c *Call) error {
	var in struct {
		Pattern, Path, FileGlob, Target fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.searched(in.Pattern, in.Path, in.FileGlob)
	c.Rest = in.Rest
	if in.Target == "files" || in.Target == "find" {
		c.Label = "Find"
	}
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}

// describeDelegateTask describes agents with their tasks, whose logs have the tasks, too.
func describeDelegateTask(c *Call) error {
	type task struct{ Goal, Context fields.Text }
	var in struct {
		task
		Tasks fields.List[task]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	all := []task(in.Tasks)
	if len(all) == 0 {
		all = append(all, in.task)
	}
	var goals []string
	for _, t := range all {
		goals = append(goals, firstLine(string(t.Goal)))
	}
	c.Prose, c.Rest = true, in.Rest
	c.Target = words.Line(strings.Join(words.NonEmpty(goals...), ", "), 160)
	if n := len(in.Tasks); n > 1 {
		c.fact(words.Plural(n, "agent", "agents"))
	}
	for i, t := range all {
		goal := string(t.Goal)
		if !slices.ContainsFunc(c.group.Agents, func(a *normalize.Agent) bool { return begins(a, goal) }) {
			c.given(Section{Shape: Prose, Text: goal, Label: "Task", Name: "p" + strconv.Itoa(i)})
		}
		context := string(cmp.Or(t.Context, in.Context))
		c.given(Section{Shape: Prose, Text: context, Label: "Context", Name: "c" + strconv.Itoa(i)})
	}
	if c.answered() {
		c.read(Section{Shape: Prose, Text: c.text(), Label: "Answer", Name: "a"})
	}
	return nil
}
