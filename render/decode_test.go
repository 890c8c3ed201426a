package render

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDecodeCrowded keeps what would be decoded into a hundred times its size as it is.
func TestDecodeCrowded(t *testing.T) {
	var to struct{ A []text }
	if err := decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, mostDecoded)+`"]}`), &to); err != nil || len(to.A) != mostDecoded+1 {
		t.Errorf("%d values are decoded, want %d: %v", len(to.A), mostDecoded+1, err)
	}
	if err := decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, mostDecoded+1)+`"]}`), &to); err != errCrowded {
		t.Errorf("the error is %v, want %v", err, errCrowded)
	}
}
