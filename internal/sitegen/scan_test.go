package sitegen

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// A project is called after the folder that its sessions were started in, never
// after the folder below projects/, which is a lossy form of it (trap 42).
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
		{"no record says", []string{"", ""}, "-fallback"},
	} {
		if got, _ := projectName(c.cwds, "-fallback"); got != c.want {
			t.Errorf("%s: projectName(%q) = %q, want %q", c.name, c.cwds, got, c.want)
		}
	}
}

// Lines without a folder come first in newer files, and the folder may change
// later: the first one counts (traps 7 and 42).
func TestScan(t *testing.T) {
	s := scan([]byte(`{"type":"mode","mode":"normal","sessionId":"s1"}
{"type":"user","uuid":"u1","sessionId":"s1","cwd":"","message":{"content":"go"}}
{"type":"user","uuid":"u2","sessionId":"s1","cwd":"C:\\tide \"tables\"","message":{"content":"go"}}
{"type":"user","uuid":"u3","sessionId":"s1","cwd":"/tmp/x","message":{"content":"go"}}
{"type":"summary","summary":"Tides","leafUuid":"u9"}`))
	if s.CWD != `C:\tide "tables"` || s.SessionID != "s1" || s.FirstUUID != "u1" || s.Summaries["u9"] != "Tides" {
		t.Errorf("scan = %+v, want the first folder that is named, session s1, record u1, and the title of u9", s)
	}
}

// White space means nothing, and members of what a record holds are not its own. A line that is
// no record is skipped; one that goes on behind the end of what was read is not.
func TestScanSpaces(t *testing.T) {
	want := scanned{CWD: "/w/tides", Place: placeOf("/w/tides"), SessionID: "s1", Lineage: "l1", FirstUUID: "u1", Team: "t", Member: "ann",
		Elsewhere: []string{"gone"}, Summaries: map[string]string{"u9": "Tides"}, Start: at("2026-01-01T00:00:00Z"), End: at("2026-01-02T00:00:00Z")}
	log := `{"type":"user","toolUseResult":{"cwd":"/no","sessionId":"no","teamName":"no","agentName":"no","uuid":"no","timestamp":"2020-01-01T00:00:00Z"}}
{"cwd":"torn
{"type":"user","message":{"logicalParentUuid":"no"},"uuid":"u1","sessionId":"s1","session_id":"l1","cwd":"/w/tides","timestamp":"2026-01-01T00:00:00Z"}
{"type":"user","uuid":"u2","teamName":"t","agentName":"ann","timestamp":"2026-01-02T00:00:00Z"}
{"type":"system","subtype":"compact_boundary","logicalParentUuid":"u1"}
{"type":"system","subtype":"compact_boundary","logicalParentUuid":"gone"}
{"type":"summary","summary":"Tides","leafUuid":"u9"}
{"type":"last-prompt","leafUuid":"u8"}
{"type":"mode","data":{"uuid":"gone","timestamp":"2027-01-01T00:00:00Z"}}`
	for _, c := range []struct{ name, log string }{
		{"as Claude Code writes it", log},
		{"as json.dumps of Python writes it", strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(log)},
		{"with white space everywhere", strings.NewReplacer(`":`, "\"\t : ", `,"`, ` , "`, `{"`, `{ "`).Replace(log)},
	} {
		if got := scan([]byte(c.log)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
	if got := folderOf.first([]byte(`{"type":"user", "cwd": "/w/tides", "message": {"content": "cut of`)); got != "/w/tides" {
		t.Errorf("the folder in the beginning of a line is %q", got)
	}
	has := make(map[string]bool)
	lookFor([]string{"gone", "u2", "u7"}, []byte(strings.ReplaceAll(log, `":`, `" : `)), has)
	if !reflect.DeepEqual(has, map[string]bool{"u2": true}) {
		t.Errorf("records that are there: %v, want u2", has)
	}
}

// The execution file of the CI action is one array, with a blank behind each colon.
func TestScanArray(t *testing.T) {
	s := scan([]byte("[\n  {\n    \"type\": \"system\",\n    \"cwd\": \"/home/runner/work/tides\",\n    \"uuid\": \"u1\"\n  }\n]"))
	if s.CWD != "/home/runner/work/tides" || s.FirstUUID != "u1" {
		t.Errorf("scan = %+v, want the folder and the record", s)
	}
}

const scannedLines = `{"type":"mode","mode":"normal","sessionId":"s1"}
{"cwd":"torn
{"type":"user","uuid":"u1","sessionId":"s1","cwd":"","timestamp":"2026-01-02T00:00:00Z"}
"}{"type":"user","uuid":"u2","sessionId":"s1","cwd":"/w/tides","timestamp":"2026-01-01T00:00:00Z"}
{"type":"summary","summary":"Tides","leafUuid":"u9"}
[debug] "session_id":"l1"
{"type":"system","logicalParentUuid":"u1","uuid":"u3","session_id":"l1"}
{"type":"system","logicalParentUuid":"gone","uuid":"u4","timestamp":"no time"}
{"type":"system","logicalParentUuid":"late","uuid":"u5","timestamp":"2026-01-03T00:00:00Z"}
{"type":"user","uuid":"late","agentName":"ann"}
{"type":"user","uuid":"u6","teamName":"t","agentName":"bob"}
{"type":"summary","summary":"Ebb","leafUuid":"u9"}
{"type":"user","uuid":"u7","timestamp":"2025-01-03T00:00:00Z"}`

// Pieces of a file tell what all of it does, however it is cut.
func TestScanPieces(t *testing.T) {
	lines := strings.SplitAfter(scannedLines, "\n")
	want := scan([]byte(scannedLines))
	if want.Member != "ann" || len(want.Elsewhere) != 1 {
		t.Fatalf("scan = %+v, want the first member, who is named before her team, and one record from elsewhere", want)
	}
	for cuts := range 1 << (len(lines) - 1) {
		var pieces []string
		piece := ""
		for i, line := range lines {
			if piece += line; i == len(lines)-1 || cuts>>i&1 != 0 {
				pieces, piece = append(pieces, piece), ""
			}
		}
		var s scanning
		for _, p := range pieces {
			s.take([]byte(p))
		}
		if s.unsure() {
			for _, p := range pieces {
				s.again([]byte(p))
			}
		}
		if got := s.done(); !reflect.DeepEqual(got, want) {
			t.Fatalf("in %d pieces: %+v, want %+v", len(pieces), got, want)
		}
	}
}

// A file is handed out as it is, in pieces that end with lines, though one is longer than a piece.
func TestLines(t *testing.T) {
	long := strings.Repeat("long ", pieceSize/2)
	for _, text := range []string{"", "\n", "no end", "a\nb\n", strings.Repeat("some words\n", pieceSize/8), "a\n" + long + "\nb\n" + long, long} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "f.jsonl"), []byte(text))
		src, err := openSource(filepath.Join(dir, "f.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{len(text), 0, 2 * len(text)} { // as it was when it was found
			f := file{source: src, path: "f.jsonl", stamp: stamp{Size: int64(size)}}
			for most := range 3 {
				want := text[:len(text)*most/2]
				got := ""
				pieces := 0
				if err := f.lines(int64(len(want)), func(lines []byte) {
					if pieces++; len(got) > 0 && got[len(got)-1] != '\n' {
						t.Errorf("a piece ends with %q", got[len(got)-10:])
					}
					got += string(lines)
				}); err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("%d bytes, of %d, of a file of %d: %d pieces, not what it holds", len(got), len(want), len(text), pieces)
				}
			}
		}
		src.close()
	}
}

