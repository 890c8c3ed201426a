package atif_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/atif"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"schema_version":"ATIF-v1.0","steps":[`:                                    true,
		"{\n  \"session_id\": \"a\",\n  \"schema_version\": \"ATIF-v1.9\",\n  \"age": true,
		`{"schema_version":"1.0","steps":[]}`:                                        false,
		`{"steps":[{"schema_version":"ATIF-v1.0"}]}`:                                 false,
		`{"type":"user","message":{"content":"ATIF-v1.7"}}`:                          false,
		"": false,
	} {
		if got := (atif.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: the files of trials have the same name, so sessions are named after their folders, grouped by job.
func TestArrange(t *testing.T) {
	paths := []string{
		"jobs/mon/tie-knot__x1/agent/trajectory.json", "jobs/mon/tie-knot__x1/agent/trajectory.cont-1.json",
		"jobs/mon/sail__y2/agent/trajectory.json", "jobs/mon/sail__y2/result.json",
		"jobs/mon/sail__y2/agent/other.json", "trial/agent/trajectory.json", "alone.json",
	}
	tree := sources.Tree{Base: "runs", Paths: paths, Head: func(p string) []byte {
		if strings.Contains(p, "result") {
			t.Errorf("%s was read, want it left alone", p)
		}
		return []byte(`{"schema_version":"ATIF-v1.7"`)
	}}
	var got []string
	for _, fo := range (atif.Source{}).Arrange(&tree) {
		for _, s := range fo.Sessions {
			got = append(got, fo.Name+" "+s.ID)
		}
	}
	want := []string{"mon tie-knot__x1", "mon tie-knot__x1-cont-1", "mon sail__y2", "runs trial"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestIDsStay: a trajectory is rewritten with each step. Earlier records must keep their ids.
func TestIDsStay(t *testing.T) {
	const begin = `{"schema_version":"ATIF-v1.7","agent":{"name":"a"},"steps":[{"step_id":1,"source":"user","message":"Go."}`
	ids := func(doc string) (all []string) {
		f := sources.List{atif.Source{}}.Read("t.json", []byte(doc), transcript.Options{})
		for _, r := range f.Records {
			all = append(all, r.UUID)
		}
		return all
	}
	more := strings.Repeat(`,{"step_id":2,"source":"agent","message":"On."}`, 60)
	before := ids(begin + more + "]}")
	after := ids(begin + more + `,{"step_id":3,"source":"agent","message":"Done."}],"notes":"n"}`)
	if len(before) != 62 || len(after) != 64 || !reflect.DeepEqual(before, after[:62]) {
		t.Errorf("the ids\n%q\nchanged to\n%q", before, after)
	}
	other := ids(strings.Replace(begin, "Go.", "Stop.", 1) + "]}")
	if other[1] == before[1] {
		t.Errorf("two documents share the id %s", other[1])
	}
}

// TestRepeatedNumbers: numbers of steps and ids of calls may repeat. Only what belongs together may be joined.
func TestRepeatedNumbers(t *testing.T) {
	step := `{"step_id":1,"source":"agent","message":"a%d","tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{}}],` +
		`"observation":{"results":[{"source_call_id":"c","content":"r%[1]d"}]},"metrics":{"prompt_tokens":5,"completion_tokens":1}}`
	doc := `{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"a"},"steps":[` +
		fmt.Sprintf(step, 1) + "," + fmt.Sprintf(step, 2) + "]}"
	f := sources.List{atif.Source{}}.Read("t.json", []byte(doc), transcript.Options{})
	c := normalize.Build(normalize.Input{ID: "t", Main: &f})
	if got := sourcetest.Count(c); got != (sourcetest.Counts{Calls: 2, Results: 2, Input: 10, Output: 2}) {
		t.Errorf("got counts %+v, want 2 calls and 2 results", got)
	}
}

// FuzzTranslate: any document becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, atif.Source{}, sourcetest.Cases(f, "atif_*")) }
