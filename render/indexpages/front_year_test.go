package indexpages

import (
	"fmt"
	"regexp"
	"testing"
	"time"
)

// TestYearShape: the outline of a year encloses as many cells as the year has days, and each of its days. 2024 was a
// leap year, 2000 ended on a Sunday, and 2012 began on one.
func TestYearShape(t *testing.T) {
	for year, days := range map[int]int{2000: 366, 2012: 366, 2023: 365, 2024: 366, 2025: 365, 2026: 365} {
		v := drawYear(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), nil)
		corners := outline(t, v.Shape)
		area := 0
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			area += a[0]*b[1] - b[0]*a[1]
		}
		if got, want := max(area, -area)/2, days*cellStep*cellStep; got != want {
			t.Errorf("%d: the outline %s encloses %d cells, want %d", year, v.Shape, got, want)
		}
		monday := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		for monday.Weekday() != time.Monday {
			monday = monday.AddDate(0, 0, -1)
		}
		for _, day := range []time.Time{time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC),
			time.Date(year, 6, 15, 0, 0, 0, 0, time.UTC), time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)} {
			n := int(day.Sub(monday).Hours()) / 24
			if x, y := cellLeft+n/7*cellStep+cellStep/2, cellTop+n%7*cellStep+cellStep/2; !within(corners, x, y) {
				t.Errorf("the outline %s of %d does not enclose %s", v.Shape, year, day.Format(time.DateOnly))
			}
		}
	}
}

// outline returns the corners of a path of M, h, H and V.
func outline(t *testing.T, path string) (corners [][2]int) {
	t.Helper()
	var x, y int
	for _, step := range regexp.MustCompile(`[MHhV][0-9 ]+`).FindAllString(path, -1) {
		n := 0
		if step[0] == 'M' {
			if _, err := fmt.Sscanf(step[1:], "%d %d", &x, &y); err != nil {
				t.Fatal(err)
			}
		} else if _, err := fmt.Sscan(step[1:], &n); err != nil {
			t.Fatal(err)
		}
		switch step[0] {
		case 'H':
			x = n
		case 'h':
			x += n
		case 'V':
			y = n
		}
		corners = append(corners, [2]int{x, y})
	}
	return corners
}

// within reports whether a point is inside of an outline: a line to the left crosses it an odd number of times.
func within(corners [][2]int, x, y int) bool {
	in := false
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		if a[0] == b[0] && a[0] < x && (a[1] < y) != (b[1] < y) {
			in = !in
		}
	}
	return in
}
