package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/changes"
	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/git"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

type blameFlags struct {
	redactFlags
	sources []string
	roots   []string
	since   string
	line    string
	asJSON  bool
	export  choice
	noPager bool
}

func newBlame(u *ui) *cobra.Command {
	var f blameFlags
	c := &cobra.Command{
		Use:   "blame FILE[:LINE]",
		Short: "Show which session, prompt and call wrote each line of a file",
		Long: `blame replays what the sessions did to a file, and says of each line as it is now
which call wrote it last: session, number of the prompt, tool and time.

A line is named after a call only where the log shows it. What a command, a hook, a
person or nobody known wrote is unknown, and so is a line that git has from a commit
before the session began. A line that only moved keeps its call. A line whose blanks
alone were changed since is unknown, too; the call behind it stands in parentheses.

In a repository git tells former names of the file, the commits of its lines, and the
other work trees, whose sessions are asked for lines that those of this one did not
write. --root does the same for sessions of another machine.

LINE is a number, or two: 7-12. With --export agent-trace the lines of calls are
written as an Agent Trace (https://agent-trace.dev).`,
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
		RunE: func(c *cobra.Command, args []string) error { return blame(c.Context(), u, f, args[0]) },
	}
	c.Flags().StringArrayVar(&f.sources, "source", nil,
		"`FOLDER` with sessions, instead of the usual ones; may be repeated")
	c.Flags().StringArrayVar(&f.roots, "root", nil,
		"`FOLDER` that the repository is in, in the logs of another machine; may be repeated")
	c.Flags().StringVar(&f.since, "since", "",
		"only calls at `TIME` or later: a date, 2026-05, yesterday, \"2 days ago\"")
	c.Flags().StringVar(&f.line, "line", "", "only these `LINES`: 7 or 7-12")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	choose(c, &f.export, "export", "", []string{agentTrace}, "write another form")
	c.Flags().BoolVar(&f.noPager, "no-pager", false, "print all of it at once")
	f.add(c)
	return c
}

const agentTrace = "agent-trace"

// A blamed is a file with the writers of its lines.
type blamed struct {
	file  string // as given
	path  string // absolute
	repo  git.File
	lines []blamedLine // the selected ones
	calls map[string]sitegen.FileCall
}

// A blamedLine is a line of a file.
type blamedLine struct {
	number int
	text   string
	call   *sitegen.FileStep // that wrote it, nil where that is unknown
	words  *sitegen.FileStep // that wrote it except for blanks, if call is nil
	commit git.Commit        // that added it
}

func blame(ctx context.Context, u *ui, f blameFlags, arg string) error {
	file, lines, err := fileAndLine(arg)
	if err != nil {
		return usagef("%w", err)
	}
	if f.line != "" {
		if lines, err = parseLines(f.line); err != nil {
			return usagef("--line %w", err)
		}
	}
	if f.asJSON && f.export.value != "" {
		return usagef("--json and --export exclude each other")
	}
	var since time.Time
	if f.since != "" {
		if since, err = parseWhen(f.since, time.Now(), false); err != nil {
			return usagef("--since: %w", err)
		}
	}
	b, err := f.answer(ctx, u, file, lines, since)
	if err != nil || len(b.lines) == 0 && !f.asJSON && f.export.value == "" {
		return err
	}
	switch {
	case f.asJSON:
		return u.printJSON(b.json(), " ")
	case f.export.value == agentTrace:
		trace, err := json.Marshal(b.agentTrace()) // on one line, as files of traces have it
		u.print("%s\n", console.JSON(trace))
		return err
	}
	table := []byte(b.table(u.colors(u.out)))
	if f.noPager {
		return u.printAll(table)
	}
	return u.page(table)
}

// answer finds the writers of some lines of a file. An empty file is an error.
func (f blameFlags) answer(ctx context.Context, u *ui, file string, lines lineRange, since time.Time) (*blamed, error) {
	text, err := readBlamed(file)
	if err != nil {
		return nil, err
	}
	n := changes.CountLines(text)
	if n == 0 && !f.asJSON && f.export.value == "" {
		u.line("%s is empty", file)
		return &blamed{file: file}, nil
	}
	if n > changes.MaxLines {
		return nil, fmt.Errorf("%s is too large: %s lines, at most %s", file, words.Count(n),
			words.Count(changes.MaxLines))
	}
	if lines.from > n {
		return nil, usagef("%s has %s, not %d", file, words.Plural(n, "line", "lines"), lines.from)
	}
	o := sitegen.Options{
		Sources: f.sources, Filter: sitegen.Filter{Since: since}, Redaction: f.redaction(), Version: version,
		Fault: u.leftOut, Unread: u.unread,
	}
	b, err := blameFile(ctx, u, o, blameQuery{file, text, since, f.roots})
	if err != nil {
		return nil, err
	}
	b.lines = slices.DeleteFunc(b.lines, func(l blamedLine) bool { return !lines.has(l.number) })
	return b, nil
}

// A blameQuery is a question to the sessions about one file.
type blameQuery struct {
	file, text string
	since      time.Time
	roots      []string // other paths of the repository
}

// blameFile finds the writer of each line of a text.
func blameFile(ctx context.Context, u *ui, o sitegen.Options, q blameQuery) (*blamed, error) {
	file, since := q.file, q.since
	names, whole, err := namesOf(file)
	if err != nil {
		return nil, err
	}
	b := &blamed{file: file, path: whole, repo: git.ReadFile(ctx, whole)}
	for _, former := range b.repo.Names {
		names[changes.CleanNative(former.Path)] = changes.CleanNative(former.Path)
	}
	b.repo.AddTrees(ctx, names, whole, q.roots)
	h, err := sitegen.History(ctx, o, names)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if err := missing(h, file, o.Sources, since); err != nil {
		return nil, err
	}
	if h.Problems > 0 {
		u.warn("%s in the sessions that touched %s: viewer check lists them", words.Plural(h.Problems, "problem",
			"problems"), file)
	}
	b.take(h, q.text, since)
	return b, b.describe(h)
}

