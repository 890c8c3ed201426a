package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestPatchFiles(t *testing.T) {
	patch := strings.Join([]string{
		"*** Begin Patch", "*** Add File: new.go", "+a", "+",
		"*** Update File: old.go", "*** Move to: sub/old.go", "@@ func x()",
		" b", "-c", "+d", "@@", "-e", "", "*** End of File", "*** Delete File: gone.go", "*** End Patch",
	}, "\n")
	quoted, _ := json.Marshal(patch)
	want := `change new.go absent "a\n\n" [], change old.go "" ["b\nc\n" "b\nd\n" "e\n\n" "\n"], ` +
		`rename old.go sub/old.go, delete gone.go`
	for _, form := range []string{"%s", `{"input":%s}`, `{"patchText":%s}`} {
		in := fmt.Sprintf(form, quoted)
		var got []string
		for _, op := range patchFiles(jsontext.Value(in), nil) {
			got = append(got, toldOp(op))
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, all, want)
		}
	}
	below := strings.NewReplacer("change new", "change /w/lamp/new", " old.go", " /w/lamp/old.go",
		"sub/", "/w/lamp/sub/", "gone", "/w/lamp/gone").Replace(want)
	var got []string
	for _, op := range patchFiles(jsontext.Value(fmt.Sprintf(`{"input":%s,"workdir":"/w/lamp"}`, quoted)), nil) {
		got = append(got, toldOp(op))
	}
	if all := strings.Join(got, ", "); all != below {
		t.Errorf("in a folder\ngot  %s\nwant %s", all, below)
	}
	for _, path := range []string{"/w/a.go", "~/a.go", `~\a.go`, `C:\a.go`, "C:/a.go"} { // home folders are redacted
		in, _ := json.Marshal("*** Begin Patch\n*** Delete File: " + path + "\n*** End Patch")
		ops := patchFiles(jsontext.Value(fmt.Sprintf(`{"input":%s,"workdir":"~/lamp"}`, in)), nil)
		if len(ops) != 1 || ops[0].Path != path {
			t.Errorf("%s: got %v", path, ops)
		}
	}
	for _, in := range []string{`{}`, `"no patch"`, `{"input":7}`, `"*** Move to: x\n+y"`, `null`} {
		if ops := patchFiles(jsontext.Value(in), nil); ops != nil {
			t.Errorf("%s: got %v, want none", in, ops)
		}
	}
}

func toldOp(op FileOp) string {
	s := strings.TrimSpace([]string{"read", "change", "delete", "rename"}[op.Kind] + " " + op.Path + " " + op.To)
	if op.Load == nil {
		return s
	}
	t := op.Load()
	if t.Absent {
		s += " absent"
	}
	after := ""
	if t.After != nil {
		after = *t.After
	}
	var edits []string
	for _, e := range t.Edits {
		edits = append(edits, e.Old, e.New)
	}
	return s + fmt.Sprintf(" %q %q", after, edits)
}

// TestPatchDeletes: the result of a patch has the texts of the files that it deleted.
func TestPatchDeletes(t *testing.T) {
	ops := patchFiles(nil, jsontext.Value(`{"changes":{
		"a":{"type":"delete","content":"x\r\ny\n"},"b":{"delete":{"content":"z"}},"c":{"type":"delete"}}}`))
	for i, want := range []string{"x\r\ny\n", "z"} {
		if op := ops[i]; op.Kind != DeleteFile || op.Load == nil || *op.Load().Before != want {
			t.Errorf("the text of %s is not %q", op.Path, want)
		}
	}
	if len(ops) != 3 || ops[2].Load != nil {
		t.Error("there is a text that the log does not have")
	}
}
