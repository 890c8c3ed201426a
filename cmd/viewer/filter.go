package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
		p = projectPath(p)
		if err := sitegen.CheckPattern(p); err != nil {
			return chosen, usagef("--project: %w", err)
		}
		chosen.Projects = append(chosen.Projects, p)
	}
	return chosen, nil
}

// projectPath returns a pattern as one for absolute paths if it begins at the working directory or the home folder:
// --project . is the project here. Patterns have slashes, also those of paths of Windows.
func projectPath(pattern string) string {
	if pattern = filepath.ToSlash(pattern); len(pattern) > 2 && pattern[1:3] == `:\` {
		pattern = strings.ReplaceAll(pattern, `\`, "/")
	}
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
