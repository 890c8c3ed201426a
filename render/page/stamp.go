package page

import "time"

// A Stamp is a time for the partial "time": ISO is for machines, Text for readers, and a script replaces it by the
// local time in the same Form.
type Stamp struct {
	ISO  string // "" when the log has no time
	Text string // UTC
	Form string // content of Text: date, datetime, or "" for the time of day
}

// Clock returns the time of day.
func Clock(t time.Time) Stamp { return NewStamp(t, "", "15:04:05") }

// Day returns the date.
func Day(t time.Time) Stamp { return NewStamp(t, "date", "Mon 2 Jan 2006") }

// Moment returns the date and the time of day.
func Moment(t time.Time) Stamp { return NewStamp(t, "datetime", "Mon 2 Jan 2006, 15:04") }

// NewStamp formats a time with a layout. form is its Stamp.Form.
func NewStamp(t time.Time, form, layout string) Stamp {
	if t.IsZero() {
		return Stamp{}
	}
	t = t.UTC()
	return Stamp{ISO: t.Format(time.RFC3339), Text: t.Format(layout), Form: form}
}

// ShortMoment returns the date without the year, and the time.
func ShortMoment(t time.Time) Stamp { return NewStamp(t, "datetime", "2 Jan 15:04") }
