package export

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"viewer/markup"
	"viewer/normalize"
	"viewer/stats"
)

// A Session is what is written.
type Session struct {
	Conversation *normalize.Conversation
	Project      string // its name, "" when there is none
	Totals       stats.Totals
	Spilled      map[string][]byte // long outputs that lie beside the session, by the name of their file
}

// Title is one line, never empty.
func (s Session) Title() string {
	if t := markup.Excerpt(s.Conversation.Facts.Title(), 120); t != "" {
		return t
	}
	if s.Conversation.ID != "" {
		return "Session " + clip(oneLine(s.Conversation.ID), 60)
	}
	return "Session without a name"
}

// facts are what stands below the title: project, branch, time, counts.
func (s Session) facts() []string {
	f := &s.Conversation.Facts
	var all []string
	add := func(text string) {
		if text != "" {
			all = append(all, text)
		}
	}
	add(oneLine(s.Project))
	if n := len(f.Branches); n > 0 {
		add(clip(oneLine(f.Branches[n-1]), 60))
	}
	add(span(f.Start, f.End))
	for _, m := range f.Models {
		add(clip(oneLine(m), 60))
	}
	t := s.Totals
	add(Plural(t.Prompts, "prompt", "prompts"))
	calls := Plural(t.Tools, "tool call", "tool calls")
	if t.Failed > 0 {
		calls += " (" + Count(int64(t.Failed)) + " failed)"
	}
	if t.Tools > 0 {
		add(calls)
	}
	if t.Agents > 0 {
		add(Plural(t.Agents, "agent", "agents"))
	}
	if t.Tokens() > 0 {
		add(Short(t.Usage.Context()) + " tokens in, " + Short(t.Usage.Output) + " out")
	}
	add(Cost(t.Cost))
	return all
}

// Cost writes what a session cost: "$2.14", "$2.14 (list price)", or "".
func Cost(c stats.Cost) string {
	switch {
	case c.Total() == 0:
		return ""
	case c.List > 0:
		return Dollars(c.Total().Dollars()) + " (list price)"
	}
	return Dollars(c.Total().Dollars())
}

// Dollars writes money: $2.14, $0.0042.
func Dollars(f float64) string {
	if f > 0 && f < 0.01 {
		return fmt.Sprintf("$%.4f", f)
	}
	return fmt.Sprintf("$%.2f", f)
}

func span(start, end time.Time) string {
	if start.IsZero() {
		return ""
	}
	s := start.UTC().Format("2006-01-02 15:04")
	switch {
	case end.Sub(start) < time.Minute:
	case end.UTC().Format(time.DateOnly) == start.UTC().Format(time.DateOnly):
		s += " to " + end.UTC().Format("15:04")
	default:
		s += " to " + end.UTC().Format("2006-01-02 15:04")
	}
	return s + " UTC"
}

func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("15:04:05")
}

// Duration writes a span as people say it: 26 ms, 8.4 s, 2m 41s, 1h 12m.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second-50*time.Millisecond:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	case d < time.Minute-500*time.Millisecond:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Hour:
		d = max(d, time.Minute)
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
}

// Count writes a number with thousands separated: 1,204.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short writes a large number in three digits: 96k, 9.8k, 1.3M.
func Short(n int64) string {
	f := float64(n)
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case f < 9950:
		return fmt.Sprintf("%.1fk", f/1e3)
	case f < 999_500:
		return fmt.Sprintf("%.0fk", f/1e3)
	case f < 9_950_000:
		return fmt.Sprintf("%.1fM", f/1e6)
	case f < 999_500_000:
		return fmt.Sprintf("%.0fM", f/1e6)
	}
	return fmt.Sprintf("%.1fG", f/1e9)
}

// Plural writes a count with its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(int64(n)) + " " + many
}

// size writes bytes: 812 B, 35.8 KB, 2.1 MB.
func size(n int) string {
	switch f := float64(n); {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case f < 999_950:
		return fmt.Sprintf("%.1f KB", f/1e3)
	default:
		return fmt.Sprintf("%.1f MB", f/1e6)
	}
}

// oneLine joins the lines of a text.
func oneLine(s string) string {
	if len(s) > 4096 { // longer is no line
		s = strings.ToValidUTF8(s[:4096], "") + "…"
	}
	return strings.Join(strings.Fields(s), " ")
}

// clip shortens a text to n characters.
func clip(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// stateWords say how a call ended when it did not simply succeed.
var stateWords = map[normalize.State]string{
	normalize.Failed:       "failed",
	normalize.Blocked:      "blocked by a hook",
	normalize.CallDeclined: "declined by the user",
	normalize.CallDenied:   "permission denied",
	normalize.Stopped:      "interrupted",
	normalize.Pending:      "no result yet",
	normalize.Missing:      "no result",
	normalize.Orphan:       "its call is not in the log",
}
