package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/sitegen"
	"viewer/internal/when"
)

// filterFlags are the flags that choose sessions, on every command that reads some.
type filterFlags struct {
	since, until       string
	projects, sessions []string
	agents             []string
}

func (f *filterFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.since, "since", "",
		"only sessions that were active at `TIME` or later: a date, 2026-05, yesterday, \"2 days ago\"")
	c.Flags().StringVar(&f.until, "until", "", "only sessions that began at `TIME` or before")
	c.Flags().StringArrayVar(&f.projects, "project", nil,
		"only projects whose path ends in `GLOB` (tides, work/*), or with this folder name; may be repeated")
	c.Flags().StringArrayVar(&f.sessions, "session", nil,
		"only the session with this `ID` or beginning of an id; may be repeated")
	c.Flags().StringSliceVar(&f.agents, "agent", nil,
		"only sessions of the coding agent with this `NAME`; several with commas, or repeated")
	_ = c.RegisterFlagCompletionFunc("agent",
		cobra.FixedCompletions(sitegen.AgentIDs(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("session", completeIDs) // fails only for an unknown flag
}

// filter returns the filter that the flags set.
func (f *filterFlags) filter() (sitegen.Filter, error) {
	chosen := sitegen.Filter{Sessions: f.sessions}
	now := time.Now()
	for _, flag := range []struct {
		name, text string
		last       bool
		to         *time.Time
	}{{"since", f.since, false, &chosen.Since}, {"until", f.until, true, &chosen.Until}} {
		if flag.text == "" {
			continue
		}
		at, err := when.Parse(flag.text, now, flag.last)
		if err != nil {
			return chosen, usagef("--%s: %w", flag.name, err)
		}
		*flag.to = at
	}
	for _, name := range f.agents {
		id, err := sitegen.AgentID(name)
		if err != nil {
			return chosen, usagef("--agent: %w", err)
		}
		chosen.Agents = append(chosen.Agents, id)
	}
	for _, p := range f.projects {
		if err := sitegen.CheckPattern(p); err != nil {
			return chosen, usagef("--project: %w", err)
		}
		chosen.Projects = append(chosen.Projects, projectPath(p))
	}
	return chosen, nil
}

// projectPath returns a pattern as one for absolute paths if it begins at the working directory or the home folder:
// --project . is the project here.
func projectPath(pattern string) string {
	from, rest := "", pattern
	switch first, after, _ := strings.Cut(pattern, "/"); first {
	case ".", "..":
		from, _ = filepath.Abs(first)
		rest = after
	case "~":
		from, _ = os.UserHomeDir()
		rest = after
	}
	if from == "" {
		return pattern
	}
	return strings.TrimSuffix(literal(from)+"/"+rest, "/")
}

// literal returns the pattern that only one path matches.
func literal(name string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(filepath.ToSlash(name))
}

// completeIDs lists the sessions of the sources on the command line, or of the usual ones.
func completeIDs(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	sources, _ := c.Flags().GetStringArray("source") // of commands that have this flag
	if len(sources) == 0 && c.Name() != "export" {
		sources = args
	}
	return sessionIDs(c.Context(), sources), cobra.ShellCompDirectiveNoFileComp
}

// completeSession completes the argument of export: an id or a file.
func completeSession(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	sources, _ := c.Flags().GetStringArray("source")
	return sessionIDs(c.Context(), sources), cobra.ShellCompDirectiveDefault
}

func sessionIDs(ctx context.Context, sources []string) []string {
	if ctx == nil {
		ctx = context.Background()
	}
	var all []string
	for _, s := range sitegen.IDs(ctx, sources) {
		all = append(all, cobra.CompletionWithDesc(s[0], s[1]))
	}
	return all
}

var _ pflag.Value = (*choice)(nil)

// A choice is a flag whose value is one of a few words.
type choice struct {
	value  string
	of     []string
	former []string // accepted too, but not listed
}

func (v *choice) String() string { return v.value }
func (v *choice) Type() string   { return "string" }

func (v *choice) Set(s string) error {
	if slices.Contains(v.of, s) || slices.Contains(v.former, s) {
		v.value = s
		return nil
	}
	return errNoChoice{v.of}
}

type errNoChoice struct{ of []string }

func (e errNoChoice) Error() string { return "use " + or(e.of) }

// choose adds such a flag, with its completion.
func choose(c *cobra.Command, v *choice, name, standard string, of []string, usage string) {
	v.value, v.of = standard, of
	c.Flags().Var(v, name, usage+": "+or(of))
	_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
}

// noMatch returns an error that says why no session is left of those in the sources. filters are the flags that select
// sessions, "" for none: then all sessions are empty.
func noMatch(sources []string, filters string) error {
	if filters != "" {
		return sitegen.None(fmt.Errorf("no session matches %s", filters))
	}
	where := sitegen.UsualWords()
	if len(sources) > 0 {
		where = strings.Join(sources, ", ")
	}
	return sitegen.None(fmt.Errorf("only empty sessions in %s", where))
}

// nothing returns reason, an error of sources. If it says that they have no session, a program with --json gets empty,
// and the reason as a message: to it, nothing is an answer like any other.
func nothing(u *ui, reason error, sources []string, asJSON bool, empty any) error {
	none := errors.Is(reason, sitegen.ErrNone) || len(sources) == 0 && errors.Is(reason, fs.ErrNotExist)
	if !none || !asJSON {
		return reason
	}
	u.line("%v", reason)
	if err := u.printJSON(empty, " "); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	return nil
}
