package render

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestDecode decodes values with unexpected types, as models and old versions write them.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string // path, limit, all, remaining members
	}{
		{`{"file_path":"a","limit":3,"all":true}`, `a 3 true `},
		{`{"filePath":"a","LIMIT":"3","All":"true"}`, `a 3 true `},
		{`{"file_path":["a",1],"limit":[3],"all":1}`, `["a",1] 0 false `},
		{`{"file_path":null,"limit":null,"all":null}`, ` 0 false `},
		{`{"file_path":7,"depth":{"max":2},"why":"<b>"}`, `7 0 false depth={` + "\n  \"max\": 2\n" + `} why=<b>`},
		{`{"limit":1e300}`, ` 0 false `},
		{`{"file_path":"a","file_path":"b"}`, `b 0 false `},
		{`{}`, ` 0 false `},
	} {
		var in struct {
			FilePath text
			Limit    number
			All      truth
			extra
		}
		if err := decode(jsontext.Value(c.in), &in); err != nil {
			t.Errorf("decode(%s): got error %v, want none", c.in, err)
			continue
		}
		got := []string{string(in.FilePath), count(int(in.Limit)), "false"}
		if in.All == true {
			got[2] = "true"
		}
		var rest []string
		for _, f := range emptyDrawer().fields(in.Rest) {
			rest = append(rest, f.Name+"="+f.Value)
		}
		if g := strings.Join(got, " ") + " " + strings.Join(rest, " "); g != c.want {
			t.Errorf("decode(%s)\n got %q\nwant %q", c.in, g, c.want)
		}
	}
}

// TestList decodes lists that models wrote as text.
func TestList(t *testing.T) {
	for in, want := range map[string]string{`["a",2]`: "a 2", `"[\"a\"]"`: "a", `[]`: "", `null`: "", `""`: "error",
		`"a"`: "error", `"[1,"`: "error", `7`: "error", `{"a":1}`: "error"} {
		var to struct{ List list[text] }
		err := decode(jsontext.Value(`{"list":`+in+`}`), &to)
		var all []string
		for _, s := range to.List {
			all = append(all, string(s))
		}
		got := strings.Join(all, " ")
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("list %s = %q, want %q", in, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, in := range []string{`"text"`, `[1]`, `7`, `null`, ``, `{"list":"no list"}`} {
		var to struct{ List []text }
		if err := decode(jsontext.Value(in), &to); err == nil {
			t.Errorf("decode(%s) = nil, want an error, so that the drawing is generic", in)
		}
	}
}
