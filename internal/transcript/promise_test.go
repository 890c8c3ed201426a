package transcript

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// checkPromise checks the promises of Read for any bytes.
func checkPromise(t *testing.T, in []byte, f File) {
	t.Helper()
	lost := 0
	taken := make(map[int]bool) // lines on which a record or a problem starts
	lines := bytes.Count(in, []byte("\n")) + 1
	check := func(what string, p, last Pos) {
		t.Helper()
		if p.File != f.Name {
			t.Errorf("%s: got file %q, want %q", what, p.File, f.Name)
		}
		if p.Line < max(last.Line, 1) || p.Line > lines {
			t.Errorf("%s: got line %d, want one of %d to %d", what, p.Line, max(last.Line, 1), lines)
		}
		if p.Offset < last.Offset || p.Offset > int64(len(in)) {
			t.Errorf("%s: got byte %d, want one of %d to %d", what, p.Offset, last.Offset, len(in))
		}
		taken[p.Line] = true
	}
	var last Pos
	for i, r := range f.Records {
		check("a record", r.Pos, last)
		if i > 0 && r.Pos == last {
			t.Errorf("two records are at %s byte %d", r.Pos, r.Pos.Offset)
		}
		last = r.Pos
		if !r.Raw.IsValid(syntax...) || Kind(r.Raw) != '{' {
			t.Errorf("%s: Raw is not a JSON object: %.200q", r.Pos, r.Raw)
		}
	}
	last = Pos{}
	for _, p := range f.Problems {
		check("a problem", p.Pos, last)
		last = p.Pos
		if p.Lost {
			lost++
		}
		if p.Text == "" {
			t.Errorf("%s: a problem without text", p.Pos)
		}
	}
	if got, want := f.Values(), len(f.Records)+lost; got != want {
		t.Errorf("Values() = %d, want %d records + %d lost", got, len(f.Records), lost)
	}

	// In a file of lines, each line that is not blank became a record or a problem.
	body := bytes.TrimPrefix(in, []byte("\ufeff"))
	if start := bytes.TrimLeft(body, " \t\r\n"); !isArray(start) && !isSpread(start) {
		for i, line := range bytes.Split(body, []byte("\n")) {
			if blank := len(bytes.TrimSpace(line)) == 0; blank == taken[i+1] {
				t.Errorf("line %d: blank is %v, but a record or problem there is %v: %.200q", i+1, blank,
					taken[i+1], line)
			}
		}
	} else if f.Values() == 0 && !bytes.HasPrefix(start, []byte("[")) {
		t.Errorf("%.200q gives neither a record nor a problem", in)
	}

	// The raw values contain everything in the records.
	var again bytes.Buffer
	for _, r := range f.Records {
		raw := r.Raw.Clone()
		if err := raw.Compact(syntax...); err != nil {
			t.Errorf("%s: Compact: %v", r.Pos, err)
		}
		again.Write(raw)
		again.WriteByte('\n')
	}
	g := Read(f.Name, again.Bytes())
	ignore := cmp.Options{
		cmpopts.IgnoreFields(Record{}, "Pos", "Raw", "Content", "ToolUseResult"),
		cmpopts.IgnoreFields(Rare{}, "Data", "Contexts", "OriginValue"),
		cmpopts.IgnoreFields(Block{}, "Raw", "Input"),
		cmpopts.IgnoreFields(Source{}, "Data"),
		cmpopts.IgnoreFields(Attachment{}, "Raw"),
	}
	if diff := cmp.Diff(f.Records, g.Records, ignore); diff != "" {
		t.Errorf("reading the raw values again gives other records (-first +again):\n%s", diff)
	}
}

// seeds returns the files of testdata: a fuzz test without seeds finds nothing.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no file matches testdata/*.jsonl: add at least one session to start from")
	}
	var all [][]byte
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
		f.Add(s[:len(s)*2/3]) // truncated
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		checkPromise(t, in, Read("fuzz.jsonl", in))
	})
}
