package words

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -5: "-5", -123: "-123",
		-1234: "-1,234",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines", 1204: "1,204 lines"} {
		if got := Plural(n, "line", "lines"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestIn(t *testing.T) {
	for text, want := range map[string]int{"": 0, " \n": 0, "a": 1, " a  b-c\n\td ": 3} {
		if got := In(text); got != want {
			t.Errorf("In(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1.0k", 9800: "9.8k", 9949: "9.9k", 9950: "10k", 96400: "96k", 999_499: "999k",
		999_500:   "1.0M",
		1_300_000: "1.3M", 9_949_999: "9.9M", 9_950_000: "10M", 999_499_999: "999M", 999_500_000: "1.0G",
		4_200_000_000: "4.2G",
	} {
		if got := Short(n); got != want {
			t.Errorf("Short(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 B", 999: "999 B", 1000: "1.0 KB", 35_800: "35.8 KB", 999_949: "999.9 KB", 999_950: "1.0 MB",
		2_100_000: "2.1 MB", 64_000_000: "64.0 MB",
	} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                       "0 ms",
		26 * time.Millisecond:   "26 ms",
		999 * time.Millisecond:  "999 ms",
		time.Second:             "1 s",
		8400 * time.Millisecond: "8.4 s",
		9949 * time.Millisecond: "9.9 s",
		// Rounding never leaves the unit: results like "10.0 s", "60 s" or "1m 60s" do not occur.
		9960 * time.Millisecond:                "10 s",
		59700 * time.Millisecond:               "1m 00s",
		41 * time.Second:                       "41 s",
		time.Minute:                            "1m 00s",
		161 * time.Second:                      "2m 41s",
		time.Hour - time.Millisecond:           "59m 59s",
		72 * time.Minute:                       "1h 12m",
		24*time.Hour - time.Second:             "23h 59m",
		76*time.Hour + 20*time.Minute:          "3d 4h",
		400*24*time.Hour + 90*time.Millisecond: "400d 0h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestDollars(t *testing.T) {
	for f, want := range map[float64]string{
		0: "$0.00", 0.00004: "<$0.0001", 0.00005: "$0.0001",
		0.0042: "$0.0042", 0.01: "$0.01", 0.185: "$0.18", 2.146: "$2.15", 999.999: "$1,000.00",
		8561.57: "$8,561.57", -1.5: "$-1.50", 1e30: "$1000000000000000019884624838656",
	} {
		if got := Dollars(f); got != want {
			t.Errorf("Dollars(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 6: "6", 0.33: "0.33", 2.004: "2", 1565.3795: "1,565", 99.999: "100",
	} {
		if got := Amount(f); got != want {
			t.Errorf("Amount(%v) = %s, want %s", f, got, want)
		}
	}
}

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
		if got := Span(d); got != want {
			t.Errorf("Span(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestMore(t *testing.T) {
	for n, want := range map[int]string{-1: "", 0: "", 3: "and 3 more", 1204: "and 1,204 more"} {
		if got := More(n); got != want {
			t.Errorf("More(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for c, want := range map[[2]int]string{
		{0, 0}: "0 %", {0, 9}: "0 %", {1, 900}: "<1 %", {1, 8}: "12 %", {899, 900}: "99 %", {9, 9}: "100 %",
	} {
		if got := Percent(c[0], c[1]); got != want {
			t.Errorf("Percent(%d, %d) = %q, want %q", c[0], c[1], got, want)
		}
	}
}
