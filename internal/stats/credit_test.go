package stats

import (
	"fmt"
	"slices"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestCredits: the log has the sum of credits since the program started. The last sum counts, and a smaller one belongs
// to the next process.
func TestCredits(t *testing.T) {
	say := func(at int64, all ...transcript.Credit) transcript.Record {
		r := transcript.Record{Type: "system", Subtype: "informational", Content: []byte(`"x"`)}
		r.Pos, r.Raw = transcript.Pos{File: "s", Line: int(at), Offset: at}, []byte(`{}`)
		r.Rare = &transcript.Rare{Credits: all}
		return r
	}
	f := transcript.File{Name: "s", Records: []transcript.Record{
		say(1, transcript.Credit{Unit: "requests", Used: 5}, transcript.Credit{Unit: "none", Used: 0}),
		say(2, transcript.Credit{Unit: "requests", Used: 7.5}, transcript.Credit{Unit: "coins", Used: -3}),
		say(3, transcript.Credit{Unit: "requests", Used: 0.33}, transcript.Credit{Unit: "coins", Used: 1e30}),
	}}
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &f}), ListPrices()).Credits
	want := []Credit{{"coins", 1<<63 - 1}, {"requests", 7_830_000}}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	sum := sumOf(Totals{Credits: want[1:]}, Totals{Credits: want})
	if want := []Credit{{"coins", 1<<63 - 1}, {"requests", 15_660_000}}; !slices.Equal(sum.Credits, want) {
		t.Errorf("got the sum %v, want %v", sum.Credits, want)
	}
}

// TestManyCredits: the sum of sessions with more units than are kept does not depend on their order.
func TestManyCredits(t *testing.T) {
	var all []Totals
	for i := range maxCredits + 2 {
		one := Totals{Credits: []Credit{{fmt.Sprintf("unit %02d", i), 1}}}
		all = append(all, one, one)
	}
	sum := sumOf(all...)
	if len(sum.Credits) != maxCredits || sum.Credits[0] != (Credit{"unit 00", 2}) {
		t.Errorf("got %v, want the first %d units, each 2", sum.Credits, maxCredits)
	}
	slices.Reverse(all)
	if reversed := sumOf(all...); !slices.Equal(reversed.Credits, sum.Credits) {
		t.Errorf("in reverse order: got %v, want %v", reversed.Credits, sum.Credits)
	}
}
