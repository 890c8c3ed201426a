package kiro_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"viewer/internal/sources"
	"viewer/internal/sources/kiro"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"conversation_id":"a","history":[{"user":{"cut`: true,
		"{\n \"conversation_id\": \"\",\n \"history\": [": true,
		`{"kiroConversation":"a","folder":"/w"}`:          true,
		`{"conversation_id":"a","messages":[]}`:           false,
		`{"sessionId":"a","history":[]}`:                  false,
		`{"history":[]}`:                                  false,
		"":                                                false,
		`{"version":"v1","kind":"Prompt","data":{"message_id":"p","content":[{"cut`:                   true,
		`{"kind":"AssistantMessage","version":1,"data":{}}`:                                           true,
		`{"version":"v1","kind":"Clear"}`:                                                             true,
		`{"kiroSession":{"id":"a"},"version":"v2"}`:                                                   true,
		`{"version":"v1","kind":"Else","data":{}}`:                                                    false,
		`{"kind":"Prompt"}`:                                                                           false,
		`{"kind":"Prompt","type":"user","data":{}}`:                                                   false,
		`{"id":"e","timestamp":"t","payload":{"type":"user","content":"hi"}}`:                         true,
		`{"id":"e","timestamp":"t","payload":{"type":"session_start","content":"cut`:                  true,
		`{"id":"e","timestamp":"t","payload":{"type":"else"}}`:                                        false,
		`{"payload":{"type":"user"}}`:                                                                 false,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"user"}}`:                              false,
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user"}}`:         false,
		`{"session_id":"a","cwd":"/w","created_at":"t","title":"x","session_state":{"version":"v1"}}`: false,
		`{"schemaVersion":"1","id":"sess_a","title":"x","agentMode":"work","workspacePaths":["/w"]}`:  false,
	} {
		if got := (kiro.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
	if got := (kiro.Source{}).FolderOf([]byte(`{"kiroConversation":"a","folder":"/w/b"`)); got != "/w/b" {
		t.Errorf("got folder %q, want /w/b", got)
	}
	if got := (kiro.Source{}).FolderOf([]byte(`{"kiroSession":{"id":"a","cwd":"/w/c"},"version":`)); got != "/w/c" {
		t.Errorf("got folder %q of a log, want /w/c", got)
	}
	want := []string{"/h/.kiro/sessions", "/h/Library/Application Support/kiro-cli", "/h/.local/share/kiro-cli"}
	if got := (kiro.Source{}).Folders(func(string) string { return "" }, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got folders %q", got)
	}
	home := func(name string) string { return map[string]string{"KIRO_HOME": "/k"}[name] }
	if got := (kiro.Source{}).Folders(home, "/h"); got[0] != "/k/sessions" || got[1] != "/h/.kiro/sessions" {
		t.Errorf("with KIRO_HOME: got folders %q", got) // the third engine ignores it
	}
	env := map[string]string{"LOCALAPPDATA": "C:/Users/mara/AppData/Local"}
	got := (kiro.Source{}).Folders(func(name string) string { return env[name] }, "")
	if want := []string{"C:/Users/mara/AppData/Local/kiro-cli"}; !reflect.DeepEqual(got, want) {
		t.Errorf("on Windows: got folders %q", got)
	}
}

// TestSplit: a database has many conversations in two tables. Credentials in it are never read.
func TestSplit(t *testing.T) {
	data := sourcetest.File(t, "data.sqlite3")
	parts := sourcetest.Split(t, kiro.Source{}, data, 2)
	for i, p := range parts {
		if want := "5e1a0000-0000-4000-8000-00000000000" + strconv.Itoa(i+1); p.Name != want {
			t.Errorf("got conversation %s, want %s", p.Name, want)
		}
	}
	want := string(sourcetest.Cases(t, "kiro_database")["kiro_database"])
	read, err := parts[0].Read()
	if err != nil || string(read) != strings.TrimSuffix(want, "\n") {
		t.Errorf("error %v: got the first conversation\n%s\nwant\n%s", err, read, want)
	}
	sourcetest.Version(t, kiro.Source{}, data, 2, "And the lamp?", "And the lump?", 1)
}

// TestJoin: what a document says of a session becomes a member of the first line of the log next to it. A log with a
// document that cannot be read is read without it, and says so.
func TestJoin(t *testing.T) {
	const unreadable = "unreadable"
	turns := `{
  "session_id": "s1", "cwd": "/w", "title": "A \"buoy\"", "parent_session_id": "s0", "created_at": "2026-09-21T13:33:19.5Z",
  "session_state": {
    "conversation_metadata": {"user_turn_metadatas": [
      {"result": {"Ok": {"id": "x", "content": []}}, "message_ids": ["p1", "a1"], "end_reason": "UserTurnEnd",
       "end_timestamp": "2026-09-21T13:34:00Z", "turn_duration": {"secs": 1, "nanos": 509650625}, "model": "m2",
       "input_token_count": 7, "output_token_count": 0,
       "metering_usage": [{"value": 0.25, "unit": "credit"}, {"value": 0.5, "unit": "credit"}, {"value": 9, "unit": "s"}]},
      {"result": {"Err": {
        "kind": "busy"}}, "message_ids": [], "end_timestamp": {
        "secs": 1}}]},
    "rts_model_state": {"model_info": {"model_id": "m"}}, "permissions": {"trusted_tools": ["shell"]},
    "agent_name": "kiro_default"}
}`
	const line = `{"version":"v1","kind":"Clear"}`
	files := map[string]string{
		"cli/a.json": turns, "cli/a.jsonl": line + "\n" + line,
		"cli/b.json": `{"cut`, "cli/b.jsonl": line,
		"cli/c.json": unreadable, "cli/c.jsonl": "\n " + line,
		"cli/d.json": `{"session_id":"d"}`, "cli/d.jsonl": "[1]\n" + line,
		"cli/e.json": `{"session_id":"e"}`, "cli/e.jsonl.gz": "{}",
		"cli/f.json": `{"session_id":"f"}`,
		"k/sess_g/session.json": `{"schemaVersion":"1","id":"sess_g","title":null,"agentMode":"work",
			"workspacePaths":["/w/g"],"createdAt":"2026-10-02T16:04:12.112Z","modelId":"auto","effortLevel":"high"}`,
		"k/sess_g/sub-executions/5e01.jsonl": `{"id":"s"}`, "k/sess_g/sub-executions/notes.txt": "x",
		"k/sess_h/session.json":   `{"id":"sess_h","parentSessionId":"sess_g","createdReason":"rewind"}`,
		"k/sess_h/messages.jsonl": `{"id":"e"}`,
		"k/sess_i/session.json":   `{"id":"sess_i","parentSessionId":"sess_g","createdReason":"subagent"}`,
		"k/sess_i/messages.jsonl": `{"id":"e"}`,
		"session.json":            `{"id":"sess_j"}`, "messages.jsonl": `{"id":"e"}`,
		"sub-executions/5e02.jsonl": `{"id":"s"}`,
		"k/sess_g/messages.jsonl":   `{"id":"e"}`, "k/sess_g/session.jsonl": line,
	}
	want := map[string]string{
		"cli/a.jsonl": `{"kiroSession":{"id":"s1","cwd":"/w","title":"A \"buoy\"","parent_session_id":"s0",` +
			`"created":"2026-09-21T13:33:19.5Z","agent":"kiro_default","model":"m","turns":[{"last":"a1","model":"m2",` +
			`"ended":"2026-09-21T13:34:00Z","ms":1509,"reason":"UserTurnEnd","input":7,"credits":0.75},` +
			`{"ended":"{\n        \"secs\": 1}","error":"{\n        \"kind\": \"busy\"}"}]},` + line[1:] + "\n" + line,
		"cli/b.jsonl":    line,
		"cli/c.jsonl":    "\n " + `{"kiroSession":{"unread":true},` + line[1:],
		"cli/d.jsonl":    "[1]\n" + line,
		"cli/e.jsonl.gz": `{"kiroSession":{"id":"e"}}`,
		"k/sess_g/messages.jsonl": `{"kiroSession":{"id":"sess_g","cwd":"/w/g","created":"2026-10-02T16:04:12.112Z",` +
			`"agent":"work","model":"auto","effort":"high"},"id":"e"}`,
		"k/sess_g/sub-executions/5e01.jsonl": `{"kiroSession":{"id":"5e01","cwd":"/w/g",` +
			`"parent_session_id":"sess_g"},"id":"s"}`,
		"k/sess_h/messages.jsonl":   `{"kiroSession":{"id":"sess_h","copied_from":"sess_g"},"id":"e"}`,
		"k/sess_i/messages.jsonl":   `{"kiroSession":{"id":"sess_i","parent_session_id":"sess_g"},"id":"e"}`,
		"messages.jsonl":            `{"kiroSession":{"id":"sess_j"},"id":"e"}`,
		"sub-executions/5e02.jsonl": `{"kiroSession":{"id":"5e02","parent_session_id":"sess_j"},"id":"s"}`,
	}
	paths := slices.Sorted(maps.Keys(files))
	got := make(map[string]string)
	for _, j := range (kiro.Source{}).Join(paths) {
		data, err := j.Read(func(p string) ([]byte, error) {
			if files[p] == unreadable {
				return nil, fs.ErrPermission
			}
			return []byte(files[p]), nil
		})
		if err != nil || len(j.Files)+len(j.Shared) != 2 || !j.Extends {
			t.Fatalf("%v: %v", j.Files, err)
		}
		got[paths[j.Files[0]]] = string(data)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSnapshots: the copies of the user's files that the third engine keeps are no sessions.
func TestSnapshots(t *testing.T) {
	tree := &sources.Tree{Paths: []string{
		"k/sess_a/messages.jsonl", "k/sess_a/snapshots/1/log.jsonl", "k/snapshots/b.jsonl",
	}}
	(kiro.Source{}).Arrange(tree)
	if tree.Taken(0) || !tree.Taken(1) || tree.Taken(2) {
		t.Error("copies are not left out, or sessions are")
	}
}

func TestAppend(t *testing.T) { sourcetest.Grow(t, kiro.Source{}, sourcetest.Cases(t, "kiro_*")) }

func TestShuffled(t *testing.T) {
	files := sourcetest.Cases(t, "kiro_*")
	sourcetest.Shuffle(t, kiro.Source{}, `{"version":"v1","kind":"Clear"}`, files)
}

// TestDamaged: of a damaged database, the rest is read.
func TestDamaged(t *testing.T) {
	sourcetest.Damage(t, kiro.Source{}, "testdata/data.sqlite3")
}

// FuzzTranslate: any conversation becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, kiro.Source{}, sourcetest.Cases(f, "kiro_*"))
}

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var conversation struct {
		History []struct {
			User struct {
				Content struct{ Prompt *struct{} }
			}
			Assistant struct {
				ToolUse struct {
					ToolUses []struct{} `json:"tool_uses"`
				}
			}
		}
	}
	_ = json.Unmarshal(data, &conversation) // truncated files have no counts
	for _, e := range conversation.History {
		if e.User.Content.Prompt != nil {
			c.Prompts++
		}
		c.Calls += int64(len(e.Assistant.ToolUse.ToolUses))
	}
	return c
}

// TestCorpus: all records of each real conversation are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, kiro.Source{}, sourcetest.SharedFiles(t, "agents/kiro", ".json"), nil, count)
}

