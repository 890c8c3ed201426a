package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// The tools of Cline's command line, most of which take a list.
var (
	_ = register(Tool{
		Name: "run_commands", Icon: "term", Label: "Bash", Action: Run, Template: "bash", Detail: Bash{},
		Describe: describeCommands, Commands: listedCommands,
	})
	_ = register(Tool{Name: "read_files", Icon: "file", Label: "Read", Action: Read, Describe: describeReadList})
	_ = register(Tool{Name: "search_codebase", Icon: "find", Label: "Grep", Action: Search, Describe: describeQueries})
	_ = register(Tool{
		Name: "fetch_web_content", Icon: "globe", Label: "WebFetch", Action: Fetch, Describe: describeFetches,
	})
	_ = register(Tool{
		Name: "editor", Has: "new_text", Icon: "edit", Label: "Edit", Action: Edit, Path: "path",
		Describe: describeEditor, Files: editorFiles,
	})
	_ = asks("ask_question")
	_ = final("submit_and_exit", "Task complete", "summary")
)

// listed returns the texts of the first value that the input has: a text, or a list of texts or objects.
func listed(read func(jsontext.Value) string, values ...jsontext.Value) []string {
	for _, v := range values {
		switch transcript.Kind(v) {
		case '"', '{':
			return words.NonEmpty(read(v))
		case '[':
			var all []string
			for e := range transcript.Elements(v) {
				all = append(all, words.NonEmpty(read(e))...)
			}
			return all
		}
	}
	return nil
}

// commandOf returns a command: a text, or a program and its arguments.
func commandOf(v jsontext.Value) string {
	if transcript.Kind(v) != '{' {
		return transcript.String(v)
	}
	all := []string{transcript.String(transcript.Field(v, "command"))}
	for e := range transcript.Elements(transcript.Field(v, "args")) {
		all = append(all, transcript.String(e))
	}
	return strings.Join(all, " ")
}

type commandsInput struct {
	Commands, Command, Cmd jsontext.Value
	fields.Extra
}

func (in *commandsInput) text() string {
	return strings.Join(listed(commandOf, in.Commands, in.Command, in.Cmd), "\n")
}

func listedCommands(input jsontext.Value) string {
	var in commandsInput
	if fields.Decode(input, &in) != nil {
		return ""
	}
	return in.text()
}

func describeCommands(c *Call) error {
	var in commandsInput
	if err := c.input(&in); err != nil {
		return err
	}
	if c.Command, c.Rest = in.text(), in.Rest; c.Command == "" {
		return errUnknown
	}
	c.Target, c.Failure = words.Line(c.Command, 160), true
	c.cutOff()
	c.commandEnd()
	return nil
}

// describeReadList describes files to read: paths, or objects with a range of lines.
func describeReadList(c *Call) error {
	read := func(v jsontext.Value) string {
		if transcript.Kind(v) != '{' {
			return c.Short(transcript.String(v))
		}
		lines := ""
		first, last := transcript.Field(v, "start_line"), transcript.Field(v, "end_line")
		if transcript.Kind(first) == '0' {
			lines = ":" + string(first)
			if transcript.Kind(last) == '0' {
				lines += "–" + string(last)
			}
		}
		return c.Short(transcript.String(transcript.Field(v, "path"))) + lines
	}
	var in struct {
		Files, Paths, FilePaths, Path jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	return c.list("files", in.Rest, listed(read, in.Files, in.Paths, in.FilePaths, in.Path))
}

func describeQueries(c *Call) error {
	var in struct {
		Queries jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	return c.list("queries", in.Rest, listed(transcript.String, in.Queries))
}

func describeFetches(c *Call) error {
	var in struct {
		Requests jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	return c.list("requests", in.Rest, listed(func(v jsontext.Value) string {
		address := transcript.String(transcript.Field(v, "url"))
		if prompt := transcript.String(transcript.Field(v, "prompt")); prompt != "" {
			address += " · " + prompt
		}
		return address
	}, in.Requests))
}

// list describes a call by the elements of its list, and the rest of its input.
func (c *Call) list(name string, rest jsontext.Value, texts []string) error {
	if len(texts) == 0 {
		return errUnknown
	}
	c.target(name, strings.Join(texts, ", "), 200)
	c.Rest = rest
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}

// An editorInput replaces a text, or inserts one, or makes a file.
type editorInput struct {
	Path, NewText fields.Text
	OldText       *fields.Text
	InsertLine    fields.Text
	fields.Extra
}

func (in *editorInput) replacement() Replacement {
	r := Replacement{New: string(in.NewText)}
	if in.OldText != nil {
		r.Old = string(*in.OldText)
	}
	return r
}

// creates reports whether the call makes a file: it has neither a text to replace nor a line.
func (in *editorInput) creates() bool { return in.replacement().Old == "" && in.InsertLine == "" }

func describeEditor(c *Call) error {
	var in editorInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.Path), in.Rest
	r := in.replacement()
	if overlong(r.Old, r.New) {
		return fields.ErrCrowded
	}
	ch := Change{Path: c.Path, Created: in.creates(), Hunks: markup.Edits(r.Old, r.New)}
	c.changed(ch)
	if ch.Created {
		c.fact("new file")
	}
	if in.InsertLine != "" {
		c.fact("at line " + string(in.InsertLine))
	}
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	return nil
}

func editorFiles(input, _ jsontext.Value) []FileOp {
	var in editorInput
	if fields.Decode(input, &in) != nil {
		return nil
	}
	return oneFile(ChangeFile, string(in.Path), func() FileTexts {
		if in.InsertLine != "" {
			return FileTexts{}
		}
		return FileTexts{Absent: in.creates(), Edits: []Replacement{in.replacement()}}
	})
}
