package page

import (
	"testing"
	"time"
)

func TestStamp(t *testing.T) {
	if got := Clock(time.Time{}); got != (Stamp{}) {
		t.Errorf("Clock of no time = %+v, want nothing", got)
	}
	at := time.Date(2026, 3, 2, 23, 30, 5, 0, time.FixedZone("", -3600))
	want := Stamp{ISO: "2026-03-03T00:30:05Z", Text: "Tue 3 Mar 2026, 00:30", Form: "datetime"}
	if got := Moment(at); got != want {
		t.Errorf("Moment = %+v, want %+v: times on pages are UTC", got, want)
	}
}
