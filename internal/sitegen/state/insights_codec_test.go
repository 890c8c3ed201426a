package state

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"viewer/internal/insights"
	"viewer/internal/testing/fill"
)

// TestTotalRecorded fills the insights of sessions with generated values, and adds them up through the state. Damaged
// sums are read without a panic.
func TestTotalRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var part, want, got insights.Total
		numbers := []int32{3, 8, 9}
		for i, number := range numbers {
			var s insights.Session
			fill.Value(random, reflect.ValueOf(&s).Elem())
			part.Add(i, &s)
			want.Add(int(number), &s)
		}
		encoded := encodeTotal(&part)
		addTotal(&got, encoded, numbers)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("read %+v\nwant %+v", got, want)
		}
		for n := range len(encoded) {
			addTotal(new(insights.Total), encoded[:n], numbers)
			addTotal(new(insights.Total), encoded[n:], numbers)
			addTotal(new(insights.Total), encoded[:n]+"\xff"+encoded[n+1:], numbers[:1])
		}
	}
}
