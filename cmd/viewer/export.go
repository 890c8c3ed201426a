package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/failure"
	"viewer/internal/settings"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

type exportFlags struct {
	format, level wordFlag
	calls         wordFlag
	out           string
	noThinking    bool
	redactFlags
	turns, from, to string
	at, tools       string
	sources         []string
	personal        bool
	pricing         string
	terminal        bool // that text is written to
	passwordFlags
}

// formats are the formats of export, each with the endings of files that select it.
var formats = []struct {
	name    string
	endings []string
}{
	{"md", []string{".md", ".markdown"}},
	{"html", []string{".html", ".htm"}},
	{"json", []string{".json"}},
	{"text", []string{".txt", ".text"}},
	{"api", nil},
	{"atif", nil},
	{"otlp", nil},
	{"messages", []string{".jsonl"}},
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func newExport(u *ui) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export SESSION",
		Short: "Write a session in another format: Markdown, one HTML file, JSON, text",
		Long: `export writes one session. SESSION is a file, an id or the beginning of one, or - for
standard input.

  md        Markdown for a forge or a model: prompts are sections, calls are folded
  html      one page that needs no other file
  json      turns, messages, calls and agents for programs, see
            docs/schema/conversation.json
  text      plain text
  api       what the model is sent: {"messages":[...]} in the form of the Messages API
  atif      a trajectory in Harbor's Agent Trajectory Interchange Format
  otlp      OpenTelemetry traces as JSON, one line for each prompt: spans of turns,
            requests, calls and agents
  messages  conversations for data sets, one a line: the session, then each agent, as
            messages of the Chat Completions API

Without --format, the ending of the output file selects the format; without a file or
an ending it is md.

--level, --no-thinking, --calls, --turns, --from and --to select parts. A MESSAGE is
the fragment of its link, a uuid or the id of an API message. A partial html page
contains nothing of the rest, not even in totals and lists, and says that it is a
part. --password and --password-file encrypt the page, which asks for the password
(see docs/publishing.md).

The format api is the request that would follow the log, or with --at the one that led
to a message. It has what the program sends after dropping, merging and converting
messages. For an agent, give the file of the agent.`,
		Example: `  viewer export ab12 > session.md
  viewer export ab12 -o session.html
  viewer export ab12 --turns 3-7 --no-thinking --calls rows -o part.html
  viewer export ab12 -o session.html --password
  viewer export ab12 --turns 3-7 --level chat --format text
  viewer export session.jsonl --format api --at '#1f3c9a' > request.json`,
		Args:              oneSession,
		ValidArgsFunction: completeSession,
		RunE:              func(c *cobra.Command, args []string) error { return exportSession(c, u, f, args[0]) },
	}
	addWord(c, &f.format, "format", "", formatNames(), "format")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write to `FILE` instead of standard output")
	f.level.former = export.FormerLevels
	addWord(c, &f.level, "level", export.Levels[export.Tools], export.Levels,
		"how much to write, not for json and api; html has everything by default")
	addWord(c, &f.calls, "calls", export.CallDetails[export.AllOfCalls], export.CallDetails,
		"how to write calls in html, md and text")
	f.addParts(c)
	c.Flags().StringVar(&f.at, "at", "", "api: the request that led to `MESSAGE`, or that contains it")
	c.Flags().StringVar(&f.tools, "tools", "",
		"api: `FILE` with the tools of the request, as JSON; references to others are left out")
	f.passwordFlags.add(c)
	f.addSources(c)
	return c
}

// addParts adds the flags that select parts of the session.
func (f *exportFlags) addParts(c *cobra.Command) {
	c.Flags().BoolVar(&f.noThinking, "no-thinking", false, "leave out the thinking of the model")
	c.Flags().StringVar(&f.turns, "turns", "", "only these `PROMPTS` and what followed each: 3, 3-7, 3-, 1,4-6")
	c.Flags().StringVar(&f.from, "from", "", "begin at `MESSAGE`")
	c.Flags().StringVar(&f.to, "to", "", "end with `MESSAGE`")
}

// addSources adds the flags for where to look for the session.
func (f *exportFlags) addSources(c *cobra.Command) {
	addSource(c, &f.sources)
	f.redactFlags.add(c)
	c.Flags().BoolVar(&f.personal, "personal", false, "also account data: e-mail address, organization")
	addPricing(c, &f.pricing)
}

// notFor are the flags that a format does not support.
var notFor = map[string][]string{
	"api":  {"level", "no-thinking", "calls", "turns", "from", "to", "password", "password-file"},
	"html": {"at", "tools"},
	"md":   notOfTexts, "text": notOfTexts, "json": append([]string{"level"}, notOfData...),
	"atif": notOfData, "otlp": notOfData, "messages": notOfData,
}

var (
	notOfTexts = []string{"at", "tools", "password", "password-file"}
	notOfData  = append([]string{"calls"}, notOfTexts...)
)

