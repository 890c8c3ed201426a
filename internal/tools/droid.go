package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
	"viewer/normalize"
)

// The tools of Droid whose name or input differs from those of others.
var (
	_ = register(Tool{
		Name: "Execute", Icon: "term", Label: "Bash", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describeExecute,
	})
	_ = register(Tool{
		Name: "Create", Icon: "write", Label: "Write", Action: Write, Describe: describeWrite, Files: writeFiles,
	})
	_ = register(Tool{
		Name: "LS", Has: "directory_path", Icon: "folder", Label: "LS", Action: Read, Describe: describeListFolder,
	})
	_ = register(Tool{
		Name: "Glob", Has: "patterns", Icon: "find", Label: "Glob", Action: Search, Describe: describeGlobs,
	})
	_ = register(Tool{
		Name: "FetchUrl", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
)

func describeExecute(c *Call) error {
	var in struct {
		Command, RiskLevel, RiskLevelReason fields.Text
		Timeout                             fields.Number
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Rest = string(in.Command), in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	if in.RiskLevel != "" {
		c.fact("risk " + words.Line(string(in.RiskLevel), 40))
	}
	c.given(Section{Shape: Fields, List: []Field{{Name: "why that risk", Value: string(in.RiskLevelReason)}}})
	c.timeout(in.Timeout)
	c.commandEnd()
	// the output of a failed command begins with how it ended
	b := c.Detail.(Bash)
	if rest, ok := strings.CutPrefix(b.Stdout, "Error: Command failed (exit code: "); ok && c.Exit == "" &&
		c.group.State == normalize.Failed {
		code, output, found := strings.Cut(rest, ")")
		if found && code != "" && strings.Trim(code, "0123456789") == "" {
			c.Exit, b.Stdout = code, strings.TrimPrefix(output, "\n")
			c.mark("exit "+code, Bad)
			c.Detail = b
		}
	}
	return nil
}

// describeGlobs describes a search for files by several patterns.
func describeGlobs(c *Call) error {
	var in struct {
		Patterns, ExcludePatterns []fields.Text
		Folder                    fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	var all []string
	for _, p := range in.Patterns {
		all = append(all, string(p))
	}
	for _, p := range in.ExcludePatterns {
		all = append(all, "not "+string(p))
	}
	target := strings.Join(all, ", ")
	if in.Folder != "" {
		target += " in " + c.Short(string(in.Folder))
	}
	c.Rest = in.Rest
	c.target("patterns", target, 200)
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}
