package claude

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

func scanAll(data []byte) sources.Facts { return sources.ScanAll(new(scan), data) }

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestScan: in newer files, lines without a folder come first, and the folder may change later. The first one counts.
func TestScan(t *testing.T) {
	s := scanAll([]byte(`{"type":"mode","mode":"normal","sessionId":"s1"}
{"type":"user","uuid":"u1","sessionId":"s1","cwd":"","message":{"content":"go"}}
{"type":"user","uuid":"u2","sessionId":"s1","cwd":"C:\\tide \"tables\"","message":{"content":"go"}}
{"type":"user","uuid":"u3","sessionId":"s1","cwd":"/tmp/x","message":{"content":"go"}}
{"type":"summary","summary":"Tides","leafUuid":"u9"}`))
	if s.CWD != `C:\tide "tables"` || s.SessionID != "s1" || s.FirstUUID != "u1" || s.Summaries["u9"] != "Tides" {
		t.Errorf("scan = %+v, want the first folder that is named, session s1, record u1, and the title of u9", s)
	}
}

// TestScanPlan: a prompt that the program wrote with a plan names the log of the session that made the plan.
func TestScanPlan(t *testing.T) {
	const plan = `Implement the following plan:\n\n# Dig\n\n\nIf you need details, read the full transcript at: `
	for prompt, want := range map[string]string{
		plan + `/home/ann/.claude/projects/-w/s0.jsonl`: "s0",
		plan + `C:\\Users\\ann\\s0.jsonl`:               "s0",
		plan + `/w/s1.jsonl`:                            "", // itself
		`Implement the following plan:\n\n# Dig`:        "",
		`What is this? \"` + plan + `/w/s0.jsonl`:       "",
	} {
		s := scanAll([]byte(`{"type":"user","sessionId":"s1","message":{"content":"` + prompt + `"}}`))
		if s.Plan != want {
			t.Errorf("%s: planned in %q, want %q", prompt, s.Plan, want)
		}
	}
}