func exportSession(c *cobra.Command, u *ui, f exportFlags, session string) error {
	format := f.format.value
	if format == "" {
		if format = formatOf(f.out); format == "" {
			return usagef("-o %s: the ending %s is unsupported: %s; --format sets the format for a file of any name",
				f.out, filepath.Ext(f.out), or(allEndings()))
		}
	}
	for _, name := range notFor[format] {
		if u.from[name] == settings.ByCommandLine { // a setting may apply to other formats
			return usagef("--%s is unsupported with --format %s", name, format)
		}
	}
	// ATIF is read as a session whatever the name of the file is.
	out := outputFlag{"-o", sitegen.Output{Name: f.out, Session: format == "atif"}}
	if err := checkOutputs(c.Context(), append(f.sources, session), out); err != nil {
		return err
	}
	if format == "html" && u.from["level"] != settings.ByCommandLine {
		f.level.value = export.Levels[export.Everything] // who reads it chooses
	}
	password, err := f.password(u)
	if err != nil {
		return err
	}
	write := exportAs
	if format == "api" {
		write = exportAPI
	}
	in, err := readInput(c.Context(), u, []string{session})
	if err != nil {
		return err
	}
	defer in.drop()
	data, problems, err := write(c.Context(), f, format, in.files[0])
	session = cmp.Or(in.kept[in.files[0]], session)
	if err := exportError(session, in.named(err)); err != nil {
		return err
	}
	if password != "" {
		if data, err = sitegen.EncryptPage(data, password); err != nil {
			return fmt.Errorf("encrypting %s: %w", session, err)
		}
	}
	if problems > 0 {
		u.warn("%s in %s: viewer check lists them", words.Plural(problems, "problem", "problems"), session)
	}
	if err := u.put(cmp.Or(f.out, "-"), data); err != nil {
		return err
	}
	if f.out != "" && f.out != "-" {
		u.line("wrote %s", f.out)
	}
	return nil
}

// exportAs writes a session with its agents.
func exportAs(ctx context.Context, f exportFlags, format, session string) ([]byte, int, error) {
	level, err := export.ParseLevel(f.level.value)
	if err != nil {
		return nil, 0, failure.Usage{Err: err}
	}
	o := export.Options{Level: level, NoThinking: f.noThinking, From: f.from, To: f.to, Color: f.terminal}
	o.Calls = export.CallDetail(slices.Index(export.CallDetails, f.calls.value))
	if f.turns != "" {
		if o.Turns, err = export.ParseRange(f.turns); err != nil {
			return nil, 0, usagef("--turns %w: use 3, 3-7, 3- or 1,4-6", err)
		}
	}
	names := sitegen.Below
	if format == "json" {
		names = sitegen.Absolute
	}
	s, err := sitegen.OpenSession(ctx, sitegen.Options{
		Sources: f.sources, Personal: f.personal, Pricing: f.pricing, Redaction: f.redaction(),
		Version: version, Names: names,
		Originals: format == "html", // for net changes
	}, session)
	if err != nil {
		return nil, 0, err
	}
	problems := len(s.Conversation.Problems)
	var data []byte
	switch format {
	case "html":
		if data, err = sitegen.PartPage(s, o, f.part()); err == nil {
			data = console.HTML(data)
		}
	case "json":
		data, err = export.JSON(sitegen.Exported(s), o)
	case "text":
		data, err = export.Text(sitegen.Exported(s), o)
	case "atif":
		data, err = export.ATIF(sitegen.Exported(s), o)
	case "otlp":
		data, err = export.OTLP(sitegen.Exported(s), o)
	case "messages":
		data, err = export.Messages(sitegen.Exported(s), o)
	default:
		data, err = export.Markdown(sitegen.Exported(s), o)
	}
	if errors.Is(err, export.ErrNoTurns) {
		err = usagef("--turns %s: %w", f.turns, err)
	}
	return data, problems, err
}

// part describes the part of a session that is written, "" for all of it.
func (f *exportFlags) part() string {
	var said []string
	add := func(chosen bool, words string) {
		if chosen {
			said = append(said, words)
		}
	}
	if strings.ContainsAny(f.turns, ",-") {
		add(true, "prompts "+f.turns)
	} else {
		add(f.turns != "", "prompt "+f.turns)
	}
	add(f.from != "", "from #"+strings.TrimPrefix(f.from, "#"))
	add(f.to != "", "to #"+strings.TrimPrefix(f.to, "#"))
	add(f.level.value != export.Levels[export.Everything], "level "+f.level.value)
	add(f.noThinking, "without thoughts")
	switch f.calls.value {
	case export.CallDetails[export.CallRows]:
		add(true, "calls without their contents")
	case export.CallDetails[export.NoCalls]:
		add(true, "without calls")
	}
	return strings.Join(said, ", ")
}

// exportAPI writes the messages of a request.
func exportAPI(ctx context.Context, f exportFlags, _, session string) ([]byte, int, error) {
	r := export.Request{At: f.at, Personal: f.personal}
	if f.tools != "" {
		var err error
		if r.Tools, err = sitegen.ToolNames(f.tools); err != nil {
			return nil, 0, err
		}
	}
	c, err := sitegen.Open(ctx, sitegen.Options{
		Sources: f.sources, Personal: f.personal, Redaction: f.redaction(),
	}, session)
	if err != nil {
		return nil, 0, err
	}
	data, err := export.API(c, r)
	return data, len(c.Problems), err
}

// exportError adds a hint to an error of an export.
func exportError(session string, err error) error {
	var known *failure.Error
	var usage failure.Usage
	switch {
	case err == nil, errors.As(err, &known), errors.As(err, &usage):
		return err
	case errors.Is(err, export.ErrNoMessage):
		return &failure.Error{Err: err, Hint: "a message is named by the end of its link on the page, its uuid or the id of its API message"}
	case errors.Is(err, export.ErrNotSent):
		return &failure.Error{
			Err:  fmt.Errorf("exporting %s: %w", session, err),
			Hint: "--format json has the conversation as the log has it",
		}
	case errors.Is(err, export.ErrTakenBack):
		return &failure.Error{
			Err: err, Hint: "name a message that was not taken back: the others are not sent again",
		}
	}
	return fmt.Errorf("exporting %s: %w", session, err)
}
