package transcript

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// one reads a file with one record.
func one(t *testing.T, in string) (Record, []Problem) {
	t.Helper()
	f := Read("a.jsonl", []byte(in))
	if len(f.Records) != 1 {
		t.Fatalf("Read(%s) gives %d records, want 1; problems: %v", in, len(f.Records), f.Problems)
	}
	return f.Records[0], f.Problems
}

// withoutPlace ignores positions, which other tests check.
var withoutPlace = cmp.Options{
	cmpopts.IgnoreFields(Record{}, "Pos", "Raw"),
	cmpopts.IgnoreFields(Block{}, "Raw"),
	cmpopts.IgnoreFields(Attachment{}, "Raw"),
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Record
	}{
		{"envelope", `{"type":"user","uuid":"u","parentUuid":"p","logicalParentUuid":"l","sessionId":"s","session_id":"root",
			"requestId":"q","agentId":"ag","agentName":"Ann","teamName":"blue","timestamp":"2026-03-01T12:00:00.5+02:00","cwd":"/w",
			"gitBranch":"main","version":"2.1.1","entrypoint":"cli","isMeta":true,"isSidechain":true,"isCompactSummary":true,
			"isVirtual":true,"isApiErrorMessage":true,"origin":{"kind":"human"},"promptSource":"typed","permissionMode":"plan",
			"toolUseID":"t","parentToolUseID":"pt","sourceToolUseID":"st","leafUuid":"lf","level":"info"}`,
			Record{Type: "user", UUID: "u", ParentUUID: "p", SessionID: "s", LineageID: "root",
				RequestID: "q", AgentID: "ag",
				Timestamp: time.Date(2026, 3, 1, 10, 0, 0, 5e8, time.UTC), CWD: "/w",
				GitBranch: "main", Version: "2.1.1", Entrypoint: "cli", IsMeta: true, IsSidechain: true,
				IsCompactSummary: true,
				IsVirtual:        true, IsAPIError: true, ToolUseID: "t",
				Rare: &Rare{LogicalParentUUID: "l", AgentName: "Ann", TeamName: "blue", Origin: "human",
					OriginValue: []byte(`{"kind":"human"}`), PromptSource: "typed",
					PermissionMode: "plan", ParentToolUseID: "pt", SourceToolUseID: "st", LeafUUID: "lf",
					Level: "info"}}},
		{"snake case of an SDK stream", `{"type":"user","session_id":"s","parent_tool_use_id":"t","request_id":"q","tool_use_result":{"a":1}}`,
			Record{Type: "user", SessionID: "s", LineageID: "s", RequestID: "q", ToolUseResult: []byte(`{"a":1}`), Rare: &Rare{ParentToolUseID: "t"}}},
		{"a text of the program in an SDK stream", `{"type":"user","isSynthetic":true}`, Record{Type: "user", IsMeta: true}},
		{"a typed text in an SDK stream", `{"type":"user","isSynthetic":false}`, Record{Type: "user"}},
		{"a failed request in an SDK stream", `{"type":"assistant","is_api_error_message":true}`,
			Record{Type: "assistant", IsAPIError: true}},
		{"one of an early SDK stream", `{"type":"assistant","error":"rate_limit","message":{"model":"<synthetic>"}}`,
			Record{Type: "assistant", IsAPIError: true, Message: &Message{Model: "<synthetic>"}}},
		{"an answer with an error", `{"type":"assistant","error":"unknown","message":{"model":"m"}}`,
			Record{Type: "assistant", Message: &Message{Model: "m"}}},
		{"the output of a command in an SDK stream", `{"type":"assistant","is_meta":true,"message":{"model":"<synthetic>",
			"content":[{"type":"text","text":"Two boats."}]},"local_command_source":"<local-command-stdout>Two boats.` +
			`</local-command-stdout>"}`,
			Record{Type: "system", Subtype: "local_command",
				Content: jsontext.Value(`"<local-command-stdout>Two boats.</local-command-stdout>"`)}},
		{"an answer without its tags", `{"type":"assistant","message":{"model":"m"},"local_command_source":"Two boats."}`,
			Record{Type: "assistant", Message: &Message{Model: "m"}}},
		{"no error", `{"type":"assistant","error":null,"message":{"model":"<synthetic>"}}`,
			Record{Type: "assistant", Message: &Message{Model: "<synthetic>"}}},
		{"why calls of an SDK stream did not run", `{"type":"user","tool_result_meta":[{"id":"t"}]}`,
			Record{Type: "user", Rare: &Rare{ResultMeta: []byte(`[{"id":"t"}]`)}}},
		{"null is absent", `{"type":"user","uuid":null,"parentUuid":null,"timestamp":null,"isMeta":null,"message":null,"attachment":null,"level":null,"version":null}`,
			Record{Type: "user"}},
		{"origin as a string", `{"type":"user","origin":"peer"}`, Record{Type: "user", Rare: &Rare{Origin: "peer"}}},
		{"a version that is a number", `{"type":"x","version":3}`, Record{Type: "x", Version: "3"}},
		{"progress", `{"type":"progress","data":{"type":"hook_progress"}}`,
			Record{Type: "progress", Rare: &Rare{DataType: "hook_progress", Data: []byte(`{"type":"hook_progress"}`)}}},
		{"attachment", `{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"Stop","hookName":"Stop:x","toolUseID":"t"}}`,
			Record{Type: "attachment", Attachment: &Attachment{Type: "hook_success", HookEvent: "Stop", HookName: "Stop:x", ToolUseID: "t"}}},
		{"what a request cost", `{"type":"assistant","costUSD":0.125,"message":{"usage":{"output_tokens":3,"speed":"fast"}}}`,
			Record{Type: "assistant", Rare: &Rare{CostUSD: 0.125}, Message: &Message{HasUsage: true, Speed: "fast", Usage: Usage{Output: 3}}}},
		{"what a gateway says", `{"type":"assistant","message":{"usage":{"x_anthropic_cost_usd":0.125}}}`,
			Record{Type: "assistant", Rare: &Rare{CostUSD: 0.125}, Message: &Message{HasUsage: true}}},
		{"plain text", `{"type":"user","message":{"role":"user","content":"say \"hi\""}}`,
			Record{Type: "user", Message: &Message{Role: "user", Plain: true, Content: []Block{{Type: "text", Text: `say "hi"`}}}}},
		{"a message that is a string", `{"type":"user","message":"hi"}`,
			Record{Type: "user", Message: &Message{Plain: true, Content: []Block{{Type: "text", Text: "hi"}}}}},
		{"content as strings", `{"type":"user","message":{"content":["a","b"]}}`,
			Record{Type: "user", Message: &Message{Content: []Block{{Type: "text", Text: "a"}, {Type: "text", Text: "b"}}}}},
		{"no content", `{"type":"user","message":{"content":null}}`, Record{Type: "user", Message: &Message{}}},
		{"empty content", `{"type":"user","message":{"content":[]}}`, Record{Type: "user", Message: &Message{Content: []Block{}}}},
		{"content of another type", `{"type":"user","message":{"content":{"a":1}}}`,
			Record{Type: "user", Message: &Message{Content: []Block{{}}}}},
		{"usage", `{"type":"assistant","message":{"id":"m","model":"x","stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2,
			"cache_read_input_tokens":3,"cache_creation_input_tokens":4,"cache_creation":{"ephemeral_5m_input_tokens":5,"ephemeral_1h_input_tokens":6},
			"server_tool_use":{"web_search_requests":7},"iterations":[{"input_tokens":100}]}}}`,
			Record{Type: "assistant", Message: &Message{ID: "m", Model: "x", StopReason: "end_turn", HasUsage: true,
				Usage: Usage{
					Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, CacheWrite5m: 5, CacheWrite1h: 6, WebSearches: 7,
				}}}},
		{"usage with nulls", `{"type":"assistant","message":{"usage":{"input_tokens":null,"cache_creation":null,"server_tool_use":null}}}`,
			Record{Type: "assistant", Message: &Message{HasUsage: true}}},
		{"blocks", `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"tool_use","id":"t","name":"N","input":{"a":1}},
			{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"image","source":{"type":"url","url":"https://x.test"}}]}}`,
			Record{Type: "assistant", Message: &Message{Content: []Block{
				{Type: "thinking", Text: "hm"},
				{Type: "tool_use", ID: "t", Name: "N", Input: []byte(`{"a":1}`)},
				{Type: "image", Source: Source{Kind: "base64", MediaType: "image/png", Data: []byte(`"AA=="`)}},
				{Type: "image", Source: Source{Kind: "url", URL: "https://x.test"}}}}}},
		{"trap24_result_shapes", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x","is_error":true},
			{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"y"},{"type":"tool_reference","tool_name":"N"}]},
			{"type":"tool_result","tool_use_id":"c","content":null},{"type":"tool_result","tool_use_id":"d"},{"type":"tool_result","tool_use_id":"e","content":{"z":1}}]}}`,
			Record{Type: "user", Message: &Message{Content: []Block{
				{Type: "tool_result", ToolUseID: "a", IsError: true, Plain: true, Content: []Block{{Type: "text", Text: "x"}}},
				{Type: "tool_result", ToolUseID: "b", Content: []Block{{Type: "text", Text: "y"}, {Type: "tool_reference", Name: "N"}}},
				{Type: "tool_result", ToolUseID: "c"}, {Type: "tool_result", ToolUseID: "d"},
				{Type: "tool_result", ToolUseID: "e", Content: []Block{{}}}}}}},
		{"trap31_string_result", `{"type":"user","toolUseResult":"Error: no"}`, Record{Type: "user", ToolUseResult: []byte(`"Error: no"`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := one(t, "["+c.in+"]")
			if c.want.Rare == nil {
				c.want.Rare = new(Rare)
			}
			if diff := cmp.Diff(c.want, got, withoutPlace); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(Rare{}, nothing); diff != "" {
				t.Errorf("the shared value of records without rare fields is no longer empty (-want +got):\n%s", diff)
			}
			if len(problems) > 0 {
				t.Errorf("got problems %v, want none", problems)
			}
		})
	}
}

// TestDecodeWrongTypes: a member with a wrong type is dropped with a problem, and all other members are decoded.
func TestDecodeWrongTypes(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"envelope", `{"uuid":5,"parentUuid":{},"isMeta":"yes","cwd":[],"type":"user"}`, []string{
			"uuid: want a string, got a number", "parentUuid: want a string, got an object",
			"isMeta: want true or false, got a string", "cwd: want a string, got an array"}},
		{"trap17_time", `{"timestamp":"yesterday","type":"user"}`, []string{`timestamp: cannot read the time "yesterday"`}},
		{"trap17_time_number", `{"timestamp":1700000000000,"type":"user"}`, []string{"timestamp: want a string, got a number"}},
		{"message", `{"message":[1],"type":"user"}`, []string{"message: want an object, got an array"}},
		{"message fields", `{"message":{"id":1,"role":2,"usage":"many"},"type":"user"}`, []string{
			"message.id: want a string, got a number", "message.role: want a string, got a number",
			"message.usage: want an object, got a string"}},
		{"usage", `{"message":{"usage":{"input_tokens":"12","output_tokens":1e300}},"type":"user"}`, []string{
			"usage.input_tokens: want a number, got a string", "usage.output_tokens: number out of range"}},
		{"negative usage", `{"message":{"usage":{"input_tokens":-5}},"type":"user"}`, []string{
			"usage.input_tokens: number out of range"}},
		{"negative cost", `{"costUSD":-1,"type":"user"}`, []string{"costUSD: number out of range"}},
		{"cost", `{"costUSD":"1","type":"user"}`, []string{"costUSD: want a number, got a string"}},
		{"block", `{"message":{"content":[17,{"type":"text","text":["a"]}]},"type":"user"}`, []string{
			"message.content[0]: want a content block, got a number",
			"message.content[1].text: want a string, got an array"}},
		{"result", `{"message":{"content":[{"type":"tool_result","tool_use_id":3,"is_error":"no"}]},"type":"user"}`, []string{
			"message.content[0].tool_use_id: want a string, got a number",
			"is_error: want true or false, got a string"}},
		{"attachment", `{"attachment":"x","type":"user"}`, []string{"attachment: want an object, got a string"}},
		{"attachment fields", `{"attachment":{"type":1,"toolUseID":false},"type":"user"}`, []string{
			"attachment.type: want a string, got a number", "attachment.toolUseID: want a string, got true or false"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, problems := one(t, c.in)
			var got []string
			for _, p := range problems {
				if p.Lost || p.Pos != r.Pos {
					t.Errorf("problem %v: Lost, Pos = %v, %v, want false, %v", p, p.Lost, p.Pos, r.Pos)
				}
				got = append(got, p.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if r.Type != "user" {
				t.Errorf("Type = %q, want user: other members must be decoded", r.Type)
			}
			if !r.Timestamp.IsZero() {
				t.Errorf("Timestamp = %v, want zero", r.Timestamp)
			}
		})
	}
}

// TestDecodeDeep: results are only nested without end in hostile files.
func TestDecodeDeep(t *testing.T) {
	block := `{"type":"text","text":"in"}`
	for range 100 {
		block = `{"type":"tool_result","content":[` + block + `]}`
	}
	r, problems := one(t, `{"type":"user","message":{"content":[`+block+`]}}`)
	if len(problems) > 0 {
		t.Errorf("got problems %v, want none", problems)
	}
	depth, b := 0, r.Message.Content[0]
	for ; len(b.Content) > 0; b = b.Content[0] {
		depth++
	}
	if depth != maxDepth {
		t.Errorf("blocks are decoded %d deep, want %d", depth, maxDepth)
	}
	if b.Raw == nil {
		t.Error("the innermost block has no Raw, so its contents are lost")
	}
}

func TestRecordText(t *testing.T) {
	for in, want := range map[string]string{
		`{"content":"a\nb"}`:   "a\nb",
		`{"content":{"a": 1}}`: `{"a": 1}`,
		`{"content":null}`:     "",
		`{}`:                   "",
	} {
		r, _ := one(t, in)
		if got := r.Text(); got != want {
			t.Errorf("Text() of %s = %q, want %q", in, got, want)
		}
	}
}

func TestUsage(t *testing.T) {
	u := Usage{1, 2, 3, 4, 5, 6, 7}
	if got, want := u.Add(Usage{10, 20, 30, 40, 50, 60, 70}), (Usage{11, 22, 33, 44, 55, 66, 77}); got != want {
		t.Errorf("Add = %+v, want %+v", got, want)
	}
	if got, want := u.Context(), int64(1+3+4); got != want {
		t.Errorf("Context() = %d, want %d: input and cache, no output", got, want)
	}
}

func TestPos(t *testing.T) {
	p := Problem{Pos: Pos{File: "ab12.jsonl", Line: 417, Offset: 9}, Text: "oops"}
	if got, want := p.String(), "ab12.jsonl:417: oops"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if got, want := (Pos{File: "ab12.jsonl"}).String(), "ab12.jsonl"; got != want {
		t.Errorf("String() without line = %q, want %q", got, want)
	}
}
