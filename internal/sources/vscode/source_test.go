package vscode_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/sources/vscode"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"kind":0,"v":{"version":3,"creationDate":17,"requests":[{"requestId":"cut`:                        true,
		"{\n  \"version\": 3,\n  \"responderUsername\": \"GitHub Copilot\",\n  \"requests\": [\n    {\"cut": true,
		`{"creationDate":1,"initialLocation":"panel","requests":[{"cut`:                                     true,
		`{"version":3,"creationDate":1,"requests":[]}`:                                                      true,
		`{"kind":1,"k":["requests"],"v":[]}`:                                                                false,
		`{"kind":0,"v":{"a":1}}`:                                                                            false,
		`{"version":3,"requests":[]}`:                                                                       false,
		`{"type":"user","version":"2.1","message":{}}`:                                                      false,
		"": false,
	} {
		if got := (vscode.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: a session that exists in both formats is one. Other files of the editor are not read.
func TestArrange(t *testing.T) {
	paths := []string{
		"a1/chatSessions/s1.json", "a1/chatSessions/s1.jsonl", "a1/chatSessions/s2.json", "a1/other/big.json",
		"a1/workspace.json", "b2/chatSessions/s3.jsonl",
	}
	tree := sources.Tree{Base: "workspaceStorage", Paths: paths, Head: func(p string) []byte {
		switch {
		case strings.HasSuffix(p, "workspace.json"):
			return []byte(`{"folder":"file:///home/mara/fishing%20net"}`)
		case strings.Contains(p, "other"):
			t.Errorf("%s was read, want it left alone", p)
		}
		return []byte(`{"version":3,"creationDate":1,"requests":[]}`)
	}}
	want := []sources.Folder{
		{Name: "fishing net", Sessions: []sources.Session{
			{ID: "s1", Log: 1, Path: paths[1]}, {ID: "s2", Log: 2, Path: paths[2]},
		}},
		{Name: "b2", Sessions: []sources.Session{{ID: "s3", Log: 5, Path: paths[5]}}},
	}
	if got := (vscode.Source{}).Arrange(&tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, i := range []int{0, 3, 4} {
		if !tree.Taken(i) {
			t.Errorf("%s is left to other sources", paths[i])
		}
	}
}

func TestFolders(t *testing.T) {
	env := map[string]string{"APPDATA": "C:/Users/mara/AppData/Roaming"}
	got := (vscode.Source{}).Folders(func(name string) string { return env[name] }, "/h")
	for _, want := range []string{
		"/h/.config/Code/User/workspaceStorage", "/h/Library/Application Support/Code/User/workspaceStorage",
		"C:/Users/mara/AppData/Roaming/Code/User/globalStorage/emptyWindowChatSessions",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the folders lack %s: %q", want, got)
		}
	}
}

// TestReplay: replaying a log gives the session with all its changes.
func TestReplay(t *testing.T) {
	for log, want := range map[string]string{
		`{"kind":0,"v":{"version":3,"a":{"b":[1,2,3]},"requests":[{"x":1}]}}`:                                   `{"version":3,"a":{"b":[1,2,3]}}|{"x":1}`,
		`{"kind":0,"v":{"a":{"b":[1,2,3]},"requests":[{"x":1}]}}` + "\n" + `{"kind":1,"k":["a","b",1],"v":"y"}`: `{"a":{"b":[1,"y",3]}}|{"x":1}`,
		`{"kind":0,"v":{"requests":[]}}` + "\n" + `{"kind":2,"k":["requests"],"v":[{"x":1},{"y":2}]}`:           `{}|{"x":1}|{"y":2}`,
		`{"kind":0,"v":{"requests":[{"r":[1,2,3]}]}}` + "\n" +
			`{"kind":2,"k":["requests",0,"r"],"v":[4],"i":1}`: `{}|{"r":[1,4]}`,
		`{"kind":0,"v":{"requests":[{"r":1,"s":2}]}}` + "\n" + `{"kind":3,"k":["requests",0,"r"]}`: `{}|{"s":2}`,
		`{"kind":0,"v":{"requests":[{}]}}` + "\n" + `{"kind":1,"k":["requests",0,"r","t"],"v":5}`:  `{}|{"r":{"t":5}}`,
		`{"kind":0,"v":{"requests":[{"r":[]}]}}` + "\n" + `{"kind":1,"k":["requests",7],"v":5}`:    `{"kind":1,"k":["requests",7],"v":5}|{}|{"r":[]}`,
		`{"kind":0,"v":{"requests":[{"x":1},{"y":2}]}}` + "\n" + `{"kind":3,"k":["requests",0]}`:   `{}|{"y":2}`,
	} {
		var got []string
		for _, v := range (vscode.Source{}).Values([]byte(log)) {
			got = append(got, string(v))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s\ngot  %s\nwant %s", log, s, want)
		}
	}
}

// TestPersonal: data of the account, and text that was typed but not sent, are not kept.
func TestPersonal(t *testing.T) {
	log := `{"kind":0,"v":{"version":3,"creationDate":1,"requesterUsername":"mara-account",` +
		`"requesterAvatarIconUri":{"path":"/u/777"},"inputState":{"inputText":"a draft"},"requests":[]}}`
	f := sources.List{vscode.Source{}}.Read("a.jsonl", []byte(log), transcript.Options{})
	for _, r := range f.Records {
		for _, secret := range []string{"mara-account", "/u/777", "a draft"} {
			if strings.Contains(string(r.Raw), secret) {
				t.Errorf("%q is kept in %s", secret, r.Raw)
			}
		}
	}
}

// count counts the items of a file with knowledge of the format only, from the last state of each request.
func count(_ string, data []byte) (c sourcetest.Counts) {
	type request struct {
		Message  any
		Response []struct{ Kind, ToolID string }
		Result   struct {
			Metadata struct {
				ToolCallRounds  []struct{ ToolCalls []any }
				ToolCallResults map[string]any
			}
		}
	}
	var doc struct{ Requests []request }
	if json.Unmarshal(data, &doc) != nil || doc.Requests == nil {
		doc.Requests = nil
		for line := range strings.Lines(string(data)) {
			var l struct {
				Kind int
				V    json.RawMessage
				K    []any
			}
			json.Unmarshal([]byte(line), &l)
			if l.Kind == 0 {
				json.Unmarshal(l.V, &doc)
			} else if l.Kind == 2 && len(l.K) == 1 {
				var more []request
				json.Unmarshal(l.V, &more)
				doc.Requests = append(doc.Requests, more...)
			}
		}
	}
	for _, r := range doc.Requests {
		c.Prompts++
		for _, round := range r.Result.Metadata.ToolCallRounds {
			c.Calls += int64(len(round.ToolCalls))
		}
		c.Results += int64(len(r.Result.Metadata.ToolCallResults))
	}
	return c
}

// TestCorpus: all records of each real chat are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, vscode.Source{}, sourcetest.SharedFiles(t, "agents/vscode-chat", ".json", ".jsonl"), nil, count)
}

// TestShuffled: changes in any order are all accounted for.
func TestShuffled(t *testing.T) {
	first := `{"kind":0,"v":{"version":3,"creationDate":1,"requests":[]}}`
	sourcetest.Shuffle(t, vscode.Source{}, first, sourcetest.Cases(t, "vs-code_*"))
}

// TestManyResults: the time is linear in the number of calls of a request, whose results are one object.
func TestManyResults(t *testing.T) {
	const n = 50_000
	var calls, results []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(`{"id":"c%06d","name":"dig"}`, i))
		result := `{"content":[{"value":"` + strings.Repeat("sand ", 20) + `"}]}`
		results = append(results, fmt.Sprintf(`"c%06d":%s`, n-1-i, result))
	}
	log := `{"version":3,"responderUsername":"GitHub Copilot","requests":[{"requestId":"r","message":{"text":"Dig."},` +
		`"response":[],"result":{"metadata":{"toolCallRounds":[{"toolCalls":[` + strings.Join(calls, ",") +
		`]}],"toolCallResults":{` + strings.Join(results, ",") + `}}}}]}`
	start := time.Now()
	f := sources.List{vscode.Source{}}.Read("a.json", []byte(log), transcript.Options{})
	if took := time.Since(start); len(f.Records) < n/10 || took > 10*time.Second {
		t.Errorf("got %d records in %v, want many in a second", len(f.Records), took)
	}
}

// FuzzTranslate: any file becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, vscode.Source{}, sourcetest.Cases(f, "vs-code_*"))
}

