package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

var quoted = []string{
	``, `plain`, `a\nb`, `\"\\\/`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00x`, `\ud83d\n`, `\ud83dA`, `é€😀`,
	`tab\tand\u0001`, `C:\\Users\\mara`, `a\\\\nb`, `\u0061\u0062`, `\u2028`, `x\ud83d\ude00y\ud83d\ude00z`,
}

func TestUnquote(t *testing.T) {
	for i, raw := range quoted {
		var want string
		if err := json.Unmarshal([]byte(`"`+raw+`"`), &want); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		for n := range 20 { // eight bytes are looked at at a time
			before, behind := strings.Repeat("x", n), strings.Repeat("-", n*i%19)
			if got := string(unquote([]byte("so "), []byte(before+raw+behind))); got != "so "+before+want+behind {
				t.Errorf("unquote(%s) behind %d bytes: got %q, want %q", raw, n, got, want)
			}
		}
	}
}

// TestRuler: what stands before the place in raw, unquoted, is what stands before the place in the text.
func TestRuler(t *testing.T) {
	for _, raw := range quoted {
		text := unquote(nil, []byte(raw))
		r := offsetMapper{raw: []byte(raw)}
		for i := range string(text) { // at the beginning of each character
			at := r.rawOffset(i)
			if got := string(unquote(nil, []byte(raw[:at]))); got != string(text[:i]) {
				t.Errorf("%s: the text %q ends in raw at %d, which is %q", raw, text[:i], at, got)
			}
		}
		if at := r.rawOffset(len(text)); at != len(raw) {
			t.Errorf("%s: ends at %d, want %d", raw, at, len(raw))
		}
	}
}

// FuzzUnquote: any bytes can be read, and places are found in them.
func FuzzUnquote(f *testing.F) {
	for _, raw := range quoted {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text := unquote(nil, raw)
		r := offsetMapper{raw: raw}
		last := 0
		for i := range len(text) + 1 {
			at := r.rawOffset(i)
			if at < last || at > len(raw) {
				t.Fatalf("%q: %d is at %d, behind %d", raw, i, at, last)
			}
			last = at
		}
	})
}
