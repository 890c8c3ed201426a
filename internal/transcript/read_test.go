package transcript

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// account lists the result for each value of a file, in order: "2 user u1" for a record, "3 lost: ..." and "3 problem:
// ..." for problems.
func account(f File) []string {
	var all []string
	problems := f.Problems
	upTo := func(offset int64) {
		for len(problems) > 0 && problems[0].Pos.Offset < offset {
			word := "problem"
			if problems[0].Lost {
				word = "lost"
			}
			all = append(all, fmt.Sprintf("%d %s: %s", problems[0].Pos.Line, word, problems[0].Text))
			problems = problems[1:]
		}
	}
	for _, r := range f.Records {
		upTo(r.Pos.Offset)
		all = append(all, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.Pos.Line, r.Type, r.UUID)))
	}
	upTo(1 << 62)
	return all
}

func TestRead(t *testing.T) {
	const (
		one   = `{"type":"user","uuid":"u1"}`
		two   = `{"type":"user","uuid":"u2"}`
		three = `{"type":"user","uuid":"u3"}`
	)
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"one record a line", one + "\n" + two + "\n", []string{"1 user u1", "2 user u2"}},
		{"no final newline", one + "\n" + two, []string{"1 user u1", "2 user u2"}},
		{"empty file", "", nil},
		{"only blank lines", "\n  \n\t\r\n", nil},
		{"blank lines between", "\n" + one + "\n\n  \n" + two + "\n\n", []string{"2 user u1", "5 user u2"}},
		{"byte order mark", "\ufeff" + one + "\n" + two, []string{"1 user u1", "2 user u2"}},
		{"CRLF", one + "\r\n\r\n" + two + "\r\n", []string{"1 user u1", "3 user u2"}},
		{"indented line", "   " + one + "  \n", []string{"1 user u1"}},

		{"two glued values", one + two + "\n" + three, []string{"1 user u1", "1 user u2", "2 user u3"}},
		{"glued with blanks", one + " \t" + two, []string{"1 user u1", "1 user u2"}},
		{"a record after an incomplete one on its line", one + `{"type":"us` + "\n" + two, []string{
			"1 user u1", "1 lost: the line ends in the middle of a record", "2 user u2"}},
		{"glued to no object", one + `17"x"[]null` + two, []string{
			"1 user u1", "1 lost: want an object, got a number", "1 lost: want an object, got a string",
			"1 lost: want an object, got an array", "1 lost: want an object, got null", "1 user u2"}},
		{"spaced and glued to garbage", one + "oops" + strings.Replace(two, "{", "{ ", 1), []string{
			"1 user u1", `1 lost: not JSON: "oops"`, "1 user u2"}},
		{"glued to garbage", one + "oops" + two, []string{
			"1 user u1", `1 lost: not JSON: "oops"`, "1 user u2"}},
		{"trap05_torn_inside_a_text", `{"type":"user","uuid":"u9","message":"half a wo` + one + two + "\n" + three,
			[]string{
				`1 lost: a record ends in its middle, where the next one begins: "{\"type\":\"user\",\"uuid\":\"u9\",\"message\":\"half a wo"`,
				"1 user u1", "1 user u2", "2 user u3"}},
		{"trap05_torn_before_a_value", one + `{"type":"user","message":{"content":[` + two + "\n" + three, []string{
			"1 user u1", `1 lost: a record ends in its middle, where the next one begins: "{\"type\":\"user\",\"message\":{\"content\":["`,
			"1 user u2", "2 user u3"}},
		{"trap05_torn_twice", `{"type":"us` + `{"type":"user","uu` + one, []string{
			`1 lost: a record ends in its middle, where the next one begins: "{\"type\":\"us{\"type\":\"user\",\"uu"`, "1 user u1"}},
		{"trap05_torn_behind_an_object", `{"type":"user","uuid":"u9","message":{"type":"message","content":"x"}` +
			"\n" + one, []string{
			"1 lost: the line ends in the middle of a record", "2 user u1"}},

		{"trap05_torn_last_line", one + "\n" + `{"type":"user","uuid":"u2","message":{"cont`, []string{
			"1 user u1", "2 lost: the file ends in the middle of a record"}},
		{"trap05_torn_line_inside", one + "\n" + `{"type":"user","mess` + "\n" + two + "\n", []string{
			"1 user u1", "2 lost: the line ends in the middle of a record", "3 user u2"}},
		{"trap05_torn_first_line", "{\n" + one + "\n" + two + "\n", []string{
			`1 lost: not JSON: "{\n{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"user\",\"uuid\":\"u2\"}\n"`,
			"2 user u1", "3 user u2"}},
		{"trap05_no_objects", "17\n\"text\"\n[1,2]\ntrue\nnull\n" + one, []string{
			"1 lost: want an object, got a number", "2 lost: want an object, got a string",
			"3 lost: want an object, got an array", "4 lost: want an object, got true or false",
			"5 lost: want an object, got null", "6 user u1"}},
		{"NUL bytes after a crash", one + "\n\x00\x00\x00\n" + two, []string{
			"1 user u1", `2 lost: not JSON: "\x00\x00\x00"`, "3 user u2"}},
		{"a record behind NUL bytes", one + "\n\x00\x00" + two + three + "\n" + two, []string{
			"1 user u1", `2 lost: not JSON: "\x00\x00"`, "2 user u2", "2 user u3", "3 user u2"}},
		{"records without ids behind NUL bytes",
			"\x00\x00{\"type\":\"user\"}\n\x00 \x00\x00{}{\"uuid\":\"u1\"}\n\x00\x007",
			[]string{`1 lost: not JSON: "\x00\x00"`, "1 user", `2 lost: not JSON: "\x00 \x00\x00"`, "2", "2  u1",
				`3 lost: not JSON: "\x00\x00"`, "3 lost: want an object, got a number"}},
		{"a record behind other output", `[debug] {"a":1} ` + one + "\n" + two, []string{
			`1 lost: not JSON: "[debug] {\"a\":1} "`, "1 user u1", "2 user u2"}},
		{"comment lines", "// exported by hand\n# and edited\n" + one, []string{
			"1 lost: a comment, not a record", "2 lost: a comment, not a record", "3 user u1"}},
		{"debug lines of a capture", "[SandboxDebug] starting\nplain words\n" + one, []string{
			`1 lost: not JSON: "[SandboxDebug] starting"`, `2 lost: not JSON: "plain words"`, "3 user u1"}},
		{"a long bad line is cut", strings.Repeat("x", 100), []string{
			`1 lost: not JSON: "` + strings.Repeat("x", 60) + `"...`}},

		{"trap06_invalid_utf8", `{"type":"user","uuid":"a` + "\xff\xfe" + `b"}`, []string{"1 user a\ufffd\ufffdb"}},
		{"trap06_lone_surrogates", `{"type":"user","uuid":"a\ud83db\ude00c"}`, []string{"1 user a\ufffdb\ufffdc"}},
		{"raw control characters in strings", "{\"type\":\"user\",\"uuid\":\"a\x1b[0m\tb\"}\n" + two, []string{
			"1 user a\x1b[0m\tb", "2 user u2"}},
		{"raw control characters after an escaped quote", "{\"type\":\"user\",\"uuid\":\"a\\\"b\tc\"}", []string{
			"1 user a\"b\tc"}},
		{"raw control characters in glued values", "{\"type\":\"us\x01er\",\"uuid\":\"\x02\"}\t" + two + "\n" + three,
			[]string{
				"1 us\x01er \x02", "1 user u2", "2 user u3"}},
		{"duplicate names: the last wins", `{"type":"a","type":"b"}`, []string{"1 b"}},

		{"unknown types", `{"type":"never-heard-of","uuid":"x"}` + "\n{}\n" + `{"uuid":"y"}`, []string{
			"1 never-heard-of x", "2", "3  y"}},
		{"trap07_preamble", `{"type":"file-history-snapshot","messageId":"m"}` + "\n" +
			`{"type":"mode","mode":"normal"}` + "\n" + one, []string{
			"1 file-history-snapshot", "2 mode", "3 user u1"}},

		{"an array on one line", "[" + one + "," + two + "]\n", []string{"1 user u1", "1 user u2"}},
		{"a pretty-printed array", "[\n  {\n    \"type\": \"user\",\n    \"uuid\": \"u1\"\n  },\n  {\n    \"type\": \"user\"\n  }\n]\n", []string{
			"2 user u1", "6 user"}},
		{"an array with a byte order mark", "\ufeff\n[\n" + one + "\n]", []string{"3 user u1"}},
		{"an empty array", "[]\n", nil},
		{"an array with other values", "[" + one + ",\n7,\n[" + two + "],\n" + two + "]", []string{
			"1 user u1", "2 lost: want an object, got a number", "3 lost: want an object, got an array", "4 user u2"}},
		{"a cut array", "[\n" + one + ",\n{\"type\":\"us", []string{
			"2 user u1", "3 lost: the file ends in the middle of a record"}},
		{"an array that is not closed", "[\n" + one + ",\n" + two + "\n", []string{
			"2 user u1", "3 user u2", "4 lost: the file ends in the middle of a record"}},
		{"an array and then lines", "[" + one + "]\n" + two + "\nnoise\n" + three, []string{
			"1 user u1", "2 user u2", `3 lost: not JSON: "noise\n{\"type\":\"user\",\"uuid\":\"u3\"}"`, "4 user u3"}},
		{"pretty-printed objects", "{\n \"type\": \"user\",\n \"uuid\": \"u1\"\n}\n{\n \"type\": \"user\",\n \"uuid\": \"u2\"\n}\n", []string{
			"1 user u1", "5 user u2"}},
		{"pretty-printed objects, one cut", "{\n \"type\": \"user\",\n{\n \"type\": \"user\",\n \"uuid\": \"u2\"\n}\n",
			[]string{
				"1 lost: not JSON: \"{\\n \\\"type\\\": \\\"user\\\",\\n{\\n \\\"type\\\": \\\"user\\\",\\n \\\"uuid\\\": \\\"u2\\\"\\n}\\n\"", "3 user u2"}},

		{"debug wrapper", `{"_dir":"in","_ts":17,"line":` + one + "}\n" + two, []string{"1 user u1", "2 user u2"}},
		{"a wrapper inside a wrapper", `{"line":{"line":` + one + "}}", []string{"1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Read("a.jsonl", []byte(c.in))
			if diff := cmp.Diff(c.want, account(f)); diff != "" {
				t.Errorf("Read(%q) (-want +got):\n%s", c.in, diff)
			}
			if f.Name != "a.jsonl" || f.Size != int64(len(c.in)) {
				t.Errorf("Name, Size = %q, %d, want a.jsonl, %d", f.Name, f.Size, len(c.in))
			}
			checkPromise(t, []byte(c.in), f)
		})
	}
}

