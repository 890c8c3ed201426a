package render

import (
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		14 * time.Second:                    "14 s",
		time.Minute:                         "1m",
		119 * time.Second:                   "2m",
		59*time.Minute + 29*time.Second:     "59m",
		59*time.Minute + 31*time.Second:     "1h 00m",
		72 * time.Minute:                    "1h 12m",
		76*time.Hour + 20*time.Minute + 999: "3d 4h",
	} {
		if got := span(d); got != want {
			t.Errorf("span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestStamp(t *testing.T) {
	if got := clock(time.Time{}); got != (stamp{}) {
		t.Errorf("clock of no time = %+v, want nothing", got)
	}
	at := time.Date(2026, 3, 2, 23, 30, 5, 0, time.FixedZone("", -3600))
	want := stamp{ISO: "2026-03-03T00:30:05Z", Text: "Tue 3 Mar 2026, 00:30", Form: "datetime"}
	if got := moment(at); got != want {
		t.Errorf("moment = %+v, want %+v: times on pages are UTC", got, want)
	}
}
