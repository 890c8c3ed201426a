package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/blame"
	"viewer/internal/changes"
	"viewer/internal/console"
	"viewer/internal/sitegen"
	"viewer/internal/when"
	"viewer/internal/words"
)

type blameFlags struct {
	redactFlags
	sources []string
	roots   []string
	since   string
	line    string
	asJSON  bool
	export  wordFlag
	noPager bool
}

func newBlame(u *ui) *cobra.Command {
	var f blameFlags
	c := &cobra.Command{
		Use:   "blame FILE[:LINE]",
		Short: "Show which session, prompt and call wrote each line of a file",
		Long: `blame replays what sessions did to a file, and prints for each line as it is now which
call wrote it last: session, number of the prompt, tool and time.

A line is attributed to a call only if the logs show it. Lines of commands, hooks and
people are unknown, and so are lines that git has from a commit before the session
began. A line that moved keeps its call. If only its white space has changed since, it
is unknown, with the call in parentheses.

In a git repository, blame follows earlier names of the file, and searches sessions of
other work trees for lines that no session here wrote. --root does the same for
sessions of another machine.

LINE is a number or a range: 7-12. --export agent-trace writes the lines of calls as an
Agent Trace (https://agent-trace.dev).`,
		Example: `  viewer blame main.go
  viewer blame main.go:120
  viewer blame main.go --since "2 weeks ago" --json
  viewer blame main.go --source ci-logs --root /home/runner/work/app/app
  viewer blame main.go --export agent-trace >> .agent-trace/traces.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usagef("viewer blame takes one file, not %d", len(args))
			case args[0] == "":
				return usagef("viewer blame takes a file: its name is empty")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return printBlame(c.Context(), u, f, args[0]) },
	}
	addSource(c, &f.sources)
	c.Flags().StringArrayVar(&f.roots, "root", nil,
		"`FOLDER` of the repository in logs of another machine; may be repeated")
	c.Flags().StringVar(&f.since, "since", "",
		"only calls at `TIME` or later: a date, 2026-05, yesterday, \"2 days ago\"")
	c.Flags().StringVar(&f.line, "line", "", "only these `LINES`: 7 or 7-12")
	addJSON(c, &f.asJSON)
	addWord(c, &f.export, "export", "", []string{agentTrace}, "write another format")
	addNoPager(c, &f.noPager)
	f.add(c)
	return c
}

const agentTrace = "agent-trace"

func printBlame(ctx context.Context, u *ui, f blameFlags, arg string) error {
	file, lines, err := blame.Split(arg)
	if err != nil {
		return usagef("%w", err)
	}
	if f.line != "" {
		if lines, err = blame.ParseLines(f.line); err != nil {
			return usagef("--line %w", err)
		}
	}
	if f.asJSON && f.export.value != "" {
		return usagef("--json and --export cannot be combined")
	}
	var since time.Time
	if f.since != "" {
		if since, err = when.Parse(f.since, time.Now(), false); err != nil {
			return usagef("--since: %w", err)
		}
	}
	b, err := f.answer(ctx, u, file, lines, since)
	if err != nil || b.IsEmpty() && !f.asJSON && f.export.value == "" {
		return err
	}
	switch {
	case f.asJSON:
		return u.printJSON(b.Answer(), " ")
	case f.export.value == agentTrace:
		trace, err := json.Marshal(b.AgentTrace(version)) // on one line, as files of traces have it
		u.print("%s\n", console.JSON(trace))
		return err
	}
	table := []byte(b.Table(u.colors(u.out)))
	if f.noPager {
		return u.printAll(table)
	}
	return u.page(table)
}

// answer finds the writers of some lines of a file, and says when it is empty.
func (f blameFlags) answer(ctx context.Context, u *ui, file string, lines blame.Lines, since time.Time) (*blame.Result,
	error) {
	text, err := blame.ReadText(file)
	if err != nil {
		return nil, err
	}
	n := changes.CountLines(text)
	if n == 0 && !f.asJSON && f.export.value == "" {
		u.line("%s is empty", file)
		return blame.Empty(file), nil
	}
	if n > changes.MaxLines {
		return nil, fmt.Errorf("%s is too large: %s lines, at most %s", file, words.Count(n),
			words.Count(changes.MaxLines))
	}
	if lines.From > n {
		return nil, usagef("%s has %s, not %d", file, words.Plural(n, "line", "lines"), lines.From)
	}
	o := sitegen.Options{
		Sources: f.sources, Filter: sitegen.Filter{Since: since}, Redaction: f.redaction(), Version: version,
		Fault: u.leftOut, Unread: u.unread,
	}
	b, err := blame.File(ctx, o, blame.Query{File: file, Text: text, Since: since, Roots: f.roots, Lines: lines})
	if err == nil && b.Problems > 0 {
		u.warn("%s in the sessions that touched %s: viewer check lists them", words.Plural(b.Problems, "problem",
			"problems"), file)
	}
	return b, err
}
