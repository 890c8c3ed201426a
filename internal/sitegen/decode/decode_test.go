package decode_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
	"testing/fstest"

	"viewer/internal/sitegen/decode"
)

// A log that is compressed in parts, as by log rotation, is cut off wherever the copy of it ended.
func TestGzipMembers(t *testing.T) {
	var packed bytes.Buffer
	var first int // length of the first member
	for _, text := range []string{"{\"a\":1}\n", "{\"b\":2}\n"} {
		w := gzip.NewWriter(&packed)
		w.Name, w.Comment = "lamp.jsonl", "second half"
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if first == 0 {
			first = packed.Len()
		}
	}
	for end := first; end <= packed.Len(); end++ {
		fsys, err := decode.New(fstest.MapFS{"lamp.jsonl": {Data: packed.Bytes()[:end]}}, "")
		if err != nil {
			t.Fatal(err)
		}
		f, err := fsys.Open("lamp.jsonl")
		if err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		text, err := io.ReadAll(f)
		if err != nil || !bytes.HasPrefix(text, []byte("{\"a\":1}\n")) {
			t.Errorf("cut at %d: read %q, %v", end, text, err)
		}
		var want error
		if end != first && end != packed.Len() {
			want = io.ErrUnexpectedEOF
		}
		if got := decode.DamageOf(f); !errors.Is(got, want) {
			t.Errorf("cut at %d of %d, the first member ends at %d: damage %v, want %v",
				end, packed.Len(), first, got, want)
		}
		f.Close()
	}
}
