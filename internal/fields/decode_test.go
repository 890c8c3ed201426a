package fields

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDecodeCrowded: a value that would decode into a hundred times its size is an error.
func TestDecodeCrowded(t *testing.T) {
	var to struct{ A []Text }
	if err := Decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, Most)+`"]}`), &to); err != nil ||
		len(to.A) != Most+1 {
		t.Errorf("got %d values, want %d: error %v", len(to.A), Most+1, err)
	}
	if err := Decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, Most+1)+`"]}`), &to); err != ErrCrowded {
		t.Errorf("got error %v, want %v", err, ErrCrowded)
	}
}