// TestFence: the fence around the code of an edit is removed, other fences are not.
func TestFence(t *testing.T) {
	edit := `{"kind":"codeblockUri"},{"kind":"textEditGroup","uri":{"path":"/w/a.go"},"edits":[[{"text":"x"}]]}`
	for response, want := range map[string]string{
		`{"value":"\n` + "````" + `\n"},{"kind":"codeblockUri"},{"value":"\n` + "````" + `\n"},` + edit + `,{"value":"Done."}`: "Done.",
		`{"value":"\n` + "```" + `\n"},` + edit + `,{"value":"\n` + "```" + `\n"},{"value":"Done."}`:                           "Done.",
		`{"value":"See\n` + "```" + `\ncode\n"},{"value":"` + "```" + `\n"},{"value":"Done."}`:                                 "See\n```\ncode\n```\nDone.",
		`{"value":"` + "```" + `\n"},{"value":"code\n"},{"value":"` + "```" + `\n"},{"value":"Done."}`:                         "```\ncode\n```\nDone.",
	} {
		doc := `{"version":3,"creationDate":1,"requests":[{"requestId":"r","message":"Go","response":[` + response + `]}]}`
		f := sources.List{vscode.Source{}}.Read("a.json", []byte(doc), transcript.Options{})
		got := ""
		for _, r := range f.Records {
			if r.Message != nil && r.Type == "assistant" && r.Message.Content[0].Type == "text" {
				got += r.Message.Content[0].Text
			}
		}
		if got != want {
			t.Errorf("%s\ngot  %q\nwant %q", response, got, want)
		}
	}
}
