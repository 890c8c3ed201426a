package render

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/corpusgen"
	"viewer/internal/golden"
	"viewer/normalize"
	"viewer/transcript"
)

// decodeTargets are the structs that drawings decode into: what is planned after all cases were drawn.
func decodeTargets(t *testing.T) []reflect.Type {
	t.Helper()
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		drawn([]string{string(bytes.TrimSpace([]byte(golden.Open(t, path).Section(t, "in.jsonl"))))})
	}
	var all []reflect.Type
	left := 0
	plans.Range(func(typ, p any) bool {
		all = append(all, typ.(reflect.Type))
		if p.(*plan) == nil {
			left++
			t.Logf("left to json: %v", typ)
		}
		return true
	})
	if len(all) < 40 || left > len(all)/5 {
		t.Errorf("%d structs, of which %d are left to json: what is fast is not used", len(all), left)
	}
	return all
}

// TestDecodeAsJSON decodes all objects of the cases and of an invented session into all structs, as
// json.Unmarshal does.
func TestDecodeAsJSON(t *testing.T) {
	var objects []jsontext.Value
	collect := func(name string, data []byte) {
		for _, r := range transcript.Read(name, data).Records {
			objects = append(objects, r.Raw, r.ToolUseResult, r.Data)
			objects = append(objects, transcript.Field(r.Raw, "attachment"))
			if r.Message != nil {
				for _, b := range r.Message.Content {
					objects = append(objects, b.Input, b.Raw)
				}
			}
		}
	}
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		collect(path, []byte(golden.Open(t, path).Section(t, "in.jsonl")))
	}
	collect("s.jsonl", corpusgen.Session(1, 200_000))
	for _, s := range []string{
		`{}`, `{"file_path":1,"FILE-PATH":"x","filepath":null}`, `{"offset":"3","limit":[1],"unknown":{"a":1},"file_path":"\u0061\ud800"}`,
		`{"structuredPatch":[{"oldStart":1,"lines":["+a","-b"]},{"lines":null}],"structured_patch":[]}`, `{"structuredPatch":3}`, `{"structuredPatch":null}`,
		`{"file":null,"type":true}`, `{"file":[]}`, `{"file":{"content":"a"},"FILE":{"numLines":2}}`, `{"a\"b":1,"offset":2}`, `{"ſ":1,"file_path":"x","ü":2}`,
		` { "x" : 1 , "y" : [ 1 , 2 ] , "x" : 2 } `, `{"todos":"[{\"content\":\"a\"}]"}`, `{"todos":[{"content":"a"},null,{}]}`, `{"questions":[{"options":[{"label":1}]}]}`,
		`{"questions":[1]}`, `{"questions":{"a":1}}`, `{"gitOperation":{"commit":{"a":1},"push":{"branch":"b"},"pr":{"number":"7"}}}`,
	} {
		objects = append(objects, jsontext.Value(s))
	}
	for _, typ := range decodeTargets(t) {
		for _, v := range objects {
			if transcript.Kind(v) != '{' {
				continue
			}
			before := string(v)
			got, want := reflect.New(typ), reflect.New(typ)
			gotErr := decode(v, got.Interface())
			wantErr := json.Unmarshal(v, want.Interface(), decodeOptions)
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !same(got.Elem(), want.Elem()) {
				t.Errorf("%.300s\ninto %v\ngot  %.300v, %v\nwant %.300v, %v", v, typ, got.Elem(), gotErr, want.Elem(), wantErr)
			}
			if string(v) != before {
				t.Fatalf("decoding changed its input into %.200s", v)
			}
		}
	}
}

// same is reflect.DeepEqual, but for lists without elements, which views do not tell apart.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		return same(a.Elem(), b.Elem())
	}
	return a.Equal(b)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"file_path":"a","old_string":"b","new":[1]}`))
	f.Add([]byte(`{"structuredPatch":[{"lines":["a"]}],"file":{"cells":{}}}`))
	type target struct {
		FilePath, OldString text
		N                   number
		Is                  truth
		File                struct{ Cells jsontext.Value }
		StructuredPatch     []patchHunk
		Todos               list[struct{ Content text }]
		extra
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range transcript.Read("x", data).Records {
			if transcript.Kind(r.Raw) != '{' {
				continue
			}
			var got, want target
			gotErr, wantErr := decode(r.Raw, &got), json.Unmarshal(r.Raw, &want, decodeOptions)
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !same(reflect.ValueOf(got), reflect.ValueOf(want)) {
				t.Errorf("%q\ngot  %+v, %v\nwant %+v, %v", r.Raw, got, gotErr, want, wantErr)
			}
		}
	})
}

func drawn(records []string) Drawing {
	f := transcript.Read("s.jsonl", []byte(strings.Join(records, "\n")+"\n"))
	return DrawSession(Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"})
}

// TestDecodeCrowded keeps what would be decoded into a hundred times its size as it is.
func TestDecodeCrowded(t *testing.T) {
	var to struct{ A []text }
	if err := decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, mostDecoded)+`"]}`), &to); err != nil || len(to.A) != mostDecoded+1 {
		t.Errorf("%d values are decoded, want %d: %v", len(to.A), mostDecoded+1, err)
	}
	if err := decode(jsontext.Value(`{"a":["`+strings.Repeat(`x","`, mostDecoded+1)+`"]}`), &to); err != errCrowded {
		t.Errorf("the error is %v, want %v", err, errCrowded)
	}
}