func TestReadOffsets(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []int64
	}{
		{"lines", "{}\n {}\n\n{}", []int64{0, 4, 8}},
		{"glued", "\ufeff {} {}{}", []int64{4, 7, 9}},
		{"glued after raw control characters", "{\"a\":\"\x01\x02\"}{\"b\":\"\x03\"} {}\n{}", []int64{0, 10, 20, 23}},
		{"array", "[{},\r\n\t{}]", []int64{1, 7}},
		{"after an incomplete start", "{\n{}\n{}", []int64{2, 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Read("a.jsonl", []byte(c.in))
			var got []int64
			for _, r := range f.Records {
				got = append(got, r.Pos.Offset)
				if at := c.in[r.Pos.Offset:]; !strings.HasPrefix(at, "{") {
					t.Errorf("offset %d points to %.10q, want a value", r.Pos.Offset, at)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("offsets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadLongLines(t *testing.T) {
	t.Run("trap04_20_MB", func(t *testing.T) {
		long := strings.Repeat("0123456789abcdef", 20<<20/16)
		in := `{"type":"user","uuid":"u1","message":{"role":"user","content":"` + long + `"}}` + "\n" +
			`{"type":"user","uuid":"u2"}`
		f := Read("a.jsonl", []byte(in))
		if diff := cmp.Diff([]string{"1 user u1", "2 user u2"}, account(f)); diff != "" {
			t.Fatalf("records (-want +got):\n%s", diff)
		}
		if got := f.Records[0].Message.Content[0].Text; got != long {
			t.Errorf("text has %d bytes, want %d", len(got), len(long))
		}
	})
	t.Run("over the limit", func(t *testing.T) {
		in := `{"uuid":"u1"}` + "\n" + `{"uuid":"` + strings.Repeat("x", 90) + `"}` + "\n" + `{"uuid":"u3"}` + "\n"
		f := Options{}.read("a.jsonl", []byte(in), 50)
		want := []string{"1  u1", "2 lost: a line of 0 MB is longer than the 0 MB that are read", "3  u3"}
		if diff := cmp.Diff(want, account(f)); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
	})
	t.Run("the limit is 64 MB", func(t *testing.T) {
		if MaxLine != 64<<20 {
			t.Errorf("MaxLine = %d, want %d", MaxLine, 64<<20)
		}
	})
}

// TestDocumentMemory: a document of one value is not copied before it is translated.
func TestDocumentMemory(t *testing.T) {
	doc := []byte("{\n\"steps\": \"" + strings.Repeat("x", 8<<20) + "\"}")
	read := 0
	o := Options{Translate: func(_ Pos, v jsontext.Value) ([]Record, []Problem) {
		read = len(v)
		return []Record{{Type: "step"}}, nil
	}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o.Read("doc.json", doc)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; read != len(doc) || used > 1<<20 {
		t.Errorf("%d bytes of %d were read with %d bytes of memory, want all with less than 1 MiB", read, len(doc), used)
	}
}
