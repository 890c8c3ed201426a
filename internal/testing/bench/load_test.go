package main

import (
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	l := parseLoad("cpu  100 20 30 4000 500 6 7 8 90 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
	if want := 1710 * time.Millisecond; !l.known || l.busy != want {
		t.Errorf("got %v (known: %t), want %v", l.busy, l.known, want)
	}
	for _, stat := range []string{"", "cpu 1 2 3", "cpu a b c d e f g h i j", "intr 1 2 3 4 5 6 7 8 9"} {
		if l := parseLoad(stat); l.known {
			t.Errorf("%q is parsed as %v, want an error", stat, l.busy)
		}
	}
}

func TestForeign(t *testing.T) {
	before, after := load{10 * time.Second, true}, load{15 * time.Second, true}
	if got := foreign(before, after, 4*time.Second); got != 980*time.Millisecond {
		t.Errorf("5 s used, 4 s of them by viewer: got %v for other programs, want 980ms", got)
	}
	if got := foreign(before, after, 6*time.Second); got != 0 {
		t.Errorf("less used than by viewer: got %v for other programs, want 0", got)
	}
	if got := foreign(load{}, after, 0); got != 0 {
		t.Errorf("unknown loads: got %v for other programs, want 0", got)
	}
	if !isQuiet(400*time.Millisecond, 2*time.Second, 2) || isQuiet(401*time.Millisecond, 2*time.Second, 2) {
		t.Error("want 400 ms to be quiet and 401 ms not: a tenth of 2 cores for 2 s")
	}
}

// TestRatios checks that the runs of one round are compared with each other, not the medians of all rounds.
func TestRatios(t *testing.T) {
	before := []figure{{wall: 4 * time.Second, cpu: 8 * time.Second}, {wall: 2 * time.Second, cpu: 3 * time.Second},
		{wall: time.Second, cpu: 2 * time.Second}}
	now := []figure{{wall: 2 * time.Second, cpu: 4 * time.Second}, {wall: time.Second, cpu: 3 * time.Second},
		{wall: time.Second, cpu: time.Second}}
	if wall, cpu := ratios(now, before); wall != 0.5 || cpu != 0.5 {
		t.Errorf("got %v and %v, want 0.5 and 0.5", wall, cpu)
	}
}

// TestTypical checks that busy runs are left out if there are quiet ones.
func TestTypical(t *testing.T) {
	runs := []figure{
		{wall: 9 * time.Second, busy: true}, {wall: 2 * time.Second, written: 3}, {wall: 8 * time.Second, busy: true},
	}
	if f, left := typical(runs); f.wall != 2*time.Second || left != 2 || f.written != 3 {
		t.Errorf("got %v and %d left out, want the quiet run and 2", f, left)
	}
	for i := range runs {
		runs[i].busy = true
	}
	if f, left := typical(runs); f.wall != 8*time.Second || left != 3 || !f.busy {
		t.Errorf("all are busy: got %v and %d left out, want the median and 3", f, left)
	}
}
