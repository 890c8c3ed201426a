package sitegen

import (
	"testing"
	"time"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestFilter(t *testing.T) {
	c := candidate{
		"work/Ledger-API", "-home-mara-work-ledger-api",
		[]string{
			"/home/mara/work/Ledger-API/cmd", "/home/mara/work/Ledger-API",
		}, []string{"ab12cd34", "ef56"}, at("2026-05-01T10:00:00Z"), at("2026-05-03T10:00:00Z"), "/p/aa11.jsonl",
		"claude-code",
	}
	windows := candidate{
		"shelf", "C--Users-Noor-shelf", []string{`C:\Users\Noor\shelf`}, []string{"x"}, time.Time{}, time.Time{}, "",
		"tern",
	}
	for _, test := range []struct {
		f    Filter
		c    candidate
		want bool
	}{
		{Filter{}, c, true},
		{Filter{}, windows, true},
		{Filter{Choice: "--branch x", Files: []string{"/p/aa11.jsonl"}}, c, true},
		{Filter{Choice: "--branch x", Files: []string{"/p/aa11.jsonl"}}, windows, false},
		{Filter{Choice: "--branch x"}, c, false},
		{Filter{Since: at("2026-05-02T00:00:00Z")}, c, true}, // was active in between
		{Filter{Since: at("2026-05-03T10:00:01Z")}, c, false},
		{Filter{Until: at("2026-05-01T10:00:00Z")}, c, true},
		{Filter{Until: at("2026-05-01T09:59:59Z")}, c, false},
		{Filter{Since: at("2020-01-01T00:00:00Z")}, windows, false}, // without a time, it is not recent
		{Filter{Until: at("2030-01-01T00:00:00Z")}, windows, false},
		{Filter{Agents: []string{"dunlin", "tern"}}, windows, true},
		{Filter{Agents: []string{"dunlin", "tern"}}, c, false},
		{Filter{Projects: []string{"ledger-*"}}, c, true},
		{Filter{Projects: []string{"ledger"}}, c, false},
		{Filter{Projects: []string{"other", "ledger-api"}}, c, true},
		{Filter{Projects: []string{"/home/mara/work/*"}}, c, true},
		{Filter{Projects: []string{"/home/mara/"}}, c, true},
		{Filter{Projects: []string{"/home/noor"}}, c, false},
		{Filter{Projects: []string{"C:/Users/*"}}, windows, true},
		// Any suffix of the path matches, whatever name lists give the project beside others.
		{Filter{Projects: []string{"ledger-api"}}, c, true},
		{Filter{Projects: []string{"Work/ledger-api/"}}, c, true},
		{Filter{Projects: []string{"mara/*/ledger-*"}}, c, true},
		{Filter{Projects: []string{"api"}}, c, false},
		{Filter{Projects: []string{"work"}}, c, false},
		{Filter{Projects: []string{"noor/shelf"}}, windows, true},
		{Filter{Projects: []string{"-home-mara-work-ledger-api"}}, c, true},
		{Filter{Projects: []string{"-home-mara-*"}}, c, true},
		// a name as in lists
		{Filter{Projects: []string{"shelf-1a2b3c4d"}}, candidate{project: "shelf-1a2b3c4d"}, true},
		// a pattern does not match the added hash, which depends on other projects
		{Filter{Projects: []string{"shelf-*"}}, candidate{project: "shelf-1a2b3c4d"}, false},
		{Filter{Sessions: []string{"ab1"}}, c, true},
		{Filter{Sessions: []string{"ef56"}}, c, true},
		{Filter{Sessions: []string{"f56", ""}}, c, false},
		{Filter{Sessions: []string{"ab1"}, Projects: []string{"other"}}, c, false},
	} {
		if got := test.f.has(test.c); got != test.want {
			t.Errorf("filter %q on %s: got %v, want %v", test.f, test.c.project, got, test.want)
		}
	}
	if err := CheckPattern("a["); err == nil {
		t.Error("the pattern a[ is accepted, want an error")
	}
}
