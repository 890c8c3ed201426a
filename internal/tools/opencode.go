package tools

import (
	"strconv"
	"strings"

	"viewer/internal/fields"
)

// The tools of OpenCode whose name or input differs from those of others.
var (
	_ = register(Tool{
		Name: "read", Has: "filePath", Icon: "file", Label: "Read", Action: Read, Describe: describeOpenCodeRead,
	})
	_ = register(Tool{
		Name: "edit", Has: "oldString", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace,
		Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "write", Has: "filePath", Icon: "write", Label: "Write", Action: Write, Describe: describeWrite,
		Files: writeFiles,
	})
	_ = register(Tool{
		Name: "multiedit", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeMultiEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "patch", Has: "patchText", Icon: "edit", Label: "Patch", Action: Edit, Describe: describeApplyPatch,
		Files: patchFiles,
	})
	_ = register(Tool{Name: "list", Icon: "folder", Label: "LS", Action: Read, Describe: describeLS})
	_ = register(Tool{Name: "todowrite", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoWrite})
	_ = plain("todoread", "todo", "Todos", "")
	_ = register(Tool{
		Name: "subagent", Has: "prompt", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeAgent,
	})
	_ = register(Tool{
		Name: "execute", Has: "code", Icon: "term", Label: "Script", Action: Run, Describe: describeScript,
		Script: commandsOfScript,
	})
	_ = register(Tool{
		Name: "websearch", Icon: "globe", Label: "WebSearch", Action: Fetch, Describe: describeWebSearch,
	})
	_ = register(Tool{
		Name: "codesearch", Icon: "globe", Label: "CodeSearch", Action: Fetch, Describe: describeWebSearch,
	})
	_ = register(Tool{
		Name: "question", Icon: "question", Label: "Question", Action: Ask,
		Template: "askuserquestion", Detail: Questions{}, Describe: describeAskUserQuestion,
	})
	_ = register(Tool{Name: "skill", Has: "name", Icon: "skill", Label: "Skill", Describe: describeNamedSkill})
	_ = plain("invalid", "gear", "Invalid call", "tool")
)

// describeOpenCodeRead describes a read: its result has the file between tags for the model.
func describeOpenCodeRead(c *Call) error {
	var in struct {
		FilePath      fields.Text
		Offset, Limit fields.Number
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Media = string(in.FilePath), in.Rest, true
	c.Part = partOf(int(in.Offset), int(in.Limit))
	if !c.answered() || c.failed() {
		return nil
	}
	if images := media(c.group.Result.Block.Content); len(images) > 0 {
		c.fact("image")
		c.images(images)
		return nil
	}
	text := c.text()
	body, total := fileInTags(text)
	if first, code := NumberedLines(body); first > 0 {
		c.source(code, first, total)
		c.shown = allLines(code, first, total)
		return nil
	}
	c.read(Section{Text: text})
	return nil
}

// allLines returns the text of a file that was shown by lines, if these are all of total and none was cut off.
func allLines(code string, first, total int) FileTexts {
	const most = 2000 // letters of a line that the model is shown
	n := 0
	for line := range strings.SplitSeq(code, "\n") {
		if n++; len(line) > most {
			return FileTexts{}
		}
	}
	if first != 1 || n != total {
		return FileTexts{}
	}
	return FileTexts{Before: &code, EndUnknown: true}
}

// taggedPath returns the path of a file that OpenCode read because a prompt mentioned it.
func taggedPath(text string) (path string, ok bool) {
	rest, tagged := strings.CutPrefix(text, "<path>")
	path, rest, closed := strings.Cut(rest, "</path>\n")
	return path, tagged && closed && strings.HasPrefix(rest, "<type>file</type>\n<content>\n")
}

// taggedFile returns the text of such a file.
func taggedFile(text string) FileTexts {
	body, total := fileInTags(text)
	first, code := NumberedLines(body)
	return allLines(code, first, total)
}

// fileInTags returns the text of a file as OpenCode writes it for the model, and its number of lines, 0 if unknown:
// "<path>a.go</path>\n<type>file</type>\n<content>\n1: package a\n\n(End of file - total 1 lines)\n</content>".
func fileInTags(text string) (body string, total int) {
	_, body, ok := strings.Cut(text, "<content>\n")
	if !ok || !strings.HasPrefix(text, "<path>") {
		return text, 0
	}
	if at := strings.LastIndex(body, "\n</content>"); at >= 0 {
		body = body[:at]
	}
	if at := strings.LastIndex(body, "\n\n("); at >= 0 && strings.HasSuffix(body, ")") {
		for _, mark := range []string{"total ", " of "} {
			if _, rest, ok := strings.Cut(body[at:], mark); ok {
				digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
				total, _ = strconv.Atoi(digits)
				break
			}
		}
		body = body[:at]
	}
	return body, total
}

func describeNamedSkill(c *Call) error {
	var in struct {
		Name fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Rest = in.Rest
	c.target("name", string(in.Name), 160)
	if !c.failed() {
		c.read(Section{Text: c.text()})
	}
	return nil
}
