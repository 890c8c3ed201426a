package sources

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestObject: members are found by name. The first of several with one name counts, and null counts as missing.
func TestObject(t *testing.T) {
	var o Object
	o.Read(jsontext.Value(`{"a":"x","b":null,"c":{"a":1},"a":"y"}`))
	for name, want := range map[string]string{"a": `"x"`, "b": "", "c": `{"a":1}`, "d": "", "": ""} {
		if got := string(o.Get(name)); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	if got := o.Text("a") + o.Text("c"); got != "x" {
		t.Errorf("got texts %q", got)
	}
	if o.Read(jsontext.Value(`[1]`)); len(o) != 0 {
		t.Errorf("got members of a list %v, want none", o)
	}
}

// TestReadWith: an object and the one in a member are read at once, like one after the other. The first of several
// members with one name counts, whatever it is.
func TestReadWith(t *testing.T) {
	for _, in := range []string{
		`{"a":1,"p":{"b":"}\"","c":[{}]},"d":2}`, ` { "p" : { } , "d" : "x" } `, `{"p":null,"p":{"b":1}}`,
		`{"p":{"b":1},"p":{"c":1}}`, `{"p":[{"b":1}],"d":2}`, `{"p":"{}"}`, `{}`, `{"d":{"p":{"b":1}}}`, `[1]`,
	} {
		outer, inner := Object{{}}, Object{{}}
		outer.ReadWith(jsontext.Value(in), "p", &inner)
		var want, within Object
		want.Read(jsontext.Value(in))
		within.Read(want.Get("p"))
		if got, want := fmt.Sprintf("%s %s", outer, inner), fmt.Sprintf("%s %s", want, within); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// TestElements: the members of each element are known when it is yielded.
func TestElements(t *testing.T) {
	var o Object
	got := ""
	for e := range o.Elements(jsontext.Value(` [ {"a":"]"} , "a", [{"a":1}],{"a":{"a":2}},3 ] `)) {
		got += fmt.Sprintf("%s %s\n", e, o)
	}
	want := `{"a":"]"} [{"a" "]"}]` + "\n" + `"a" []` + "\n" + `[{"a":1}] []` + "\n" +
		`{"a":{"a":2}} [{"a" {"a":2}}]` + "\n" + "3 []\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestMake: empty values are left out, and any text becomes valid JSON.
func TestMake(t *testing.T) {
	got := Make("a", "<x>\xff\n", "b", "", "c", 0, "d", int64(7), "e", 1.5, "f", math.NaN(), "g", false, "h", true,
		"i", jsontext.Value(`[1]`), "j", jsontext.Value(nil), "k")
	if want := `{"a":"<x>` + "\ufffd" + `\n","d":7,"e":1.5,"h":true,"i":[1]}`; string(got) != want || !got.IsValid() {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDollars: no sum of costs is infinite.
func TestDollars(t *testing.T) {
	for v, want := range map[string]float64{
		"0.25": 0.25, "3": 3, "-1": 0, "1e308": 0, "1e999": 0, `"3"`: 0, "null": 0, "": 0, "NaN": 0,
	} {
		if got := Dollars(jsontext.Value(v)); got != want {
			t.Errorf("%s: got %v, want %v", v, got, want)
		}
	}
}

// TestFilePath: the URL of a file is converted to a path, also after the home folder in it was redacted.
func TestFilePath(t *testing.T) {
	for address, want := range map[string]string{
		"file:///w/a%20b": "/w/a b", "file://~/tides": "~/tides", "file:///C:/tides": "C:/tides",
		"file://machine/w": "/w", "file://machine": "", "/w/tides": "/w/tides", `C:\tides`: `C:\tides`, "": "",
		"https://example.com/a": "", "file:///%zz": "", "vscode-remote://x/w": "",
	} {
		if got := FilePath(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

// TestBeginning: half a character is not part of the beginning of a text.
func TestBeginning(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "ebb": "ebb", "floods": "flood", "été à": "été", "a𝄞𝄞": "a𝄞", "a\xff": "a",
	} {
		if got := Beginning(text, 5); got != want {
			t.Errorf("Beginning(%q) = %q, want %q", text, got, want)
		}
	}
}
