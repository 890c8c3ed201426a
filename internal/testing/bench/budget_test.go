package main

import (
	"strings"
	"testing"
	"time"
)

func TestBudgets(t *testing.T) {
	good := map[string]figure{
		cold:     {wall: 2 * time.Second, peak: 97 << 20},
		oneCore:  {wall: 3500 * time.Millisecond},
		warm:     {wall: 20 * time.Millisecond},
		appended: {wall: 50 * time.Millisecond, pages: 3},
	}
	if got := budgets(good, 200_000_000, 1<<20, 0.6); strings.Contains(got, "MISSED") || strings.Count(got, "\n") != 6 {
		t.Errorf("figures within all budgets: got\n%s\nwant 6 lines without MISSED", got)
	}
	bad := map[string]figure{
		cold:     {wall: 2001 * time.Millisecond, peak: 99 << 20},
		oneCore:  {wall: 3 * time.Second},
		warm:     {wall: 40 * time.Millisecond},
		appended: {wall: 50 * time.Millisecond, pages: 4},
	}
	if got := budgets(bad, 200_000_000, 1<<20, 0.61); strings.Count(got, "MISSED") != 6 {
		t.Errorf("figures outside of all budgets: got\n%s\nwant 6 lines with MISSED", got)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 2}); got != 2 {
		t.Errorf("median %v, want 2", got)
	}
}
