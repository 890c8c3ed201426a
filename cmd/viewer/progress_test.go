package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"viewer/internal/sitegen"
)

// progressAt returns the progress of a build of 1,558 sessions, 200 MB, at a percentage.
func progressAt(percent int) sitegen.Progress {
	return sitegen.Progress{
		Sessions: 1558 * percent / 100, AllSessions: 1558, Bytes: 2_000_000 * int64(percent), AllBytes: 200_000_000,
	}
}

func TestSayProgress(t *testing.T) {
	for _, c := range []struct {
		percent int
		took    time.Duration
		want    string
	}{
		{20, time.Second, "311 of 1,558 sessions, 40 MB/s, 4s left"},
		{99, time.Second, "1,542 of 1,558 sessions, 198 MB/s, 1s left"},
		{10, 30 * time.Second, "155 of 1,558 sessions, 667 KB/s, 4m30s left"},
		{100, time.Second, "1,558 of 1,558 sessions, 200 MB/s"},
		{0, time.Second, "0 of 1,558 sessions"}, // empty files give no estimate
	} {
		if got := progressText(progressAt(c.percent), c.took); got != c.want {
			t.Errorf("%d %% in %s: got %q, want %q", c.percent, c.took, got, c.want)
		}
	}
	if got, want := progressText(sitegen.Progress{Sessions: 1, AllSessions: 1}, time.Second),
		"1 of 1 session"; got != want {
		t.Errorf("one empty session: got %q, want %q", got, want)
	}
}

// progressOutput simulates a build that takes so many seconds, one percent at a time, and returns what it prints.
func progressOutput(quiet bool, columns, seconds int) string {
	var out bytes.Buffer
	u := newUI(&out, &out)
	u.quiet = quiet
	p := newProgress(u)
	now := p.start
	p.now = func() time.Time { return now }
	p.columns = func() int { return columns }
	for percent := range 101 {
		now = p.start.Add(time.Duration(seconds) * time.Second * time.Duration(percent) / 100)
		p.update(progressAt(percent))
	}
	p.done()
	now = now.Add(time.Hour)
	p.update(progressAt(50)) // a later build of the same site prints nothing
	return out.String()
}

func TestProgressWithoutTerminal(t *testing.T) {
	want := "viewer: 529 of 1,558 sessions, 7 MB/s, 20s left\nviewer: 1,059 of 1,558 sessions, 7 MB/s, 10s left\n"
	if got := progressOutput(false, 0, 30); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := progressOutput(false, 0, 9); got != "" {
		t.Errorf("a short build prints %q, want nothing", got)
	}
	if narrow := progressOutput(false, 40, 30); strings.Contains(narrow, "\r") || narrow == "" {
		t.Errorf("got %q, want lines: 40 columns are too few for a bar", narrow)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	got := progressOutput(false, 120, 20)
	for _, part := range []string{"sessions", "MB/s", "left", "%", "\r"} {
		if !strings.Contains(got, part) {
			t.Errorf("the bar lacks %q: %q", part, got)
		}
	}
	if strings.Contains(got, "\x1b[3") {
		t.Errorf("the bar has colours, want none: %q", got)
	}
	if i := strings.LastIndex(got, "\r"); i != len(got)-1 {
		t.Errorf("the bar is not removed at the end: %q", got[max(0, i-100):])
	}
	for line := range strings.SplitSeq(got, "\r") {
		if n := len([]rune(line)); n > 119 {
			t.Errorf("a line has %d columns, want at most 119: %q", n, line)
		}
	}
}

func TestProgressQuiet(t *testing.T) {
	for _, columns := range []int{0, 120} {
		if got := progressOutput(true, columns, 60); got != "" {
			t.Errorf("with --quiet: got %q, want nothing", got)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"TERM", "xterm-256color", false},
		{"TERM", "dumb", true},
		{"CI", "true", true},
		{"CI", "1", true},
		{"NO_COLOR", "1", false}, // the bar has no colours
	} {
		got := plain(func(name string) string {
			if name == c.name {
				return c.value
			}
			return ""
		})
		if got != c.want {
			t.Errorf("%s=%s: got plain %t, want %t", c.name, c.value, got, c.want)
		}
	}
	if got := newUI(nil, new(bytes.Buffer)).columns(); got != 0 {
		t.Errorf("a buffer has %d columns, want 0", got)
	}
}
