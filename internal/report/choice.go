package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/export"
	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/words"
)

// A Candidate is a session that a report may be about.
type Candidate struct {
	File         string
	Project      string
	Branches     []string // its branches, in order
	Start, End   time.Time
	PullRequests []string // addresses of pull requests that it opened or changed, or that its log is linked with
	Commits      []Commit // that it made
}

// A Commit is a commit of a session or of a repository.
type Commit struct {
	SHA     string // abbreviated as in the log, complete for a repository
	Subject string
	Time    time.Time // author date, for a repository
}

// A Choice has the sessions that a report is about.
type Choice struct {
	Files []string
	Why   string // one line: how many of how many, and why they were chosen
}

// OnBranch chooses the sessions that were on a branch at some time.
func OnBranch(all []Candidate, branch string) Choice {
	var c Choice
	for _, s := range all {
		if slices.Contains(s.Branches, branch) {
			c.Files = append(c.Files, s.File)
		}
	}
	c.Why = c.count(all) + ": on branch " + branch
	return c
}

// count returns "2 of 14 sessions".
func (c *Choice) count(all []Candidate) string {
	return words.Count(len(c.Files)) + " of " + words.Plural(len(all), "session", "sessions")
}

// GitOf returns the pull requests and the commits of a session. They share no memory with it.
func GitOf(s export.Session) (pullRequests []string, commits []Commit) {
	facts := outcome.Of(s.Conversation, s.Spilled)
	for _, pr := range facts.PullRequests {
		if markup.Link(pr.URL) != "" {
			pullRequests = append(pullRequests, strings.Clone(pr.URL))
		}
	}
	for _, c := range facts.Commits {
		commits = append(commits, Commit{SHA: strings.Clone(c.SHA), Subject: strings.Clone(c.Subject)})
	}
	return pullRequests, commits
}

// minSHA is the minimum number of digits that identify a commit.
const minSHA = 7

// OfCommits chooses the sessions that made commits of a range. A commit that was rebased later is recognized by its
// subject and by its author date, which must be during the session.
func OfCommits(all []Candidate, made []Commit, called string) Choice {
	var c Choice
	byHash, bySubject := 0, 0
	for _, s := range all {
		hash, subject := s.made(made)
		if hash+subject == 0 {
			continue
		}
		c.Files = append(c.Files, s.File)
		byHash, bySubject = byHash+hash, bySubject+subject
	}
	c.Why = fmt.Sprintf("%s: they made %s of %s of %s", c.count(all), words.Count(byHash+bySubject),
		words.Plural(len(made), "commit", "commits"), called)
	if bySubject > 0 {
		c.Why += fmt.Sprintf(", %s known by subject and time", words.Count(bySubject))
	}
	return c
}

// made counts the commits of a range that the session made.
func (s *Candidate) made(all []Commit) (byHash, bySubject int) {
	for _, commit := range all {
		switch {
		case slices.ContainsFunc(s.Commits, func(own Commit) bool {
			return len(own.SHA) >= minSHA && strings.HasPrefix(commit.SHA, own.SHA)
		}):
			byHash++
		case slices.ContainsFunc(s.Commits, func(own Commit) bool {
			return own.Subject != "" && own.Subject == commit.Subject &&
				!commit.Time.Before(s.Start.Truncate(time.Second)) && !commit.Time.After(s.End.Add(time.Second))
		}):
			bySubject++
		}
	}
	return byHash, bySubject
}

// sharedBranches are branches that many pull requests start from. A session on one of them may belong to any.
var sharedBranches = []string{"main", "master", "develop", "trunk", "dev", "HEAD"}

// OfPullRequest chooses the sessions that are linked with a pull request, and other sessions on their branches. If a
// branch served several pull requests, it chooses the sessions up to the last that is linked with this one. The pull
// request is given by its number or its address. A number that several repositories have is an error.
func OfPullRequest(all []Candidate, ref string) (Choice, error) {
	var c Choice
	number := strings.TrimLeft(ref, "#!")
	repositories := make(map[string]bool)
	is := func(address string) bool {
		if strings.Contains(ref, "/") {
			return strings.TrimSuffix(ref, "/") == address
		}
		at := strings.LastIndexByte(address, '/')
		return address[at+1:] == number
	}
	linked := make([]bool, len(all))
	n := 0
	for i, s := range all {
		for _, address := range s.PullRequests {
			if is(address) {
				repositories[address] = true
				linked[i] = true
			}
		}
		if linked[i] {
			n++
		}
	}
	if len(repositories) > 1 {
		addresses := slices.Sorted(maps.Keys(repositories))
		return c, fmt.Errorf("%s is of several repositories: give one of %s", ref, strings.Join(addresses, ", "))
	}
	for i, s := range all {
		if linked[i] || s.followed(all, linked) {
			c.Files = append(c.Files, s.File)
		}
	}
	if _, err := strconv.Atoi(number); err == nil {
		ref = "#" + number
	}
	c.Why = fmt.Sprintf("%s: %s linked with %s", c.count(all), words.Count(n), ref)
	if more := len(c.Files) - n; more > 0 {
		c.Why += fmt.Sprintf(", %s more on its branch at the time", words.Count(more))
	}
	return c, nil
}

// followed reports whether the session was on a branch of the pull request during the work on it. This is the case if
// the next session on the branch that is linked with any pull request, or else the last such one, is linked with it.
func (s *Candidate) followed(all []Candidate, linked []bool) bool {
	for _, branch := range s.Branches {
		if slices.Contains(sharedBranches, branch) {
			continue
		}
		var own []int
		for i, other := range all {
			if len(other.PullRequests) > 0 && other.Project == s.Project && slices.Contains(other.Branches, branch) {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(all[a].End.Unix(), all[b].End.Unix()) })
		next := slices.IndexFunc(own, func(i int) bool { return !all[i].End.Before(s.Start) })
		if next < 0 {
			next = len(own) - 1
		}
		if linked[own[next]] {
			return true
		}
	}
	return false
}