// TestReverts: going back to a prompt takes back those after it, unless it was taken back itself or is of another log.
func TestReverts(t *testing.T) {
	translator := kiro.Source{}.NewTranslator()
	var got []string
	for _, step := range strings.Fields("prompt:a prompt:b prompt:c to:b to:c to:x prompt:d to:a to:a") {
		what, id, _ := strings.Cut(step, ":")
		line := `{"id":"` + id + `","timestamp":"t","payload":{"type":"user","content":"Oil it."}}`
		if what == "to" {
			line = `{"id":"t","timestamp":"t","payload":{"type":"tombstone","kind":"checkpoint_revert",` +
				`"effectiveFromMessageId":"` + id + `"}}`
		}
		records, _ := translator.Translate(transcript.Pos{}, jsontext.Value(line))
		if text := transcript.String(transcript.Field(records[0].Raw, "content")); what == "to" {
			got = append(got, text)
		}
	}
	const unknown = "The conversation went back to an earlier message"
	two := sources.TakenBack(2, "prompt")
	if want := []string{two, unknown, unknown, two, unknown}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestModel: a thought names the model after that of the provider.
func TestModel(t *testing.T) {
	const line = `{"id":"e","timestamp":"t","payload":{"type":"assistant","operationType":"Reasoning",` +
		`"reasoningModelId":"qdev::auto","content":"Oil it."}}`
	records, _ := kiro.Source{}.NewTranslator().Translate(transcript.Pos{}, jsontext.Value(line))
	if len(records) != 1 || records[0].Message == nil || records[0].Message.Model != "auto" {
		t.Errorf("got %+v, want an answer of auto", records)
	}
}

// TestManyOpenCalls: a log of a few megabytes is not read for each pair of calls that wait for something.
func TestManyOpenCalls(t *testing.T) {
	const n = 10_000
	for name, payloads := range map[string][2]string{
		"agents": {`"tool_call","toolCallId":"c@","toolName":"sub_agent","args":{"a":"@","b":1}`,
			`"sub_agent_start","subSessionId":"s@","prompt":"x@"`},
		"denials": {`"tool_call","toolCallId":"c@","toolName":"shell","args":{},"status":"denied"`,
			`"tool_result","toolCallId":"d@","content":"x"`},
		"reverts": {`"user","content":"x"`, `"tombstone","kind":"checkpoint_revert","effectiveFromMessageId":"x"`},
	} {
		var lines []string
		for _, payload := range payloads {
			for i := range n {
				line := `{"id":"e@","timestamp":"2026-10-02T16:05:00Z","payload":{"type":` + payload + "}}"
				lines = append(lines, strings.ReplaceAll(line, "@", strconv.Itoa(i)))
			}
		}
		translate(t, name, lines)
	}
	var content, results []string
	for i := range 2 * n {
		content = append(content, fmt.Sprintf(`{"kind":"toolResult","data":{"toolUseId":"c%d"}}`, i))
		results = append(results, fmt.Sprintf(`"c%d":{"result":"Success"}`, i))
	}
	translate(t, "results", []string{`{"version":"v1","kind":"ToolResults","data":{"message_id":"m","content":[` +
		strings.Join(content, ",") + `],"results":{` + strings.Join(results, ",") + "}}}"})
}

// translate translates lines, which must take a few seconds at most.
func translate(t *testing.T, name string, lines []string) {
	began, n := time.Now(), 0
	translator := kiro.Source{}.NewTranslator()
	for _, line := range lines {
		records, _ := translator.Translate(transcript.Pos{}, jsontext.Value(line))
		n += len(records)
	}
	if took := time.Since(began); took > 5*time.Second || n < 20_000 {
		t.Errorf("%s: took %s for %d records", name, took, n)
	}
}

// TestCopiedCredits: the credits of turns that a session copied from another one count there.
func TestCopiedCredits(t *testing.T) {
	usage := func(at string) string {
		return `"id":"u","timestamp":"2026-10-02T16:` + at + `Z","payload":{"type":"usage_summary","elapsedTime":1,` +
			`"promptTurnSummaries":[{"unit":"credit","usage":0.5}]}}` + "\n"
	}
	for session, want := range map[string]float64{
		`"id":"s","copied_from":"r","created":"2026-10-02T16:05:00Z"`: 0.5,
		`"id":"s","created":"2026-10-02T16:05:00Z"`:                   1,
	} {
		log := `{"kiroSession":{` + session + `},` + usage("04:00") + `{` + usage("06:00")
		file := sources.List{kiro.Source{}}.Read("messages.jsonl", []byte(log), transcript.Options{})
		got := 0.0
		for i := range file.Records {
			if r := file.Records[i].Rare; r != nil && len(r.Credits) > 0 {
				got = r.Credits[0].Used
			}
		}
		if got != want {
			t.Errorf("%s: got %g credits, want %g", session, got, want)
		}
	}
}
