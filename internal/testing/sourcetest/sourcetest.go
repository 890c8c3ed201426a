// Package sourcetest has the checks that every source of sessions must pass: growing files, lines in any order,
// truncated lines, scans, and bytes from a fuzzer. It also reads the real files of ../shared that a source is tested
// with. It is for tests only, and never knows the formats of sources.
package sourcetest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// Cases returns the sessions of golden files of package normalize whose names match a pattern such as "codex_*", by
// file name. The test must be in a folder below internal/sources.
func Cases(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	return golden.Sections(t, "../../../normalize/testdata/sources/"+pattern+".txtar", "in.jsonl")
}

// list returns a list of the source and of Claude Code's, which reads all files that no other source matches.
func list(s sources.Source) sources.List { return sources.List{s, claude.Source{}} }

// Draw reads and draws a file, and fails if a record is lost.
func Draw(t testing.TB, s sources.Source, name string, data []byte) (*normalize.Conversation, render.Ledger) {
	t.Helper()
	f := list(s).Read(name, data, transcript.Options{})
	c := normalize.Build(normalize.Input{ID: name, Main: &f})
	ledger := render.DrawSession(render.Session{Conversation: c, Main: &f, Folder: "x"}).Ledger
	if !ledger.Balanced() {
		t.Errorf("%s: the ledger is not balanced: %+v", name, ledger)
	}
	return c, ledger
}

// A chunkReader returns a file in chunks of random sizes.
type chunkReader struct {
	data []byte
	dice *rand.Rand
}

func (p *chunkReader) Read(to []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(to[:min(len(to), 1+p.dice.IntN(900))], p.data)
	p.data = p.data[n:]
	return n, nil
}

// Grow reads files of lines while they grow, including incomplete lines. The result must be that of reading the whole
// file. Files with one JSON document are skipped, because they do not grow line by line.
func Grow(t *testing.T, s sources.Source, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		if sources.IsDocument(data) || sources.IsWhole(list(s).Of(data)) {
			continue
		}
		whole := list(s).Read("in.jsonl", data, transcript.Options{Own: true})
		for seed := range uint64(4) {
			dice := rand.New(rand.NewPCG(seed, 7))
			r := list(s).Options(data, transcript.Options{Own: true}).NewReader("in.jsonl")
			for rest := data; len(rest) > 0; {
				n := min(len(rest), 1+dice.IntN(2000))
				if _, err := r.ReadRest(&chunkReader{rest[:n], dice}, int64(len(data))); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				rest = rest[n:]
			}
			grown := r.Finish()
			if !reflect.DeepEqual(grown.Problems, whole.Problems) || len(grown.Records) != len(whole.Records) {
				t.Fatalf("%s: got %d records and %d problems, want %d and %d as from the whole file",
					name, len(grown.Records),
					len(grown.Problems), len(whole.Records), len(whole.Problems))
			}
			for i := range grown.Records {
				if !reflect.DeepEqual(grown.Records[i], whole.Records[i]) {
					t.Fatalf("%s: record %d differs:\ngot  %+v\nwant %+v", name, i, grown.Records[i], whole.Records[i])
				}
			}
		}
	}
}

// Shuffle reads the lines of all files in random order, complete and truncated, after a first line that identifies the
// source.
func Shuffle(t *testing.T, s sources.Source, first string, files map[string][]byte) {
	t.Helper()
	var lines [][]byte
	for _, data := range files {
		if !sources.IsDocument(data) {
			lines = append(lines, bytes.Split(bytes.TrimSpace(data), []byte("\n"))...)
		}
	}
	if !s.Match(sources.NewHead([]byte(first))) || len(lines) == 0 {
		t.Fatalf("%d lines after one of another writer: %s", len(lines), first)
	}
	for seed := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, 11))
		dice.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		Draw(t, s, "shuffled.jsonl", append([]byte(first+"\n"), bytes.Join(lines, []byte("\n"))...))
		torn := make([][]byte, len(lines))
		for i, line := range lines {
			if torn[i] = line; dice.IntN(8) == 0 && len(line) > 0 {
				torn[i] = line[:dice.IntN(len(line))]
			}
		}
		Draw(t, s, "torn.jsonl", append([]byte(first+"\n"), bytes.Join(torn, []byte("\n"))...))
	}
}

// Scan compares the scan of a source with the facts in its records, with files read in chunks of any size, with a byte
// order mark, and without the first line end. adjust changes the facts of the records where the two differ by design.
func Scan(t *testing.T, s sources.Source, files map[string][]byte, adjust func(name string, want *sources.Facts)) {
	t.Helper()
	for name, data := range files {
		want := sources.ScanAll(sources.ScanRecords(s), data)
		adjust(name, &want)
		if got := sources.ScanAll(s.NewScan(), data); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v\nwant, as in its records, %+v", name, got, want)
		}
		if got := sources.ScanAll(s.NewScan(), append([]byte("\ufeff"), data...)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, with a byte order mark: got %+v\nwant, as in its records, %+v", name, got, want)
		}
		if got := sources.ScanAll(s.NewScan(), glued(data)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, with two records on the first line: got %+v\nwant, as in its records, %+v", name, got, want)
		}
		scan := s.NewScan()
		for _, line := range bytes.SplitAfter(data, []byte("\n")) {
			scan.Lines(line)
			scan = scan.Clone()
		}
		if got := sources.FactsOf(scan); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, line by line: got %+v\nwant, as in its records, %+v", name, got, want)
		}
	}
}

// glued returns JSONL without its first line end, and other data unchanged.
func glued(data []byte) []byte {
	if sources.IsDocument(data) {
		return data
	}
	return bytes.Replace(data, []byte("\n"), nil, 1)
}

// Fuzz reads bytes that a fuzzer derives from files. They must become records or problems, and nothing may panic.
func Fuzz(f *testing.F, s sources.Source, files map[string][]byte) {
	if len(files) == 0 {
		f.Fatal("no seeds")
	}
	for _, data := range files {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := sources.List{s}.Read("in.jsonl", data, transcript.Options{})
		for _, r := range file.Records {
			if r.Pos.Line == 0 || r.Raw == nil {
				t.Fatalf("a record without position or value: %+v", r)
			}
		}
		c := normalize.Build(normalize.Input{ID: "in", Main: &file})
		ledger := render.DrawSession(render.Session{Conversation: c, Main: &file, Folder: "x"}).Ledger
		if !ledger.Balanced() {
			t.Fatalf("the ledger is not balanced: %+v", ledger)
		}
	})
}
