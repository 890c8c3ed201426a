package sitegen

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/input"
)

// TestProjectName: a project is named after the working directory of its sessions, not after the folder below
// projects/, which encodes it with losses.
func TestProjectName(t *testing.T) {
	for _, c := range []struct {
		name string
		cwds []string
		want string
	}{
		{"the last element", []string{"/home/mara/tide-tables"}, "tide-tables"},
		{"most sessions", []string{"/home/mara/old", "/home/mara/tide", "/home/mara/tide"}, "tide"},
		{"a temporary folder does not count", []string{"/tmp/x", "/tmp/x", "/home/mara/tide"}, "tide"},
		{"unless there is nothing else", []string{"/private/tmp/x", ""}, "x"},
		{"Windows", []string{`C:\Users\Noor\book shelf`}, "book shelf"},
		{"the root of the file system", []string{"/"}, "-fallback"},
		{"only white space, of which no link could be made", []string{"/home/mara/ \n"}, "-fallback"},
		{"no record says", []string{"", ""}, "-fallback"},
	} {
		if got, _ := projectName(c.cwds, "-fallback"); got != c.want {
			t.Errorf("%s: projectName(%q) = %q, want %q", c.name, c.cwds, got, c.want)
		}
	}
}

// TestLines: a file is read in pieces that end with complete lines, even if a line is longer than a piece.
func TestLines(t *testing.T) {
	long := strings.Repeat("long ", pieceSize/2)
	for _, text := range []string{
		"", "\n", "no end", "a\nb\n", strings.Repeat("some words\n", pieceSize/8), "a\n" + long + "\nb\n" + long, long,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "f.jsonl"), []byte(text))
		src, err := input.OpenPath(filepath.Join(dir, "f.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{len(text), 0, 2 * len(text)} { // the size when the file was found
			f := file{source: src, path: "f.jsonl", Stamp: fingerprint.Stamp{Size: int64(size)}}
			for most := range 3 {
				want := text[:len(text)*most/2]
				got := ""
				pieces := 0
				if err := f.lines(int64(len(want)), func(lines []byte) {
					if pieces++; len(got) > 0 && got[len(got)-1] != '\n' {
						t.Errorf("a piece ends with %q, want the end of a line", got[len(got)-10:])
					}
					got += string(lines)
				}); err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("got %d bytes, want the %d of a file of %d, in %d pieces", len(got), len(want),
						len(text), pieces)
				}
			}
		}
		src.Close()
	}
}

// TestLinesGrown: a file that grew since it was found is read in pieces, not byte by byte.
func TestLinesGrown(t *testing.T) {
	text := strings.Repeat("long ", pieceSize)
	for _, size := range []int64{0, 1, pieceSize, int64(len(text)) - 1, int64(len(text))} {
		for cap(*fileBuffers.Get().(*[]byte)) > 0 { // drop pooled buffers, which may be large enough for this file
			continue
		}
		reads := 0
		src := &input.Source{FS: counted{fstest.MapFS{"f.jsonl": {Data: []byte(text)}}, &reads}}
		got := 0
		if err := (file{
			source: src, path: "f.jsonl", Stamp: fingerprint.Stamp{Size: size},
		}).lines(math.MaxInt64, func(lines []byte) {
			got += len(lines)
		}); err != nil {
			t.Fatal(err)
		}
		if got != len(text) || reads > 2*len(text)/pieceSize {
			t.Errorf("a file of %d bytes that had %d: got %d bytes in %d reads", len(text), size, got, reads)
		}
	}
}

// counted counts the reads of files.
type counted struct {
	fs.FS
	reads *int
}

func (c counted) Open(name string) (fs.File, error) {
	open, err := c.FS.Open(name)
	return countedFile{open, c.reads}, err
}

type countedFile struct {
	fs.File
	reads *int
}

func (c countedFile) Read(b []byte) (int, error) {
	if *c.reads++; *c.reads > 1000 {
		return 0, errors.New("far too many reads")
	}
	return c.File.Read(b)
}
