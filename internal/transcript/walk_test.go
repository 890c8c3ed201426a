package transcript

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{`{}`, nil},
		{` { "a" : 1 , "b":[1,{"c":2}] ,"d":{"e":"}"},"f":"\"x\\", "g":null } `,
			[]string{"a=1", `b=[1,{"c":2}]`, `d={"e":"}"}`, `f="\"x\\"`, "g=null"}},
		{"{\n\"a\":\ttrue\r\n}", []string{"a=true"}},
		{`{"a\u0062\"":-1.5e3}`, []string{`ab"=-1.5e3`}},
		{`{"a":1,"a":2}`, []string{"a=1", "a=2"}},
		{`{"":"","\\":"\\\\"}`, []string{`=""`, `\="\\\\"`}},
		{`[1]`, nil}, {`"a"`, nil}, {`null`, nil}, {``, nil}, {`  `, nil},
	} {
		var got []string
		for name, value := range Members(jsontext.Value(c.in)) {
			got = append(got, name+"="+string(value))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Members(%s) (-want +got):\n%s", c.in, diff)
		}
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{`[]`, nil}, {` [ ] `, nil},
		{`[1,"]",[2,[3]],{"a":"]"} , null ]`, []string{"1", `"]"`, "[2,[3]]", `{"a":"]"}`, "null"}},
		{`{"a":1}`, nil}, {`7`, nil}, {``, nil},
	} {
		var got []string
		for e := range Elements(jsontext.Value(c.in)) {
			got = append(got, string(e))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Elements(%s) (-want +got):\n%s", c.in, diff)
		}
	}
}

func TestWalkStops(t *testing.T) {
	n := 0
	for range Members(jsontext.Value(`{"a":1,"b":2}`)) {
		n++
		break
	}
	for range Elements(jsontext.Value(`[1,2]`)) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("got %d steps, want 2", n)
	}
}

func TestField(t *testing.T) {
	v := jsontext.Value(`{"a":1,"b":{"a":2},"a":3}`)
	for name, want := range map[string]string{"a": "1", "b": `{"a":2}`, "c": ""} {
		if got := string(Field(v, name)); got != want {
			t.Errorf("Field(%s, %s) = %s, want %s", v, name, got, want)
		}
	}
	if got := Field(v, "c"); got != nil {
		t.Errorf("Field of an unknown name = %q, want nil", got)
	}
}

func TestWithoutLong(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for in, want := range map[string]string{
		`{"a":1,"text":"` + long + `","b":[2]}`:                  `{"a":1,"text":"","b":[2]}`,
		`{"text":"` + long + `", "other" : "` + long + `"}`:      `{"text":"", "other" : ""}`,
		`{"text":"short","c":"` + long + `"}`:                    `{"text":"short","c":"` + long + `"}`,
		`{"text":["` + long + `"],"b":{"text":"` + long + `"}}`:  `{"text":["` + long + `"],"b":{"text":"` + long + `"}}`,
		`{"text":"` + long + `\"","text":"` + long + `","b":"\"`: `{"text":"","text":"","b":"\"`,
		`["text","` + long + `"]`:                                `["text","` + long + `"]`,
		`{"text":"a"}`:                                           `{"text":"a"}`,
		``:                                                       ``,
	} {
		if got := string(WithoutLong(jsontext.Value(in), "text", "other")); got != want {
			t.Errorf("WithoutLong(%.60s) = %.200s, want %.200s", in, got, want)
		}
	}
}

