package sqlite

import (
	"errors"
	"fmt"
	"testing"
)

// TestDamage: however much of a database is damaged, the error is short.
func TestDamage(t *testing.T) {
	var none, all, one Damage
	none.Add(nil)
	none.Add(&Damage{})
	if none.Err() != nil {
		t.Errorf("without damage: got error %v, want none", none.Err())
	}
	for n := range 1_000_000 {
		all.Add(fmt.Errorf("page %d: %w", n, errCell))
	}
	one.Add(errKind)
	one.Add(all.Err())
	want := errKind.Error() + "; page 0: " + errCell.Error() + "; page 1: " + errCell.Error() + "; 999998 more"
	if got := one.Err(); got.Error() != want || !errors.Is(got, errKind) || !errors.Is(got, errCell) {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestHugeValue: a record whose value is longer than the record is damaged, also where an int has 32 bits.
func TestHugeValue(t *testing.T) {
	record := []byte{10, 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	r := Row{size: len(record), payload: record}
	if err := r.header(); err != errRecord {
		t.Errorf("got %v, want %v", err, errRecord)
	}
}
