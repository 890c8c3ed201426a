package sqlite

import (
	"errors"
	"fmt"
	"testing"
)

// However much of a database is damaged, it is told in a short line.
func TestDamage(t *testing.T) {
	var none, all, one Damage
	none.Add(nil)
	none.Add(&Damage{})
	if none.Err() != nil {
		t.Errorf("no damage is %v", none.Err())
	}
	for n := range 1_000_000 {
		all.Add(fmt.Errorf("page %d: %w", n, errCell))
	}
	one.Add(errKind)
	one.Add(all.Err())
	want := errKind.Error() + "; page 0: " + errCell.Error() + "; page 1: " + errCell.Error() + "; 999998 more"
	if got := one.Err(); got.Error() != want || !errors.Is(got, errKind) || !errors.Is(got, errCell) {
		t.Errorf("%v, want %s", got, want)
	}
}