// missing returns why no session can have written the file.
func missing(h *sitegen.FileHistory, file string, sources []string, since time.Time) error {
	if slices.ContainsFunc(h.Steps, func(s sitegen.FileStep) bool { return !s.OnlyReads() }) {
		return nil
	}
	where := cmp.Or(strings.Join(sources, ", "), sitegen.UsualWords())
	if !since.IsZero() {
		where += " since " + since.Format("2006-01-02 15:04")
	}
	if !h.Covered {
		return failure.New(fmt.Errorf("%s is in the folder of no session in %s", file, where),
			"--source says where the sessions are, --root what the folder of the repository is called in them")
	}
	return failure.New(fmt.Errorf("no session in %s changed %s with an edit tool", where, file),
		"what commands and people write is not in the logs as text")
}

// take replays the calls of all sessions: first those on the file itself, then, for lines without a writer, those on
// the file in other work trees.
func (b *blamed) take(h *sitegen.FileHistory, text string, since time.Time) {
	lines := changes.SplitLines(text)
	commits := b.repo.CommitsOf(lines)
	for i, line := range lines {
		b.lines = append(b.lines, blamedLine{number: i + 1, text: line, commit: commits[i]})
	}
	steps := b.steps(h)
	byID := make(map[string]*sitegen.FileStep)
	for i := range h.Steps {
		byID[stepKey(&h.Steps[i].Step)] = &h.Steps[i]
	}
	for _, name := range append([]string{changes.CleanNative(b.path)}, b.otherTrees(h)...) {
		all := append(slices.Clone(steps), changes.ReadStep(name, text))
		for _, f := range changes.Replay(all, changes.Options{Path: name}).Files {
			by := func(writers []changes.Writer, line int, from git.Commit) *sitegen.FileStep {
				if line >= len(writers) || writers[line] < 0 {
					return nil
				}
				s := byID[stepKey(&all[writers[line]])]
				if s == nil || s.Time.Before(since) || !from.Time.IsZero() &&
					from.Time.Before(s.Session.Began.Truncate(time.Second)) {
					return nil
				}
				return s
			}
			for i := range b.lines {
				l := &b.lines[i]
				if l.call == nil {
					l.call = by(f.Writers, i, l.commit)
				}
				if l.words == nil {
					l.words = by(f.Words, i, l.commit)
				}
			}
		}
	}
	for i := range b.lines {
		if l := &b.lines[i]; l.call != nil {
			l.words = nil
		}
	}
}

// otherTrees returns the paths of the file in other work trees, the one that changed last first.
func (b *blamed) otherTrees(h *sitegen.FileHistory) []string {
	met := map[string]bool{changes.CleanNative(b.path): true}
	for _, former := range b.repo.Names {
		met[changes.CleanNative(former.Path)] = true
	}
	var all []string
	for i := range slices.Backward(h.Steps) {
		for _, op := range h.Steps[i].Ops {
			name := cmp.Or(op.To, op.Path)
			if !met[name] {
				all = append(all, name)
			}
			met[name] = true
		}
	}
	return all
}

// stepKey identifies a call among those of all sessions.
func stepKey(s *changes.Step) string { return s.ID + " " + s.Anchor + " " + s.Time.String() }

// steps returns the calls of all sessions and the renames that git knows. A rename is before the first call that uses
// the new name.
func (b *blamed) steps(h *sitegen.FileHistory) []changes.Step {
	steps := make([]changes.Step, len(h.Steps))
	turn := 0 // a block that was cut in one turn cannot be pasted in another
	for i := range h.Steps {
		if i > 0 && (h.Steps[i].Session != h.Steps[i-1].Session || h.Steps[i].Turn != h.Steps[i-1].Turn) {
			turn++
		}
		steps[i] = h.Steps[i].Step
		steps[i].Turn = turn
	}
	to := changes.CleanNative(b.path)
	for _, former := range b.repo.Names {
		from := changes.CleanNative(former.Path)
		at := slices.IndexFunc(steps, func(s changes.Step) bool { return s.Ops[0].Path == to })
		if late := slices.IndexFunc(steps,
			func(s changes.Step) bool { return s.Time.After(former.Till) }); late >= 0 && (at < 0 || late < at) {
			at = late
		}
		if at < 0 {
			at = len(steps)
		}
		steps = slices.Insert(steps, at, changes.RenameStep(from, to))
		to = from
	}
	return steps
}

// describe adds what the sessions know about their calls.
func (b *blamed) describe(h *sitegen.FileHistory) error {
	wanted := make(map[*sitegen.FileSession]map[string]bool)
	var order []*sitegen.FileSession
	for _, l := range b.lines {
		for _, s := range []*sitegen.FileStep{l.call, l.words} {
			if s == nil {
				continue
			}
			if wanted[s.Session] == nil {
				wanted[s.Session] = make(map[string]bool)
				order = append(order, s.Session)
			}
			wanted[s.Session][s.ID] = true
		}
	}
	b.calls = make(map[string]sitegen.FileCall)
	for _, s := range order {
		calls, err := h.Describe(s, wanted[s])
		if err != nil {
			return err
		}
		for id, call := range calls {
			b.calls[id] = call
		}
	}
	return nil
}