// TestScanSpaces: white space makes no difference, and members of nested objects are not those of the record. A line
// that is not a record is skipped, but one that continues after the end of what was read is not.
func TestScanSpaces(t *testing.T) {
	want := sources.Facts{CWD: "/w/tides", CWDHash: sources.HashCWD("/w/tides"), SessionID: "s1", Lineage: "l1",
		FirstUUID: "u1", Team: "t", Member: "ann",
		Elsewhere: []string{"gone"}, Summaries: map[string]string{"u9": "Tides"}, Start: at("2026-01-01T00:00:00Z"),
		End: at("2026-01-02T00:00:00Z")}
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
		if got := scanAll([]byte(c.log)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
	beginning := []byte(`{"type":"user", "cwd": "/w/tides", "message": {"content": "cut of`)
	if got := (Source{}).FolderOf(beginning); got != "/w/tides" {
		t.Errorf("the folder in the start of a line is %q, want /w/tides", got)
	}
	has := make(map[string]bool)
	spaced := strings.ReplaceAll(log, `":`, `" : `)
	Source{}.FindRecords([]string{"gone", "u2", "u7"}, has)([]byte(spaced))
	if !reflect.DeepEqual(has, map[string]bool{"u2": true}) {
		t.Errorf("found records %v, want u2", has)
	}
}

// TestScanDocument: scanning a document of records gives the same as scanning the records on lines, whatever the white
// space, the order of members, and the pieces in which it is read.
func TestScanDocument(t *testing.T) {
	lines := []string{
		`{"type":"system","toolUseResult":{"cwd":"/no","uuid":"no","sessionId":"no"},"uuid":"u1","timestamp":"2026-01-01T00:00:00Z"}`,
		`{"message":{"content":"a } and a \" of a {"},"cwd":"/w/tides","sessionId":"s1","session_id":"l1","agentName":"ann"}`,
		`{"type":"summary","summary":"Tides","leafUuid":"u9"}`,
		`{"type":"system","logicalParentUuid":"gone","uuid":"u3","teamName":"t"}`,
	}
	want := scanAll([]byte(strings.Join(lines, "\n")))
	if want.CWD != "/w/tides" || want.Summaries["u9"] != "Tides" || want.Member != "ann" || len(want.Elsewhere) != 1 {
		t.Fatalf("scan = %+v, want the folder, the title, the member and one record of another session", want)
	}
	array := "[" + strings.Join(lines, ",") + "]"
	for _, c := range []struct{ name, log string }{
		{"an array on one line", array},
		{"as the CI action writes it", transcript.Pretty([]byte(array))},
		{"objects on several lines", transcript.Pretty([]byte(lines[0])) + "\n" + transcript.Pretty([]byte(lines[1])) + strings.Join(lines[2:], "\n")},
	} {
		if got := scanAll([]byte(c.log)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
		s := new(scan)
		for _, line := range strings.SplitAfter(c.log, "\n") {
			s.Lines([]byte(line))
		}
		for _, line := range strings.SplitAfter(c.log, "\n") {
			s.Again([]byte(line))
		}
		if got := sources.FactsOf(s.Clone()); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, line by line: %+v, want %+v", c.name, got, want)
		}
		has := make(map[string]bool)
		find := Source{}.FindRecords([]string{"no", "u3"}, has)
		for _, line := range strings.SplitAfter(c.log, "\n") {
			find([]byte(line))
		}
		if !reflect.DeepEqual(has, map[string]bool{"u3": true}) {
			t.Errorf("%s: found records %v, want u3", c.name, has)
		}
		if got := (Source{}).FolderOf([]byte(c.log)); got != "/w/tides" {
			t.Errorf("%s: got folder %q, want /w/tides", c.name, got)
		}
	}
}

// TestScanLongRecord: the cost of a record is linear in its size, in however many pieces it is read.
func TestScanLongRecord(t *testing.T) {
	s := new(scan)
	s.Lines([]byte("{\n\"cwd\": \"/w/tides\", \"list\": [\n"))
	line := []byte("\"" + strings.Repeat("long ", 200) + "\",\n")
	for range 20_000 { // if each piece copied the ones before, this would copy 200 GB
		s.Lines(line)
	}
	s.Lines([]byte("1]}\n"))
	if got := sources.FactsOf(s).CWD; got != "/w/tides" {
		t.Errorf("got folder %q, want /w/tides", got)
	}
}

// TestFolderBelow: other writers put the folder into nested objects, with any white space.
func TestFolderBelow(t *testing.T) {
	for _, head := range []string{
		`{"payload":{"cwd":"/w/tides"}}`, `{"payload": {"cwd" : "/w/tides"}}`,
		`{"payload":{"cwd":1}} {"a": {"cwd": "/w/tides"`,
	} {
		if got := (Source{}).FolderOf([]byte(head)); got != "/w/tides" {
			t.Errorf("the folder in %s is %q, want /w/tides", head, got)
		}
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

// TestScanPieces: scanning a file in pieces gives the same as scanning it at once, wherever it is divided.
func TestScanPieces(t *testing.T) {
	lines := strings.SplitAfter(scannedLines, "\n")
	want := scanAll([]byte(scannedLines))
	if want.Member != "ann" || len(want.Elsewhere) != 1 {
		t.Fatalf("scan = %+v, want the first member, whose name comes before the team, and one record of another session",
			want)
	}
	for cuts := range 1 << (len(lines) - 1) {
		var pieces []string
		piece := ""
		for i, line := range lines {
			if piece += line; i == len(lines)-1 || cuts>>i&1 != 0 {
				pieces, piece = append(pieces, piece), ""
			}
		}
		s := new(scan)
		for _, p := range pieces {
			s.Lines([]byte(p))
		}
		if s.Unsure() {
			for _, p := range pieces {
				s.Again([]byte(p))
			}
		}
		if got := sources.FactsOf(s); !reflect.DeepEqual(got, want) {
			t.Fatalf("in %d pieces: got %+v, want %+v", len(pieces), got, want)
		}
	}
}

// TestScanExtended: the scan of the first lines, extended by the scan of later ones, equals the scan of all, wherever
// the file is divided. In most cases the first lines need not be read again.
func TestScanExtended(t *testing.T) {
	lines := strings.SplitAfter(scannedLines, "\n")
	kept := 0
	for from := range lines {
		for to := from; to <= len(lines); to++ {
			s := new(scan)
			for _, new := range [][2]int{{0, from}, {from, to}} {
				s.Lines([]byte(strings.Join(lines[new[0]:new[1]], "")))
				if !s.Unsure() {
					kept++
					continue
				}
				s.Again([]byte(strings.Join(lines[:new[1]], "")))
				s.Checked()
			}
			got, want := sources.FactsOf(s.Clone()), scanAll([]byte(strings.Join(lines[:to], "")))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("lines %d to %d: got %+v, want %+v", from, to, got, want)
			}
		}
	}
	if kept < 60 {
		t.Errorf("%d times it was enough to read the new lines, want at least 60", kept)
	}
}

func TestTimesIn(t *testing.T) {
	for _, c := range []struct{ in, start, end string }{
		{`{"timestamp":"2026-05-01T10:00:00.5Z"}` + "\n" + `{"timestamp":"2026-05-02T10:00:00Z"}`, "2026-05-01T10:00:00.5Z", "2026-05-02T10:00:00Z"},
		{`[{"timestamp": "2026-05-01T12:00:00+02:00"}]`, "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"},
		{`{"timestamp":"soon"}{"timestamp":"2026-05-01T10:00:00Z"}{"timestamp":17}`, "2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"},
		{`{"timestamp":"2026-05-02T10:00:00Z"}{"timestamp":"2026-05-01T10:00:00Z"}`, "2026-05-02T10:00:00Z", "2026-05-02T10:00:00Z"},
		{`{"timestamp":`, "", ""},
		{``, "", ""},
	} {
		facts := scanAll([]byte(c.in))
		for _, x := range []struct {
			got  time.Time
			want string
		}{{facts.Start, c.start}, {facts.End, c.end}} {
			want := time.Time{}
			if x.want != "" {
				want = at(x.want)
			}
			if !x.got.Equal(want) {
				t.Errorf("%s: got %v, want %v", c.in, x.got, want)
			}
		}
	}
}
