package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// count writes a number with thousands separated: 1,204.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// short writes a large number in three digits: 96k, 9.8k, 1.3M.
func short(n int64) string {
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

// plural writes a count with its noun: 1 line, 1,204 lines.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// duration writes a span as people say it: 26 ms, 8.4 s, 2m 41s, 1h 12m, 3d 4h.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	case d < time.Minute-500*time.Millisecond: // else it rounds to 60 s
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < time.Minute:
		return "1m 00s"
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd %dh", int(d.Hours())/24, int(d.Hours())%24)
}

// span writes a long time without its seconds: 14 s, 13m, 1h 12m.
func span(d time.Duration) string {
	if m := d.Round(time.Minute); time.Minute <= d && m < time.Hour {
		return fmt.Sprintf("%dm", int(m.Minutes()))
	} else if m == time.Hour {
		d = m
	}
	return duration(d)
}

func millis(ms float64) string {
	if ms < 0 || ms > mostMillis {
		return ""
	}
	return duration(lasting(ms))
}

// mostMillis is some 280 years: what is longer does not fit a time.Duration.
const mostMillis = 9e12

// lasting is a span of milliseconds, 0 when it is none.
func lasting(ms float64) time.Duration {
	if !(ms > 0 && ms <= mostMillis) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
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

// A stamp is a moment for the time partial: machines read ISO, readers Text,
// and the script writes the local time in the same Form.
type stamp struct {
	ISO  string // "" when the log has no time
	Text string // UTC
	Form string // time, date or datetime
}

func clock(t time.Time) stamp { return newStamp(t, "time", "15:04:05") }

func day(t time.Time) stamp { return newStamp(t, "date", "Mon 2 Jan 2006") }

func moment(t time.Time) stamp { return newStamp(t, "datetime", "Mon 2 Jan 2006, 15:04") }

func newStamp(t time.Time, form, layout string) stamp {
	if t.IsZero() {
		return stamp{}
	}
	t = t.UTC()
	return stamp{ISO: t.Format(time.RFC3339), Text: t.Format(layout), Form: form}
}

// clip shortens a text to n characters, on a character.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// oneLine makes a text fit a row: its first lines joined, at most n characters.
func oneLine(s string, n int) string {
	if len(s) > 8*n { // enough, whatever the characters are
		s = s[:8*n]
	}
	return clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "), n)
}

// domain is an address without its scheme and query, for a row.
func domain(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	rest, _, _ = strings.Cut(rest, "?")
	return strings.TrimSuffix(rest, "/")
}

// stripANSI is terminal text without its escape sequences.
func stripANSI(s string) string { return ansi.Strip(s) }

// dollars writes money: $2.14, $0.0042, $1,204.00.
func dollars(f float64) string {
	if f > 0 && f < 0.01 {
		return fmt.Sprintf("$%.4f", f)
	}
	whole, cents, _ := strings.Cut(fmt.Sprintf("%.2f", f), ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return "$" + whole
	}
	return "$" + count(n) + "." + cents
}
