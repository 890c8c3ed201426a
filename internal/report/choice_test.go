package report

import (
	"strings"
	"testing"
	"time"
)

// TestChoices: which sessions a report is about, and why.
func TestChoices(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 5, n, 10, 0, 0, 0, time.UTC) }
	const seven, eight = "https://example.org/tides/pull/7", "https://example.org/tides/pull/8"
	session := func(file string, at int, branches string, requests ...string) Candidate {
		return Candidate{
			File: file, Project: "tides", Branches: strings.Fields(branches), Start: day(at),
			End: day(at).Add(time.Hour), PullRequests: requests,
		}
	}
	all := []Candidate{
		session("before", 1, "main pump"), session("opens7", 2, "main pump", seven), session("between", 3, "pump"),
		session("opens8", 4, "pump", eight), session("after", 5, "pump"), session("other", 2, "main"),
		{File: "elsewhere", Project: "roof", Branches: []string{"pump"}, Start: day(1), End: day(1)},
	}
	all[1].Commits = []Commit{{SHA: "0123456", Subject: "Mend it"}, {SHA: "abcd", Subject: "Too short"}}
	all[4].Commits = []Commit{{SHA: "fedcba9", Subject: "Rebased"}}
	all[5].Commits = []Commit{{SHA: "9999999", Subject: "Rebased"}}
	for _, c := range []struct{ by, of, want string }{
		{"branch", "pump",
			"before opens7 between opens8 after elsewhere: 6 of 7 sessions: on branch pump"},
		{"branch", "none", ": 0 of 7 sessions: on branch none"},
		{"pr", "7", "before opens7: 2 of 7 sessions: 1 linked with #7, 1 more on its branch at the time"},
		{"pr", "#8",
			"between opens8 after: 3 of 7 sessions: 1 linked with #8, 2 more on its branch at the time"},
		{"pr", seven, "before opens7: 2 of 7 sessions: 1 linked with " + seven +
			", 1 more on its branch at the time"},
		{"pr", "9", ": 0 of 7 sessions: 0 linked with #9"},
		{"commit", "a..b",
			"opens7 after: 2 of 7 sessions: they made 2 of 3 commits of a..b, 1 known by subject and time"},
	} {
		var got Choice
		var err error
		switch c.by {
		case "branch":
			got = OnBranch(all, c.of)
		case "pr":
			got, err = OfPullRequest(all, c.of)
		case "commit":
			got = OfCommits(all, []Commit{
				{SHA: "0123456789", Subject: "Mend it"}, {SHA: "aaaaaaaaaa", Subject: "Rebased", Time: day(5)},
				{SHA: "abcdabcdabcd", Subject: "x"},
			}, c.of)
		}
		if text := strings.Join(got.Files, " ") + ": " + got.Why; text != c.want || err != nil {
			t.Errorf("--%s %s: got %s (error %v)\nwant %s", c.by, c.of, text, err, c.want)
		}
	}
	all[6].PullRequests = []string{"https://example.org/roof/pull/7"}
	if _, err := OfPullRequest(all, "7"); err == nil || !strings.Contains(err.Error(), "roof/pull/7, "+seven) {
		t.Errorf("two repositories: got error %v, want both named", err)
	}
}
