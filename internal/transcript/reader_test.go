package transcript

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"weak"

	"github.com/go-json-experiment/json/jsontext"
)

// TestReader reads files in pieces of any length. At any time the result must be what Read gives for the complete
// lines.
func TestReader(t *testing.T) {
	files, err := filepath.Glob("../../testdata/projects/*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	lines := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			g := Options{}.NewReader(name)
			for at := 0; at < len(data); {
				n := min(len(data)-at, 1+random.IntN(1+random.IntN(5000)))
				if _, err := g.ReadRest(bytes.NewReader(data[at:at+n]), int64(at+n)); err != nil {
					if !errors.Is(err, ErrNoLines) || at > 0 || !isArray(data) && !isSpread(data) {
						t.Errorf("%s: not recognized as a file of lines at byte %d", name, at)
					}
					break
				}
				at += n
				whole := bytes.LastIndexByte(data[:at], '\n') + 1
				if g.Unfinished() != (len(bytes.TrimSpace(data[whole:at])) > 0) {
					t.Fatalf("%s: at byte %d Unfinished() = %v", name, at, g.Unfinished())
				}
				if random.IntN(4) > 0 && at < len(data) {
					continue
				}
				lines++
				got, want := g.File(), Read(name, data[:whole])
				want.Size = int64(at)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: at byte %d: got %d records and problems %v, want %d and %v", name, at,
						len(got.Records), got.Problems, len(want.Records), want.Problems)
				}
			}
		}
	}
	if lines < 100 {
		t.Errorf("compared %d times, want at least 100", lines)
	}
}

// TestReadRest reads files in pieces in the reader's own buffer. The result must be what Read gives, although a long
// line overwrites the memory of the first lines.
func TestReadRest(t *testing.T) {
	files, err := filepath.Glob("../../testdata/projects/*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	upper := Options{Rewrite: func(v, _ []byte) []byte { // change only some records
		if len(v)%2 == 0 {
			return v
		}
		return bytes.ReplaceAll(v, []byte("the"), []byte("THE"))
	}}
	inMemory := Options{Rewrite: func(v, memory []byte) []byte { // mostly in the memory of the last one
		return append(memory[:0], upper.Rewrite(v, nil)...)
	}}
	whole, other := 0, 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// A line that is longer than a piece, and an incomplete last line.
		long := slices.Concat(data, []byte(`{"type":"user","uuid":"`+strings.Repeat("x", 3*pieceSize)+
			"\"}\n{\"type\":\"user\",\"uuid\":\"y\"}\n{\"type\":"))
		for i, data := range [][]byte{data, long} {
			for _, o := range []Options{{}, upper, inMemory} {
				want := o.Read(name, data)
				own := o
				own.Own = true
				used := bytes.Clone(data)
				got := own.Read(name, used)
				clear(used)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: records change when the memory of the file is reused", name)
				}
				g := o.NewReader(name)
				var from io.Reader = bytes.NewReader(data)
				if i == 0 && len(data) < 100_000 {
					from = iotest.OneByteReader(from)
				}
				n, err := g.ReadRest(from, int64(len(data)))
				if errors.Is(err, ErrNoLines) {
					if !isArray(data) && !isSpread(data) {
						t.Errorf("%s: not recognized as a file of lines", name)
					}
					other++
					continue
				}
				whole++
				if got := g.Finish(); err != nil || n != int64(len(data)) || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: read %d of %d bytes, error %v: got %d records and problems %v, want %d and %v",
						name, n,
						len(data), err, len(got.Records), got.Problems, len(want.Records), want.Problems)
				}
			}
		}
	}
	if whole < 20 {
		t.Errorf("compared %d times, want at least 20; %d files had no lines", whole, other)
	}
}