func TestStringAndTextOf(t *testing.T) {
	for _, c := range []struct{ in, str, text string }{
		{`"plain"`, "plain", "plain"},
		{` "a\"\\\/\b\f\n\r\t\u00e9" `, "a\"\\/\b\f\n\r\té", "a\"\\/\b\f\n\r\té"},
		{`"\ud83d\ude00"`, "😀", "😀"},
		{`"é 世"`, "é 世", "é 世"},
		{`"\ud83d"`, "\ufffd", "\ufffd"},
		{"\"a\xffb\"", "a\ufffdb", "a\ufffdb"},
		{`"1234567\n8\t\"\u00e9\ud83d\ude00\\end of it"`, "1234567\n8\t\"é😀\\end of it", "1234567\n8\t\"é😀\\end of it"},
		{`"\x"`, `\x`, `\x`}, {`"12345678\"`, `12345678\`, `12345678\`}, {`"\u12"`, `\u12`, `\u12`},
		{`""`, "", ""},
		{`17`, "", "17"}, {`{"a":1}`, "", `{"a":1}`}, {`[ ]`, "", `[ ]`}, {`true`, "", "true"},
		{`null`, "", ""}, {``, "", ""},
	} {
		if got := String(jsontext.Value(c.in)); got != c.str {
			t.Errorf("String(%s) = %q, want %q", c.in, got, c.str)
		}
		if got := string(AppendString([]byte("before "), jsontext.Value(c.in))); got != "before "+c.str {
			t.Errorf("AppendString(%s) = %q, want %q after the existing text", c.in, got, c.str)
		}
		if got := TextOf(jsontext.Value(c.in)); got != c.text {
			t.Errorf("TextOf(%s) = %q, want %q", c.in, got, c.text)
		}
	}
}

func TestKind(t *testing.T) {
	for in, want := range map[string]byte{
		`{}`: '{', ` []`: '[', `"x"`: '"', `true`: 't', `false`: 'f', `null`: 'n', `-1`: '0', `7`: '0', ``: 0, "\n": 0,
	} {
		if got := Kind(jsontext.Value(in)); got != want {
			t.Errorf("Kind(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzWalk: walking finds what a decoder of the standard library finds.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\\\"",{}],"b":{"c":[]}}`, `[[],"]",-0.5e-7,true]`, `"\\"`, ` [ "\ud800" ] `} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if !json.Valid([]byte(in)) {
			return
		}
		v := jsontext.Value(in)
		if !v.IsValid(syntax...) {
			return // deeper than jsontext allows
		}
		var array []json.RawMessage
		if json.Unmarshal(v, &array) == nil && Kind(v) == '[' {
			i := 0
			for e := range Elements(v) {
				if i >= len(array) || string(e) != string(array[i]) {
					t.Fatalf("Elements(%s): element %d is %s, want %s", in, i, e, fmt.Sprint(array))
				}
				i++
			}
			if i != len(array) {
				t.Errorf("Elements(%s): got %d, want %d", in, i, len(array))
			}
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(v, &object) == nil && Kind(v) == '{' {
			got := make(map[string]string)
			for name, value := range Members(v) {
				got[name] = string(value)
			}
			want := make(map[string]string)
			for name, value := range object {
				want[name] = string(value)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Members(%s) (-want +got):\n%s", in, diff)
			}
		}
		var s string
		if Kind(v) == '"' && json.Unmarshal(v, &s) == nil && String(v) != s {
			t.Errorf("String(%s) = %q, want %q", in, String(v), s)
		}
	})
}

func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		v    string
		most int
		want bool
	}{
		{`[1,2,3,4]`, 2, true},
		{`[1,2,3]`, 2, false},
		{`{"a":{"b":[1,2]},"c":[3,4]}`, 2, true},
		{`{"a":",,,,,\",,,,"}`, 2, false},
		{`{"a,":1,"b":"x"}`, 1, false},
		{``, 0, false},
	} {
		if got := Crowded(jsontext.Value(c.v), c.most); got != c.want {
			t.Errorf("Crowded(%s, %d) = %v", c.v, c.most, got)
		}
	}
}

// TestTorn: a truncated value is read up to its end.
func TestTorn(t *testing.T) {
	const whole = `{"a":1,"b\u0063":[2,{"d":"e"}],"f":{"g":null}} `
	for end := range len(whole) + 1 {
		v := jsontext.Value(whole[:end])
		var names []string
		for name, value := range Members(v) {
			names = append(names, name)
			for range Elements(value) {
			}
		}
		if want := []string{"a", "bc", "f"}; len(names) > len(want) || !slices.Equal(names, want[:len(names)]) {
			t.Errorf("Members(%s) = %q, want the first ones of %q", v, names, want)
		}
		Read("torn.jsonl", v)
	}
}

// TestFieldByName: a name may be escaped, and another name of the same length does not match.
func TestFieldByName(t *testing.T) {
	const v = `{"b\u0063":1,"xy":2,"\u0078z":3,"bc":4}`
	for name, want := range map[string]string{"bc": "1", "xy": "2", "xz": "3", "zz": ""} {
		if got := string(Field(jsontext.Value(v), name)); got != want {
			t.Errorf("%s of %s: got %q, want %q", name, v, got, want)
		}
	}
}

// TestAmount: only numbers that can be an amount count.
func TestAmount(t *testing.T) {
	for v, want := range map[string]float64{
		"12": 12, "0.5": 0.5, " 2e3 ": 2000, "-1": 0, "1e16": 0, `"12"`: 0, "NaN": 0, "Inf": 0, "null": 0, "": 0,
	} {
		if got := Amount(jsontext.Value(v)); got != want {
			t.Errorf("%s: got %v, want %v", v, got, want)
		}
	}
}
