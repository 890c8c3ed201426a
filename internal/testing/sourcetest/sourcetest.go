// Package sourcetest has the checks that every source of sessions has to pass: files that grow, lines in any order,
// torn lines, scans, and whatever bytes a fuzzer makes up. It also reads the files beside the project that a source is
// swept over. It is for tests only, and never knows what a source reads.
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

// Cases returns the sessions that the outlines of package normalize are made of and whose files match a pattern such as
// "codex_*", by the name of their file. The test runs in a folder below internal/sources.
func Cases(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	return golden.Sections(t, "../../../normalize/testdata/sources/"+pattern+".txtar", "in.jsonl")
}

// list returns a source with the one that has what no other claims.
func list(s sources.Source) sources.List { return sources.List{s, claude.Source{}} }

// Draw reads and draws a file, and fails where a record of it is lost.
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

// pieces gives a file in pieces of any size.
type pieces struct {
	data []byte
	dice *rand.Rand
}

func (p *pieces) Read(to []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(to[:min(len(to), 1+p.dice.IntN(900))], p.data)
	p.data = p.data[n:]
	return n, nil
}

// Grow reads files of lines while they grow, with torn lines: what is read is what the whole file has. Documents are
// written anew, and left out.
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
				if _, err := r.ReadRest(&pieces{rest[:n], dice}, int64(len(data))); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				rest = rest[n:]
			}
			grown := r.Finish()
			if !reflect.DeepEqual(grown.Problems, whole.Problems) || len(grown.Records) != len(whole.Records) {
				t.Fatalf("%s: %d records and %d problems, %d and %d of the whole", name, len(grown.Records),
					len(grown.Problems), len(whole.Records), len(whole.Problems))
			}
			for i := range grown.Records {
				if !reflect.DeepEqual(grown.Records[i], whole.Records[i]) {
					t.Fatalf("%s: record %d differs:\n%+v\n%+v", name, i, grown.Records[i], whole.Records[i])
				}
			}
		}
	}
}

// Shuffle reads the lines of all files in any order, whole and torn, behind a first line that tells whose they are.
func Shuffle(t *testing.T, s sources.Source, first string, files map[string][]byte) {
	t.Helper()
	var lines [][]byte
	for _, data := range files {
		if !sources.IsDocument(data) {
			lines = append(lines, bytes.Split(bytes.TrimSpace(data), []byte("\n"))...)
		}
	}
	if !s.Match([]byte(first)) || len(lines) == 0 {
		t.Fatalf("%d lines behind one of another writer: %s", len(lines), first)
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

// Scan compares the scan of a source with what its records say, in whatever pieces a file is read. What the two differ
// in by design, adjust changes in that of the records.
func Scan(t *testing.T, s sources.Source, files map[string][]byte, adjust func(name string, want *sources.Facts)) {
	t.Helper()
	for name, data := range files {
		want := sources.ScanAll(sources.ScanRecords(s), data)
		adjust(name, &want)
		if got := sources.ScanAll(s.NewScan(), data); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nof its records %+v", name, got, want)
		}
		scan := s.NewScan()
		for _, line := range bytes.SplitAfter(data, []byte("\n")) {
			scan.Lines(line)
			scan = scan.Clone()
		}
		if got := scan.Facts(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, line by line: %+v\nof its records %+v", name, got, want)
		}
	}
}

// Fuzz reads whatever bytes a fuzzer makes of files: they become records or problems, and nothing panics.
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
				t.Fatalf("a record without place or value: %+v", r)
			}
		}
		c := normalize.Build(normalize.Input{ID: "in", Main: &file})
		ledger := render.DrawSession(render.Session{Conversation: c, Main: &file, Folder: "x"}).Ledger
		if !ledger.Balanced() {
			t.Fatalf("the ledger is not balanced: %+v", ledger)
		}
	})
}
