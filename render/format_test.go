package render

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -5: "-5", -123: "-123", -1234: "-1,234"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1.0k", 9800: "9.8k", 9949: "9.9k", 9950: "10k", 96400: "96k", 999_499: "999k", 999_500: "1.0M",
		1_300_000: "1.3M", 9_949_999: "9.9M", 9_950_000: "10M", 999_499_999: "999M", 999_500_000: "1.0G", 4_200_000_000: "4.2G",
	} {
		if got := short(n); got != want {
			t.Errorf("short(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDollars(t *testing.T) {
	for f, want := range map[float64]string{0: "$0.00", 0.0042: "$0.0042", 0.01: "$0.01", 0.185: "$0.18", 2.146: "$2.15", 999.999: "$1,000.00", 8561.57: "$8,561.57", -1.5: "$-1.50", 1e30: "$1000000000000000019884624838656"} {
		if got := dollars(f); got != want {
			t.Errorf("dollars(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines", 1204: "1,204 lines"} {
		if got := plural(n, "line", "lines"); got != want {
			t.Errorf("plural(%d) = %q, want %q", n, got, want)
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
		if got := span(d); got != want {
			t.Errorf("span(%v) = %q, want %q", d, got, want)
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
		// Rounding never leaves the unit: not "10.0 s", "60 s", "1m 60s".
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
		if got := duration(d); got != want {
			t.Errorf("duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestMillis(t *testing.T) {
	for ms, want := range map[float64]string{523.4: "523 ms", 90000: "1m 30s", -1: "", 1e15: ""} {
		if got := millis(ms); got != want {
			t.Errorf("millis(%v) = %q, want %q", ms, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 35_800: "35.8 KB", 999_949: "999.9 KB", 999_950: "1.0 MB", 2_100_000: "2.1 MB", 64_000_000: "64.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"tide", 4, "tide"}, {"tides", 4, "tid…"}, {"", 4, ""}, {"été là", 4, "été…"}, {"潮汐表です", 3, "潮汐…"}, {"ab", 1, "…"},
	} {
		if got := clip(c.in, c.n); got != c.want {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"  two\n\n\twords ", 20, "two words"}, {"", 5, ""}, {"\n \t", 5, ""}, {"one two three", 8, "one two…"},
		{"\xff bad \xc3", 20, "bad"}, {"ééééééééé", 1, "…"},
	} {
		if got := oneLine(c.in, c.n); got != c.want {
			t.Errorf("oneLine(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestDomain(t *testing.T) {
	for in, want := range map[string]string{
		"https://tides.example/brest/?day=1": "tides.example/brest", "http://tides.example/": "tides.example", "tides.example/a": "tides.example/a",
		"javascript:alert(1)": "javascript:alert(1)", "": "", "https://": "",
	} {
		if got := domain(in); got != want {
			t.Errorf("domain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStamp(t *testing.T) {
	if got := clock(time.Time{}); got != (stamp{}) {
		t.Errorf("clock of no time = %+v, want nothing", got)
	}
	at := time.Date(2026, 3, 2, 23, 30, 5, 0, time.FixedZone("", -3600))
	if got, want := moment(at), (stamp{ISO: "2026-03-03T00:30:05Z", Text: "Tue 3 Mar 2026, 00:30", Form: "datetime"}); got != want {
		t.Errorf("moment = %+v, want %+v: times on pages are UTC", got, want)
	}
}
