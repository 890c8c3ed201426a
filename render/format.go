package render

import (
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"

	"viewer/internal/words"
)

// Numbers and short texts as views have them.
var (
	count, plural, short = words.Count, words.Plural, words.Short
	duration, size       = words.Duration, words.Size
	dollars              = words.Dollars
	clip, oneLine        = words.Clip, words.Line
	millis, domain       = words.Milliseconds, words.Domain
)

// span writes a long time without its seconds: 14 s, 13m, 1h 12m.
func span(d time.Duration) string {
	if m := d.Round(time.Minute); time.Minute <= d && m < time.Hour {
		return fmt.Sprintf("%dm", int(m.Minutes()))
	} else if m == time.Hour {
		d = m
	}
	return duration(d)
}

// A stamp is a moment for the time partial: machines read ISO, readers Text,
// and the script writes the local time in the same Form.
type stamp struct {
	ISO  string // "" when the log has no time
	Text string // UTC
	Form string // what Text tells: date, datetime, or "" for the time of day
}

func clock(t time.Time) stamp { return newStamp(t, "", "15:04:05") }

func day(t time.Time) stamp { return newStamp(t, "date", "Mon 2 Jan 2006") }

func moment(t time.Time) stamp { return newStamp(t, "datetime", "Mon 2 Jan 2006, 15:04") }

func newStamp(t time.Time, form, layout string) stamp {
	if t.IsZero() {
		return stamp{}
	}
	t = t.UTC()
	return stamp{ISO: t.Format(time.RFC3339), Text: t.Format(layout), Form: form}
}

// stripANSI is terminal text without its escape sequences.
func stripANSI(s string) string { return ansi.Strip(s) }
