package jsonstring

import (
	"encoding/json"
	"strings"
	"testing"
)

var quoted = []string{
	``, `plain`, `a\nb`, `\"\\\/`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00x`, `\ud83d\n`, `\ud83dA`, `é€😀`,
	`tab\tand\u0001`, `C:\\Users\\mara`, `a\\\\nb`, `\u0061\u0062`, `\u2028`, `x\ud83d\ude00y\ud83d\ude00z`,
}

func TestAppend(t *testing.T) {
	for i, raw := range quoted {
		var want string
		if err := json.Unmarshal([]byte(`"`+raw+`"`), &want); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		for n := range 20 { // the decoder reads eight bytes at a time
			before, behind := strings.Repeat("x", n), strings.Repeat("-", n*i%19)
			if got := string(Append([]byte("so "), []byte(before+raw+behind))); got != "so "+before+want+behind {
				t.Errorf("Append(%s) after %d bytes: got %q, want %q", raw, n, got, want)
			}
		}
	}
}

// TestAppendAny: text that is not a valid escape is copied.
func TestAppendAny(t *testing.T) {
	for _, raw := range []string{`\x`, `a\`, `\u12`, `\u00g0`, `12345678\`, `\ud83d\u12`, "a\xffb"} {
		want := strings.Replace(raw, `\ud83d`, "\ufffd", 1)
		if got := string(Append(nil, []byte(raw))); got != want {
			t.Errorf("Append(%s): got %q, want %q", raw, got, want)
		}
	}
}
