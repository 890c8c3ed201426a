package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTellDeletions: on a terminal, the viewer reports the sessions that Claude Code will delete within a week. It
// computes them from Claude Code's settings and the times of the logs in its default folder.
func TestTellDeletions(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	config, elsewhere := t.TempDir(), t.TempDir()
	put := func(name string, days float64) {
		t.Helper()
		name = filepath.FromSlash(name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		at := now.Add(-time.Duration(days * 24 * float64(time.Hour)))
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	projects := filepath.Join(config, "projects")
	put(projects+"/-w/a.jsonl", 31)
	put(projects+"/-w/b.jsonl", 23.1)
	put(projects+"/-w/c.jsonl", 22.9)
	put(projects+"/-w/agent-1.jsonl", 29)             // not a session
	put(projects+"/-w/b/subagents/agent-2.jsonl", 29) // not a session either
	put(config+"/.codex/sessions/rollout-1.jsonl", 29)
	put(elsewhere+"/-w/d.jsonl", 29)
	t.Setenv("HOME", config)
	t.Setenv("USERPROFILE", config)

	const two = "viewer: 2 sessions will be deleted by Claude Code within 7 days; viewer archive keeps them\n"
	const one = "viewer: 1 session will be deleted by Claude Code within 7 days; viewer archive keeps it\n"
	for _, c := range []struct {
		name, settings string
		configured     string // CLAUDE_CONFIG_DIR
		sources        []string
		piped          bool // standard error is not a terminal
		quiet          bool
		want           string
	}{
		{name: "by default", want: two},
		{name: "settings that say nothing", settings: `{"model":"opus"}`, want: two},
		{name: "the usual folder by its name", sources: []string{elsewhere, projects + "/"}, want: two},
		{name: "longer", settings: `{"cleanupPeriodDays":36}`, want: one},
		{name: "nearly for ever", settings: `{"cleanupPeriodDays":99999999999}`},
		{name: "shorter", settings: `{"cleanupPeriodDays":29.85}`,
			want: "viewer: 3 sessions will be deleted by Claude Code within 7 days; viewer archive keeps them\n"},
		{name: "no number of days", settings: `{"cleanupPeriodDays":"many"}`},
		{name: "no days", settings: `{"cleanupPeriodDays":0}`},
		{name: "no settings but half of them", settings: `{"cleanup`},
		{name: "another folder", sources: []string{elsewhere}},
		{name: "a bucket", sources: []string{"s3://bucket/projects"}},
		{name: "no terminal", piped: true},
		{name: "quiet", quiet: true},
		{name: "nothing is there", configured: elsewhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.configured
			if dir == "" {
				dir = config
			}
			t.Setenv("CLAUDE_CONFIG_DIR", dir)
			settings := filepath.Join(config, "settings.json")
			if err := os.RemoveAll(settings); err != nil {
				t.Fatal(err)
			}
			if c.settings != "" {
				if err := os.WriteFile(settings, []byte(c.settings), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var out, output bytes.Buffer
			u := newUI(&out, &output)
			u.quiet = c.quiet
			u.tellDeletions(!c.piped, c.sources, now)
			if output.String() != c.want || out.Len() > 0 {
				t.Errorf("got  %q\nwant %q", output.String(), c.want)
			}
		})
	}
}
