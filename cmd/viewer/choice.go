package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/failure"
	"viewer/internal/git"
	"viewer/internal/report"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/redaction"
)

// choiceFlags choose the sessions of a report by what they did in a repository.
type choiceFlags struct {
	branch, commits, pr string
}

func (f *choiceFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.branch, "branch", "", "only sessions that were on branch `NAME`")
	c.Flags().StringVar(&f.commits, "commit", "",
		"only sessions that made a commit of `RANGE` (main..HEAD), or a single commit")
	c.Flags().StringVar(&f.pr, "pr", "",
		"only sessions of pull or merge request `N`, or of the one with this address")
}

// String returns the flags of the choice, "" for none.
func (f *choiceFlags) String() string {
	switch {
	case f.branch != "":
		return "--branch " + f.branch
	case f.commits != "":
		return "--commit " + f.commits
	case f.pr != "":
		return "--pr " + f.pr
	}
	return ""
}

// check returns an error for choices that cannot be combined.
func (f *choiceFlags) check() error {
	n := 0
	for _, value := range []string{f.branch, f.commits, f.pr} {
		if value != "" {
			n++
		}
	}
	if n > 1 {
		return usagef("--branch, --commit and --pr cannot be combined")
	}
	if f.pr == "" || strings.HasPrefix(f.pr, "https://") || strings.HasPrefix(f.pr, "http://") {
		return nil
	}
	if n, err := strconv.Atoi(strings.TrimLeft(f.pr, "#!")); err != nil || n < 1 {
		return usagef("--pr %s is invalid: use a number or an address", f.pr)
	}
	return nil
}

// here limits the choice to the sessions of the current repository, if there is one and nothing else was chosen.
func (f *choiceFlags) here(ctx context.Context, filter *sitegen.Filter) {
	folder, err := os.Getwd()
	if err != nil || len(filter.Projects) > 0 {
		return
	}
	for _, name := range git.WorkTrees(ctx, folder) {
		filter.Projects = append(filter.Projects, literal(filepath.FromSlash(name)))
	}
}

// choose selects the sessions of a report.
func (f *choiceFlags) choose(ctx context.Context, o sitegen.Options) (report.Choice, error) {
	var commits []report.Commit
	var choice report.Choice
	var err error
	if f.commits != "" {
		if commits, err = commitsOf(ctx, f.commits); err != nil {
			return choice, err
		}
	}
	// Names of users are redacted in branches and subjects, but compared as git has them. Nothing else is taken
	// from here.
	o.Redaction = redaction.Settings{Off: true}
	sessions, _, err := sitegen.List(ctx, o, sitegen.ListOptions{Git: sitegen.EverythingOfGit})
	if err != nil {
		return choice, err
	}
	all := make([]report.Candidate, len(sessions))
	for i, s := range sessions {
		all[i] = report.Candidate{
			File: s.File, Project: s.Project, Branches: s.Branches, Start: s.Start, End: s.End,
			PullRequests: s.PullRequests, Commits: s.Commits,
		}
	}
	switch {
	case f.branch != "":
		choice = report.OnBranch(all, f.branch)
	case f.pr != "":
		if choice, err = report.OfPullRequest(all, f.pr); err != nil {
			return choice, usagef("--pr %w", err)
		}
	default:
		choice = report.OfCommits(all, commits, f.commits)
	}
	if len(choice.Files) == 0 {
		return choice, failure.New(fmt.Errorf("%s: %w matches, of %d", f, sitegen.ErrNone, len(all)),
			"viewer list --by branch and --by pr show what sessions worked on; a folder of sessions can be given")
	}
	return choice, nil
}

// commitsOf returns the commits of a range, from git. Without a repository, one commit can be named by its hash.
func commitsOf(ctx context.Context, revisions string) ([]report.Commit, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, errors.New("the current folder no longer exists")
	}
	logged, err := git.Log(ctx, folder, revisions)
	if err != nil {
		if isHash(revisions) {
			return []report.Commit{{SHA: revisions}}, nil
		}
		if errors.Is(err, git.ErrNotInstalled) {
			return nil, failure.New(fmt.Errorf("--commit %s: git is not installed", revisions),
				"without it give the hash of a commit")
		}
		return nil, failure.New(fmt.Errorf("--commit %s: git finds no such commits here", revisions),
			"run it in the repository; without one give the hash of a commit")
	}
	var all []report.Commit
	for _, c := range logged {
		all = append(all, report.Commit{SHA: c.Hash, Subject: c.Subject, Time: c.Time})
	}
	return all, nil
}

// isHash reports whether a text may be the hash of a commit.
func isHash(s string) bool {
	return len(s) >= 7 && len(s) <= 64 && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}