// TestReserve: the memory allocated for the records of a large file is little more than needed.
func TestReserve(t *testing.T) {
	line := `{"type":"user","uuid":"u","text":"` + strings.Repeat("x", 400) + "\"}\n"
	data := strings.Repeat(line, 6*pieceSize/len(line))
	g := Options{}.NewReader("a.jsonl")
	if _, err := g.ReadRest(strings.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	if records := g.Finish().Records; cap(records) > len(records)+len(records)/20 {
		t.Errorf("got memory for %d records, want it for %d", cap(records), len(records))
	}
}

// TestReaderOther: files without one record on each line are refused.
func TestReaderOther(t *testing.T) {
	for _, data := range []string{"[{\"type\":\"user\"}]\n", "[\n", "\n{\n \"type\": \"user\"\n}\n"} {
		_, err := (Options{}).NewReader("x").ReadRest(strings.NewReader(data), int64(len(data)))
		if !errors.Is(err, ErrNoLines) {
			t.Errorf("reading %q: got error %v, want ErrNoLines", data, err)
		}
	}
}

// TestRewrite replaces values of the file. Positions stay the same.
func TestRewrite(t *testing.T) {
	o := Options{
		Rewrite: func(v, _ []byte) []byte { return bytes.ReplaceAll(v, []byte("secret"), []byte("[redacted]")) },
		Clean: func(s string) string {
			return string(bytes.ReplaceAll([]byte(s), []byte("secret"), []byte("[redacted]")))
		},
	}
	f := o.Read("x.jsonl",
		[]byte(`{"type":"user","uuid":"secret"}{"type":"user","uuid":"2 secret"}`+"\nsecret but no JSON\n"))
	if len(f.Records) != 2 || f.Records[0].UUID != "[redacted]" || f.Records[1].UUID != "2 [redacted]" ||
		f.Records[1].Pos.Offset != 31 {
		t.Errorf("got records %+v, want two with rewritten ids, the second at byte 31", f.Records)
	}
	if bytes.Contains(f.Records[0].Raw, []byte("secret")) {
		t.Errorf("the raw value is still %s", f.Records[0].Raw)
	}
	if len(f.Problems) != 1 || f.Problems[0].Text != `not JSON: "[redacted] but no JSON"` {
		t.Errorf("problems %v, want the line without the secret", f.Problems)
	}
}

// TestReaderLongLine: a line that is too long is never in memory, and the result is the same as if it were.
func TestReaderLongLine(t *testing.T) {
	const longest = 60
	long := `{"type":"user","a":"` + strings.Repeat("x", 5*longest) + `"}`
	short := `{"type":"user","uuid":"b"}`
	for _, in := range []string{
		short + "\n" + long + "\n" + short + "\n", long + "\n" + long + "\n\n" + short, short + "\n" + long,
		strings.Repeat("\x00", 7*longest) + "\n" + short + "\n", "\n\n" + long + "\n" +
			short, strings.Repeat(" ", 3*longest) + "\n" + short,
	} {
		for _, n := range []int{1, 7, 61, 1000} {
			g := Options{}.NewReader("a.jsonl")
			g.r.longest = longest
			for at := 0; at < len(in); at += n {
				if _, err := g.ReadRest(iotest.OneByteReader(strings.NewReader(in[at:min(len(in), at+n)])),
					int64(len(in))); err != nil {
					t.Fatal(err)
				}
				if len(g.rest) > longest+1 {
					t.Fatalf("%d bytes of a line are in memory, want at most %d", len(g.rest), longest+1)
				}
			}
			got, want := g.Finish(), Options{}.read("a.jsonl", []byte(in), longest)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q in pieces of %d:\ngot  %+v\nwant %+v", in, n, got, want)
			}
		}
	}
	g := Options{}.NewReader("a.jsonl")
	g.r.longest = longest
	list := strings.NewReader("[" + strings.Repeat(short+",", 10))
	if _, err := g.ReadRest(iotest.OneByteReader(list), 1000); !errors.Is(err, ErrNoLines) {
		t.Errorf("a list on one long line: got error %v, want ErrNoLines", err)
	}
}

// TestReaderBegins: a byte order mark is not part of the first line, blank lines do not tell whether a file has lines,
// and a list is one document, also on one line without an end.
func TestReaderBegins(t *testing.T) {
	const record = `{"type":"user","uuid":"u1"}`
	for text, want := range map[string]int{record + "\n": 1, record: 1, "\n" + record: 1, "\n": 0, "": 0} {
		g := Options{}.NewReader("x")
		marked := "\ufeff" + text
		if _, err := g.ReadRest(strings.NewReader(marked), int64(len(marked))); err != nil {
			t.Fatal(err)
		}
		if g.Unfinished() != strings.HasSuffix(text, record) {
			t.Errorf("%q: Unfinished() = %t", marked, g.Unfinished())
		}
		f := g.Finish()
		if len(f.Records) != want || len(f.Problems) > 0 || f.Size != int64(len(marked)) {
			t.Errorf("%q: got %d records of %d bytes, problems %v, want %d",
				marked, len(f.Records), f.Size, f.Problems, want)
		}
		if at := int64(strings.Index(marked, "{")); want > 0 && f.Records[0].Pos.Offset != at {
			t.Errorf("%q: got a record at byte %d, want %d", marked, f.Records[0].Pos.Offset, at)
		}
	}
	for _, list := range []string{
		"\n\n[{\"type\":\"user\"}]\n", "[\n{\"type\":\"user\"}]", `[{"type":"user"}]`, "\ufeff" + `[ {"type":"user"}]`,
	} {
		_, err := Options{}.NewReader("x").ReadRest(iotest.OneByteReader(strings.NewReader(list)), int64(len(list)))
		if !errors.Is(err, ErrNoLines) {
			t.Errorf("the list %q: got error %v, want ErrNoLines", list, err)
		}
	}
}

// TestReaderSkips: the text after a line that is too long is read at once, not with the next piece.
func TestReaderSkips(t *testing.T) {
	g := Options{}.NewReader("x")
	g.r.longest = pieceSize
	data := `{"uuid":"` + strings.Repeat("x", 3*pieceSize) + "\"}\n" + `{"type":"user","uuid":"u1"}` + "\n"
	if _, err := g.ReadRest(strings.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	if f := g.File(); g.Unfinished() || len(f.Problems) != 1 || len(f.Records) == 0 ||
		f.Records[len(f.Records)-1].UUID != "u1" {
		t.Errorf("got %d records, problems %v, unfinished %v, want u1 and one problem", len(f.Records), f.Problems,
			g.Unfinished())
	}
}

// TestLargeLineFreed: while a file of one line is translated, only its redacted copy is in memory.
func TestLargeLineFreed(t *testing.T) {
	var read weak.Pointer[byte]
	translated := false
	o := Options{
		Rewrite: func(line, _ []byte) []byte {
			read = weak.Make(&line[0])
			return bytes.Clone(line)
		},
		Translate: func(Pos, jsontext.Value) ([]Record, []Problem) {
			runtime.GC()
			translated = true
			if read.Value() != nil {
				t.Error("the line is still in memory")
			}
			return nil, nil
		},
	}
	line := `{"text":"` + strings.Repeat("x", 2*largePiece) + `"}`
	r := o.NewReader("in.json")
	if _, err := r.ReadRest(strings.NewReader(line), int64(len(line))); err != nil {
		t.Fatal(err)
	}
	if r.Finish(); !translated {
		t.Error("the line was not translated")
	}
}
