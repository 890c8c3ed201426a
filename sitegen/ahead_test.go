package sitegen

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"viewer/internal/corpusgen"
	"viewer/redact"
	"viewer/transcript"
)

// manyLines is a large file that has of all that a reader meets: records, secrets that come again, names that some
// record shows for the first time, calls that read files of secrets, values too small and too many, what is no JSON, and
// a line that is longer than a piece.
func manyLines(size int) []byte {
	generated := bytes.SplitAfter(corpusgen.Session(7, size/8), []byte("\n"))
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.Write(generated[i%len(generated)])
		switch filler := strings.Repeat("a word or two ", 20); i % 90 {
		case 11:
			fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","cwd":"/home/person%d/src","message":{"content":"%s/tmp/person%[2]d/x"}}`+"\n", i, i/900, filler)
		case 22:
			fmt.Fprintf(&b, `{"type":"user","uuid":"t%d","message":{"content":"%s API_TOKEN=q9Zx%06dLw7RtBv and mara%[1]d@lampen.dev"}}`+"\n", i, filler, i%7919*131)
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
				fmt.Fprintf(&b, `{"type":"user","uuid":"long","message":{"content":"%s"}}`+"\n", strings.Repeat(filler+"/home/person1/y ", 12_000))
			}
		}
	}
	b.WriteString(`{"type":"user","uuid":"the end`)
	return b.Bytes()
}

// TestReadAhead: what is read of a large file, and what is taken out of it, does not depend on the number of cores.
func TestReadAhead(t *testing.T) {
	data := manyLines(largeFile + 2<<20)
	rules, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(cores int) (transcript.File, *cover) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		c := &cover{rules.Session()}
		g := c.options().Grow("a.jsonl")
		n, err := c.readAll(g, bytes.NewReader(data), int64(len(data)))
		if err != nil || n != int64(len(data)) {
			t.Fatalf("%d cores: read %d bytes of %d, %v", cores, n, len(data), err)
		}
		return g.Finish(), c
	}
	want, alone := read(1)
	if counts := alone.Counts(); len(want.Records) < 5000 || len(want.Problems) < 20 || len(counts) < 4 {
		t.Fatalf("%d records, %d problems, %v taken out: the file is none that shows much", len(want.Records), len(want.Problems), counts)
	}
	for _, cores := range []int{2, 2, 3, 8} {
		got, c := read(cores)
		if !slices.Equal(got.Problems, want.Problems) {
			t.Errorf("%d cores: other problems", cores)
		}
		for i, r := range got.Records[:min(len(got.Records), len(want.Records))] {
			if !reflect.DeepEqual(r, want.Records[i]) {
				t.Fatalf("%d cores: at %s there is\n%.2000s\nwant\n%.2000s", cores, r.Pos, r.Raw, want.Records[i].Raw)
			}
		}
		if len(got.Records) != len(want.Records) || got.Size != want.Size {
			t.Errorf("%d cores: %d records in %d bytes, want %d in %d", cores, len(got.Records), got.Size, len(want.Records), want.Size)
		}
		if !reflect.DeepEqual(c.Counts(), alone.Counts()) || c.state() != alone.state() {
			t.Errorf("%d cores: taken out %v, want %v", cores, c.Counts(), alone.Counts())
		}
	}
}

// TestReadAheadOther leaves a large file that is none of lines alone.
func TestReadAheadOther(t *testing.T) {
	rules, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	data := append([]byte("[\n"), bytes.Repeat([]byte("{\"type\":\"user\"},\n"), 1<<20)...)
	c := &cover{rules.Session()}
	if _, err := c.readAll(c.options().Grow("a.jsonl"), bytes.NewReader(data), int64(len(data))); err != transcript.ErrNoLines {
		t.Errorf("got %v, want %v", err, transcript.ErrNoLines)
	}
}

// BenchmarkReadLarge reads one large session and takes out what is in it.
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
		c := &cover{rules.Session()}
		g := c.options().Grow("a.jsonl")
		if _, err := c.readAll(g, bytes.NewReader(data), int64(len(data))); err != nil {
			b.Fatal(err)
		}
	}
}
