package fields

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDecodeCrowded keeps what would be decoded into a hundred times its size as it is.
func TestDecodeCrowded(t *testing.T) {
	var to struct{ A []Text }
	if err := Decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, Most)+`"]}`), &to); err != nil ||
		len(to.A) != Most+1 {
		t.Errorf("%d values are decoded, want %d: %v", len(to.A), Most+1, err)
	}
	if err := Decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, Most+1)+`"]}`), &to); err != ErrCrowded {
		t.Errorf("the error is %v, want %v", err, ErrCrowded)
	}
}
