package strip

import (
	"slices"
	"testing"
	"time"
)

func TestAxis(t *testing.T) {
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	at := func(d time.Duration) time.Time { return start.Add(d) }
	moment := func(d time.Duration) interval { return interval{at(d), at(d)} }
	for name, c := range map[string]struct {
		all    []interval
		places map[time.Duration]int
		pauses [][2]int
	}{
		"nothing":    {nil, map[time.Duration]int{0: 0}, nil},
		"one moment": {[]interval{moment(0)}, map[time.Duration]int{0: 0}, nil},
		"evenly": {
			[]interval{moment(0), moment(time.Minute), moment(4 * time.Minute)},
			map[time.Duration]int{-time.Hour: 0, 0: 0, time.Minute: 250, 2 * time.Minute: 500, 4 * time.Minute: 1000,
				time.Hour: 1000}, nil,
		},
		"in no order": {
			[]interval{moment(4 * time.Minute), moment(0), moment(time.Minute)},
			map[time.Duration]int{0: 0, time.Minute: 250, 4 * time.Minute: 1000}, nil,
		},
		"a night": {
			[]interval{moment(0), moment(4 * time.Minute), moment(12 * time.Hour),
				moment(12*time.Hour + 4*time.Minute)},
			map[time.Duration]int{0: 0, 4 * time.Minute: 490, 6 * time.Hour: 500, 12 * time.Hour: 510,
				12*time.Hour + 4*time.Minute: 1000},
			[][2]int{{490, 510}},
		},
		"a call of ten minutes is not a pause": {
			[]interval{{at(0), at(10 * time.Minute)}, moment(20*time.Minute - 1)},
			map[time.Duration]int{0: 0, 5 * time.Minute: 250, 10 * time.Minute: 500}, nil,
		},
		"a call that waited for hours": {
			[]interval{{at(0), at(10 * time.Hour)}, moment(10*time.Hour + 9*time.Minute)},
			map[time.Duration]int{0: 0, 5 * time.Hour: 425, 10 * time.Hour: 850}, nil,
		},
		"calls side by side": {
			[]interval{{at(0), at(3 * time.Minute)}, {at(time.Minute), at(2 * time.Minute)},
				{at(time.Minute), at(4 * time.Minute)}},
			map[time.Duration]int{0: 0, time.Minute: 250, 3 * time.Minute: 750, 4 * time.Minute: 1000}, nil,
		},
	} {
		a := newAxis(c.all, 1000, new(axisArena))
		for d, want := range c.places {
			if got := a.at(at(d)); got != want {
				t.Errorf("%s: %v is at %d, want %d", name, d, got, want)
			}
		}
		if !slices.Equal(a.pauses, c.pauses) {
			t.Errorf("%s: got pauses %v, want %v", name, a.pauses, c.pauses)
		}
	}
}

// TestAxisManyPauses: pauses never take most of the width.
func TestAxisManyPauses(t *testing.T) {
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var all []interval
	for day := range 40 {
		from := start.AddDate(0, 0, day)
		all = append(all, interval{from, from.Add(time.Minute)})
	}
	a := newAxis(all, 1000, new(axisArena))
	wide := 0
	for _, p := range a.pauses {
		wide += p[1] - p[0]
	}
	if len(a.pauses) != 39 || wide > 280 || a.at(all[39].to) != 1000 {
		t.Errorf("got %d pauses, %d of 1000 wide, and the end at %d; want 39, about 250, and 1000",
			len(a.pauses), wide, a.at(all[39].to))
	}
}
