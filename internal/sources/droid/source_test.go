package droid_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/droid"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"session_start","id":"a","title":"x","cwd":"/w"}`:                                             true,
		"\ufeff\n{ \"type\" : \"session_start\", \"id\" : \"a\", \"owner\" : \"me\" }":                         true,
		`{"type":"message","id":"m","timestamp":"t","message":{"role":"user","content":[]}}`:                   true,
		`{"type":"system","subtype":"init","sessionId":"s","timestamp":1,"model":"m","cwd":"/w"}`:              true,
		`{"type":"message","session_id":"s","timestamp":"t","role":"user","text":"hi"}`:                        true,
		`{"type":"tool_call","session_id":"s","timestamp":"t","toolName":"Shell","parameters":{"command":"cut`: true,
		`{"type":"system","subtype":"init","session_id":"s","model":"m","cwd":"/w","uuid":"u"}`:                false,
		`{"type":"system","subtype":"init","session_id":"s","model":"m","cwd":"/w"}`:                           false,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`:                       false,
		`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`:                                         false,
		`{"type":"user","uuid":"u","sessionId":"s","timestamp":"t","message":{"role":"user","content":"hi"}}`:  false,
		`{"type":"session","version":3,"id":"a","timestamp":"t","cwd":"/w"}`:                                   false,
		`{"type":"session_start"}`: false,
		"":                         false,
	} {
		if got := (droid.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored. Other files beside them are not read.
func TestFolders(t *testing.T) {
	nothing := func(string) string { return "" }
	if got := (droid.Source{}).Folders(nothing, "/h"); !reflect.DeepEqual(got, []string{"/h/.factory/sessions"}) {
		t.Errorf("with home /h: got %v", got)
	}
	if got := (droid.Source{}).Folders(nothing, ""); got != nil {
		t.Errorf("without a home: got %v, want none", got)
	}
	tree := &sources.Tree{Paths: []string{"-w/a.jsonl", "-w/a.settings.json"}}
	(droid.Source{}).Arrange(tree)
	if tree.Taken(0) || !tree.Taken(1) {
		t.Error("settings are not left out, or sessions are")
	}
}

// TestJoin: the model and the tokens of settings become the last line of the log next to them. A log with settings that
// cannot be read is read without them, and says so.
func TestJoin(t *testing.T) {
	const unreadable = "unreadable"
	files := map[string]string{
		"-w/a.jsonl": "{}", "-w/a.settings.json": `{"model":"m","tokenUsage":{"inputTokens":1},"apiKey":"sk"}`,
		"-w/b.jsonl": "{}\n", "-w/b.settings.json": `{"mod`,
		"-w/c.jsonl":         "{}\n",
		"-w/d.settings.json": `{"model":"m"}`,
		"-w/e.jsonl":         "{}\n{", "-w/e.settings.json": `{"model":"m"}`,
		"-w/f.jsonl": "{}\n", "-w/f.settings.json": unreadable,
		"-w/g.jsonl.gz": "{}\n", "-w/g.settings.json": `{"model":"m"}`,
		"-w/h.jsonl.zst": "{}\n", "-w/h.settings.json": `{"model":"m"}`,
	}
	want := map[string]string{
		"-w/a.jsonl":     "{}\n" + `{"type":"session_settings","model":"m","tokenUsage":{"inputTokens":1}}` + "\n",
		"-w/b.jsonl":     "{}\n",
		"-w/e.jsonl":     "{}\n{",
		"-w/f.jsonl":     "{}\n" + `{"type":"session_settings","unread":true}` + "\n",
		"-w/g.jsonl.gz":  "{}\n" + `{"type":"session_settings","model":"m"}` + "\n",
		"-w/h.jsonl.zst": "{}\n" + `{"type":"session_settings","model":"m"}` + "\n",
	}
	paths := slices.Sorted(maps.Keys(files))
	got := make(map[string]string)
	for _, j := range (droid.Source{}).Join(paths) {
		data, err := j.Read(func(p string) ([]byte, error) {
			if files[p] == unreadable {
				return nil, fs.ErrPermission
			}
			return []byte(files[p]), nil
		})
		if err != nil || len(j.Files) != 2 {
			t.Fatalf("%v: %v", j.Files, err)
		}
		got[paths[j.Files[0]]] = string(data)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestScan: a scan gives the facts of the records, in whatever pieces the file is read.
func TestScan(t *testing.T) {
	files := sourcetest.Cases(t, "droid_*")
	delete(files, "droid_bad") // its folder is not a string
	sourcetest.Scan(t, droid.Source{}, files, func(string, *sources.Facts) {})
}

func TestAppend(t *testing.T) { sourcetest.Grow(t, droid.Source{}, sourcetest.Cases(t, "droid_*")) }

func TestShuffled(t *testing.T) {
	first := `{"type":"session_start","id":"a","cwd":"/w"}`
	sourcetest.Shuffle(t, droid.Source{}, first, sourcetest.Cases(t, "droid_*"))
}

func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, droid.Source{}, sourcetest.Cases(f, "droid_*")) }

type countedLine struct {
	Type, Role, Text string
	Message          struct {
		Role    string
		Content []struct{ Type, Text string }
	}
	Usage, TokenUsage map[string]int64
}

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	for line := range bytes.Lines(data) {
		var l countedLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		if l.Type == "tool_call" {
			c.Calls++
		}
		if l.Type == "tool_result" {
			c.Results++
		}
		if l.Role == "user" {
			c.Prompts++
		}
		prompt := int64(0)
		for _, b := range l.Message.Content {
			switch b.Type {
			case "text":
				if l.Message.Role == "user" {
					prompt = 1
				}
			case "tool_use":
				c.Calls++
			case "tool_result":
				c.Results++
			}
		}
		c.Prompts += prompt
		c.Input += l.Usage["input_tokens"] + l.TokenUsage["inputTokens"]
		c.Output += l.Usage["output_tokens"] + l.TokenUsage["outputTokens"]
	}
	return c
}

// TestCorpus: all records of each real file are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, droid.Source{}, sourcetest.SharedFiles(t, "agents/droid", ".jsonl"), nil, count)
}
