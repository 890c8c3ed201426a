// Package words formats numbers for people, in English: counts, sizes, durations, costs. It never knows what they
// count. It also shortens texts to a line.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Dot stands between facts of a text on a page. It is never at the beginning or the end of a line.
const Dot = "\u00a0·\u00a0"

// Count formats a number with separated thousands: 1,204.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural formats a count with its noun: 1 line, 1,204 lines.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// One is the noun of a count that stands elsewhere.
func One(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// More says how many a list leaves out, "" for none: and 1,204 more.
func More(n int) string {
	if n <= 0 {
		return ""
	}
	return "and " + Count(n) + " more"
}

// Percent formats a share: 12 %. What is there is never 0 %.
func Percent(n, of int) string {
	p := n * 100 / max(of, 1)
	if p == 0 && n > 0 {
		return "<1 %"
	}
	return Count(p) + " %"
}

// In counts the words of a text, which blanks separate.
func In(text string) int {
	n := 0
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

// Short formats a large number with three digits: 96k, 9.8k, 1.3M.
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

// Size formats a number of bytes: 812 B, 35.8 KB, 2.1 MB.
func Size(n int) string {
	switch f := float64(n); {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case f < 999_950:
		return fmt.Sprintf("%.1f KB", f/1e3)
	default:
		return fmt.Sprintf("%.1f MB", f/1e6)
	}
}

// Duration formats a duration: 26 ms, 8.4 s, 2m 41s, 1h 12m, 3d 4h.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second-50*time.Millisecond: // otherwise it rounds to 10.0 s
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	case d < time.Minute-500*time.Millisecond: // otherwise it rounds to 60 s
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

// Span formats a long time without its seconds: 14 s, 13m, 1h 12m.
func Span(d time.Duration) string {
	if m := d.Round(time.Minute); time.Minute <= d && m < time.Hour {
		return fmt.Sprintf("%dm", int(m.Minutes()))
	} else if m == time.Hour {
		d = m
	}
	return Duration(d)
}

// Dollars formats an amount of money: $2.14, $0.0042, $1,204.00. An amount that would round to zero is <$0.0001.
func Dollars(f float64) string {
	if f > 0 && f < 0.00005 {
		return "<$0.0001"
	}
	if f > 0 && f < 0.01 {
		return fmt.Sprintf("$%.4f", f)
	}
	whole, cents, _ := strings.Cut(fmt.Sprintf("%.2f", f), ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return "$" + whole
	}
	return "$" + Count(n) + "." + cents
}

// Amount formats a number with at most two decimals: 0.33, 6, 1,565.
func Amount(f float64) string {
	if math.Abs(f) >= 100 {
		return Count(int(math.Round(min(max(f, -1e15), 1e15))))
	}
	return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
}

// Set returns the set of blank-separated phrases, in which "+" is a blank.
func Set(phrases string) map[string]bool {
	set := make(map[string]bool)
	for p := range strings.FieldsSeq(phrases) {
		set[strings.ReplaceAll(p, "+", " ")] = true
	}
	return set
}
