package sitegen

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"viewer/internal/redact"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/testing/corpusgen"
)

// manyLines returns a file with everything that a reader may meet: records, repeated secrets, names that a later record
// reveals, calls that read files with secrets, too small and too many values, lines that are not JSON, and a line that
// is longer than a piece.
func manyLines(size int) []byte {
	generated := bytes.SplitAfter(corpusgen.Session(7, size/8), []byte("\n"))
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.Write(generated[i%len(generated)])
		switch filler := strings.Repeat("a word or two ", 20); i % 90 {
		case 11:
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","cwd":"/home/person%d/src","message":{"content":"%s/tmp/person%[2]d/x"}}`+"\n", i, i/900, filler)
		case 22:
			fmt.Fprintf(&b,
				`{"type":"user","uuid":"t%d","message":{"content":"%s API_TOKEN=q9Zx%06dLw7RtBv and mara%[1]d@lampen.dev"}}`+"\n", i, filler, i%7919*131)
		case 33:
			fmt.Fprintf(&b, `{"type":"assistant","uuid":"c%d","message":{"content":[{"type":"tool_use","id":"toolu_e%[1]d","name":"Bash","input":{"command":"cat .env # %[2]s"}}]}}`+"\n", i, filler)
		case 44:
			fmt.Fprintf(&b, `{"type":"user","uuid":"r%d","message":{"content":[{"type":"tool_result","content":"SHOP=Lampen%[2]s","tool_use_id":"toolu_e%[3]d"}]}}`+"\n", i, filler, i-11)
		case 55:
			fmt.Fprintf(&b, "no JSON at all %s\n{\"type\":\"user\",\"uuid\":\"g%d\"}{\"type\":\"user\",\"uuid\":\"h%[2]d\"}\n", filler, i)
		case 66:
			b.WriteString(strings.Repeat("{\"type\":\"x\"}\n", 300))
		case 77:
			if i == 437 {
				fmt.Fprintf(&b, `{"type":"user","uuid":"long","message":{"content":"%s"}}`+"\n",
					strings.Repeat(filler+"/home/person1/y ", 12_000))
			}
		}
	}
	b.WriteString(`{"type":"user","uuid":"the end`)
	return b.Bytes()
}

// TestReadPieces: reading a file in pieces gives the same records and redactions as reading it at once.
func TestReadPieces(t *testing.T) {
	data := manyLines(3 << 20)
	rules, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	alone, c := &redaction.Redactor{Session: rules.Session()}, &redaction.Redactor{Session: rules.Session()}
	want := alone.Options().Read("a.jsonl", data)
	if counts := alone.Counts(); len(want.Records) < 1500 || len(want.Problems) < 5 || len(counts) < 4 {
		t.Fatalf("%d records, %d problems, %v redacted: want more of each in the test file", len(want.Records),
			len(want.Problems), counts)
	}
	g := c.Options().NewReader("a.jsonl")
	n, err := g.ReadRest(bytes.NewReader(data), int64(len(data)))
	if err != nil || n != int64(len(data)) {
		t.Fatalf("read %d bytes of %d, error %v", n, len(data), err)
	}
	got := g.Finish()
	if !slices.Equal(got.Problems, want.Problems) {
		t.Errorf("the problems differ")
	}
	for i, r := range got.Records[:min(len(got.Records), len(want.Records))] {
		if !reflect.DeepEqual(r, want.Records[i]) {
			t.Fatalf("at %s: got\n%.2000s\nwant\n%.2000s", r.Pos, r.Raw, want.Records[i].Raw)
		}
	}
	if len(got.Records) != len(want.Records) || got.Size != want.Size {
		t.Errorf("got %d records in %d bytes, want %d in %d", len(got.Records), got.Size, len(want.Records), want.Size)
	}
	if !reflect.DeepEqual(c.Counts(), alone.Counts()) || c.Known() != alone.Known() {
		t.Errorf("redacted %v, want %v", c.Counts(), alone.Counts())
	}
}

// BenchmarkReadLarge reads and redacts one large session.
func BenchmarkReadLarge(b *testing.B) {
	data := corpusgen.Session(1, 30_000_000)
	if file, err := os.ReadFile(os.Getenv("VIEWER_LIVE_SESSION")); err == nil {
		data = file
	}
	rules, err := redact.New(redact.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		c := &redaction.Redactor{Session: rules.Session()}
		g := c.Options().NewReader("a.jsonl")
		if _, err := g.ReadRest(bytes.NewReader(data), int64(len(data))); err != nil {
			b.Fatal(err)
		}
	}
}
