package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

func read(lines ...string) *normalize.Conversation {
	f := transcript.Read("in.jsonl", []byte(strings.Join(lines, "\n")))
	return normalize.Build(normalize.Input{ID: "in", Main: &f})
}

// TestAPIBlocks: the output is valid JSON, whatever the strings of the log contain, and blocks only have members that
// the API has.
func TestAPIBlocks(t *testing.T) {
	for _, c := range []struct{ role, block, want string }{
		{"user", `{"type":"text","text":"a\"\\\u0000\ud800","cache_control":{"type":"ephemeral"}}`, `{"type":"text","text":"a\"\\\u0000` + "\ufffd" + `"}`},
		{"user", `{"type":"image","source":{"type":"url","url":"https://example.com/a.png","x":1}}`, `{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}`},
		{"user", `{"type":"document","title":"x","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}`, `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}`},
		{"assistant", `{"type":"text","text":"b","citations":null}`, `{"type":"text","text":"b"}`},
		{"assistant", `{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}}`, `{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}}`},
		{"assistant", `{"type":"web_search_tool_result","tool_use_id":"s1","content":[],"x":1}`, `{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}`},
		{"assistant", `{"type":"fallback","from":"a","to":"b"}`, ``},
	} {
		conversation := read(
			`{"type":"user","uuid":"u1","message":{"content":"hello"}}`,
			fmt.Sprintf(`{"type":%q,"uuid":"u2","message":{"id":"m","content":[%s,{"type":"text","text":"end"}]}}`, c.role, c.block))
		data, err := API(conversation, Request{})
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Messages []struct {
				Role    string
				Content []json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		content := out.Messages[len(out.Messages)-1].Content
		got := ""
		if len(content) > 1 {
			got = string(content[len(content)-2])
		}
		if c.role == "user" && got == `{"type":"text","text":"hello"}` || got != c.want {
			t.Errorf("%s: got %s, want %s", c.block, got, c.want)
		}
	}
}

func TestAPIErrors(t *testing.T) {
	c := read(
		`{"type":"user","uuid":"u1","message":{"content":"a"}}`,
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m","content":"b"}}`,
		`{"type":"user","uuid":"u3","parentUuid":"u2","message":{"content":"c"}}`,
		`{"type":"user","uuid":"u4","parentUuid":"u2","message":{"content":"d"}}`)
	for at, want := range map[string]error{"u9": ErrNoMessage, "u3": ErrTakenBack, "u1": nil, "m": nil} {
		if _, err := API(c, Request{At: at}); !errors.Is(err, want) {
			t.Errorf("at %s: error %v, want %v", at, err, want)
		}
	}
	if _, err := API(read(`{"type":"mode"}`), Request{}); !errors.Is(err, errNothing) {
		t.Errorf("an empty log: error %v, want %v", err, errNothing)
	}
}

func TestToolNames(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`["A","B"]`, "map[A:true B:true]"},
		{`[{"name":"A","input_schema":{}},"B"]`, "map[A:true B:true]"},
		{`{"model":"m","tools":[{"name":"A"}]}`, "map[A:true]"},
		{`[]`, "map[]"},
		{"\ufeff" + `["A"]`, "map[A:true]"},
		{`{}`, "error"}, {`[1]`, "error"}, {`[{}]`, "error"}, {`"A"`, "error"}, {`[`, "error"}, {``, "error"},
	} {
		names, err := ToolNames([]byte(c.in))
		got := fmt.Sprint(names)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("ToolNames(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

// TestAPINotSent: a request can only be reconstructed from logs that have all that was sent.
func TestAPINotSent(t *testing.T) {
	c := read(`{"type":"user","uuid":"u1","message":{"role":"user","content":"go"}}`)
	c.Writer = transcript.Writer{Name: "Tern", NotSent: true}
	_, err := API(c, Request{})
	want := "not offered for sessions of Tern: the log does not say what the model was sent"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
