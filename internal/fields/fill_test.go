package fields

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// everything has a field of each type that structs of views have.
type everything struct {
	names
	Text, Note *Text
	Count      Number
	Done       Bool
	Value      jsontext.Value
	Copy       Ignored
	Steps      List[step]
	Hunks      []hunk
	Error      struct{ Message Text }
	Extra
}

type names struct{ FilePath, Path Text }

type step struct {
	Name Text
	Inner
}

type hunk struct {
	OldStart Number
	Lines    []Text
}

// Inner keeps what a step has no field for.
type Inner struct {
	ID Text
	Extra
}

// values are objects, and whether they are usual.
var values = map[string]bool{
	`{}`: true,
	`{"filePath":"a","file_path":"b","FILE-PATH":"c","path":null}`:                              true,
	`{"text":"a\n\u00e9\ud83d\ude00","note":null,"count":"12","done":"true","value": [1, 2 ]}`:  true,
	`{"text":null,"text":7,"note":["a"],"count":{},"done":0,"value":null,"copy":{"a":[1]}}`:     true,
	`{"steps":[{"name":"a","id":1,"more":{}},null,{"n_a_m_e":"b"}],"steps":[{"rest":1}]}`:       true,
	`{"steps":"[{\"name\":\"a\"}]","hunks":null,"error":null}`:                                  true,
	`{"hunks":[{"oldStart":3,"lines":["a","b",4]},{"lines":[]}],"error":{"message":"m","x":1}}`: true,
	` { "unknown" : [ 1 , "a" ] , "other":"b", "other":"c" } `:                                  true,
	"{\"text\":\"\xff\",\"\":1}":              true,
	`{"fil\u0065Path":"a","other":1}`:         false,
	`{"other":1,"ñ":2,"filePath":"a"}`:        false,
	`{"other":1,"hunks":"none"}`:              false,
	`{"other":1,"hunks":[{"lines":"none"}]}`:  false,
	`{"other":1,"steps":{"name":"a"}}`:        false,
	`{"other":1,"steps":"[{\"name\":\"a\"]"}`: false,
	`{"error":"none"}`:                        false,
}

// TestFill: usual values are not read by json.Unmarshal.
func TestFill(t *testing.T) {
	for v, usual := range values {
		var to everything
		if err := fill(jsontext.Value(v), reflect.ValueOf(&to).Elem()); (err == nil) != usual {
			t.Errorf("%s: %v, want usual: %t", v, err, usual)
		}
		checkDecode(t, v)
	}
	var to struct {
		A int
		B Text `json:"c"`
	}
	if err := Decode(jsontext.Value(`{"a":1,"b":2,"c":3}`), &to); err != nil || to.A != 1 || to.B != "3" {
		t.Errorf("got %+v, error %v", to, err)
	}
}

// FuzzDecode: Decode does the same as json.Unmarshal.
func FuzzDecode(f *testing.F) {
	for v := range values {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		if transcript.Kind(jsontext.Value(v)) == '{' && transcript.Valid([]byte(v)) {
			checkDecode(t, v)
		}
	})
}

func checkDecode(t *testing.T, v string) {
	t.Helper()
	var got, want everything
	err, fails := Decode(jsontext.Value(v), &got), json.Unmarshal([]byte(v), &want, options)
	if (err == nil) != (fails == nil) {
		t.Fatalf("%s: error %v, want %v", v, err, fails)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", v, got, want)
	}
}
