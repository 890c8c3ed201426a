package redact

import (
	"testing"

	"viewer/internal/jsonstring"
)

var quoted = []string{
	``, `plain`, `a\nb`, `\"\\\/`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00x`, `\ud83d\n`, `\ud83dA`, `é€😀`,
	`tab\tand\u0001`, `C:\\Users\\mara`, `a\\\\nb`, `\u0061\u0062`, `\u2028`, `x\ud83d\ude00y\ud83d\ude00z`,
}

// TestRawOffset: decoding raw up to an offset gives the text up to the corresponding offset.
func TestRawOffset(t *testing.T) {
	for _, raw := range quoted {
		text := jsonstring.Append(nil, []byte(raw))
		r := offsetMapper{raw: []byte(raw)}
		for i := range string(text) { // at the beginning of each character
			at := r.rawOffset(i)
			if got := string(jsonstring.Append(nil, []byte(raw[:at]))); got != string(text[:i]) {
				t.Errorf("%s: the end of the text %q is at %d in raw, which decodes to %q", raw, text[:i], at, got)
			}
		}
		if at := r.rawOffset(len(text)); at != len(raw) {
			t.Errorf("%s: got the end %d, want %d", raw, at, len(raw))
		}
	}
}

// FuzzRawOffset: any bytes give offsets in ascending order.
func FuzzRawOffset(f *testing.F) {
	for _, raw := range quoted {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text := jsonstring.Append(nil, raw)
		r := offsetMapper{raw: raw}
		last := 0
		for i := range len(text) + 1 {
			at := r.rawOffset(i)
			if at < last || at > len(raw) {
				t.Fatalf("%q: the offset of %d is %d, after %d", raw, i, at, last)
			}
			last = at
		}
	})
}