// A line that has grown since its file was found costs reads of pieces, and not of single bytes.
func TestLinesGrown(t *testing.T) {
	text := strings.Repeat("long ", pieceSize)
	for _, size := range []int64{0, 1, pieceSize, int64(len(text)) - 1, int64(len(text))} {
		for cap(*buffers.Get().(*[]byte)) > 0 { // a buffer of another file would hide what this one asks for
			continue
		}
		reads := 0
		src := &source{fsys: counted{fstest.MapFS{"f.jsonl": {Data: []byte(text)}}, &reads}}
		got := 0
		if err := (file{source: src, path: "f.jsonl", stamp: stamp{Size: size}}).lines(math.MaxInt64, func(lines []byte) { got += len(lines) }); err != nil {
			t.Fatal(err)
		}
		if got != len(text) || reads > 2*len(text)/pieceSize {
			t.Errorf("a file of %d bytes that had %d: %d bytes in %d reads", len(text), size, got, reads)
		}
	}
}

// counted counts the reads of its files.
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

// What is scanned of lines and of those behind them is what is scanned of all,
// wherever a file is cut between two, and most often it needs no second look at the first.
func TestScanOn(t *testing.T) {
	lines := strings.SplitAfter(scannedLines, "\n")
	kept := 0
	for from := range lines {
		for to := from; to <= len(lines); to++ {
			var s scanning
			for _, new := range [][2]int{{0, from}, {from, to}} {
				s.take([]byte(strings.Join(lines[new[0]:new[1]], "")))
				if !s.unsure() {
					kept++
					continue
				}
				s.again([]byte(strings.Join(lines[:new[1]], "")))
				s.checked()
			}
			if got, want := s.clone().done(), scan([]byte(strings.Join(lines[:to], ""))); !reflect.DeepEqual(got, want) {
				t.Errorf("lines %d to %d: %+v, want %+v", from, to, got, want)
			}
		}
	}
	if kept < 60 {
		t.Errorf("only %d times it was enough to look at what is new", kept)
	}
}
