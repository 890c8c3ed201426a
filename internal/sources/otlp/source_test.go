package otlp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/sources/otlp"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: only traces of models are read, on lines or in a document.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"gen_ai.tool.name","va`:                    true,
		"{\n \"resourceSpans\": [\n  {\"attributes\": [{\"key\": \"gen_ai.operation.name\"":                          true,
		`{"type":"span","traceId":"a","spanId":"b","name":"chat","endTime":[1,2],"attributes":{"gen_ai.system":`:     true,
		`{"attributes":{"gen_ai.system":"x"},"endTime":[1,2],"name":"chat","spanId":"b","traceId":"a"}`:              true,
		"{\n \"name\":\"chat\",\n \"context\":{\"trace_id\":\"0xa\"},\"end_time\":\"\",\"attributes\":{\"gen_ai.a\"": true,
		`{"traceId":"a","spanId":"b","name":"GET","endTime":[1,2],"attributes":{"http.url":"/"}}`:                    false,
		`{"traceId":"a","spanId":"b","body":"hello","attributes":{"gen_ai.system":"x"}}`:                             false,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"http.url"}]}]}]}]}`:                       false,
		`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"gen_ai.client.token.usage"}]}]}]}`:                false,
		`{"type":"user","message":{"content":"{\"resourceSpans\":[{\"key\":\"gen_ai.tool.name\"}]}"}}`:               false,
		"": false,
	} {
		if got := (otlp.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: Visual Studio keeps traces in a folder of Windows.
func TestFolders(t *testing.T) {
	env := map[string]string{"LOCALAPPDATA": "C:/Users/mara/AppData/Local"}
	want := []string{"C:/Users/mara/AppData/Local/Temp/VSGitHubCopilotLogs/traces"}
	if got := (otlp.Source{}).Folders(func(name string) string { return env[name] }, "/h"); !slices.Equal(got, want) {
		t.Errorf("got folders %q, want %q", got, want)
	}
	if got := (otlp.Source{}).Folders(func(string) string { return "" }, "/h"); got != nil {
		t.Errorf("without Windows, got folders %q", got)
	}
}

// trace returns a line with a span. Without a conversation, only its trace tells to which it belongs.
func trace(id, conversation string) string {
	a := []string{`{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}`}
	if conversation != "" {
		a = append(a, `{"key":"gen_ai.conversation.id","value":{"stringValue":"`+conversation+`"}}`)
	}
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"` + id + `","spanId":"` + id + conversation +
		`","attributes":[` + strings.Join(a, ",") + "]}]}]}]}\n"
}

// TestSplit: each conversation of a file is a session, with the spans and traces that name it. A file with one is not
// split. What cannot be read stays with the first.
func TestSplit(t *testing.T) {
	split := func(text string) []sources.Part {
		parts, err := (otlp.Source{}).Split(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		return parts
	}
	if parts := split(trace("t1", "gull") + trace("t1", "") + trace("t2", "gull")); len(parts) != 0 {
		t.Errorf("one conversation became %d", len(parts))
	}
	text := trace("t1", "gull") + trace("t2", "tern") + trace("t1", "") + "torn\n" + trace("t1", "tern")
	parts := split(text)
	want := map[string][]string{"gull": {"t1gull", "t1", "torn"}, "tern": {"t2tern", "t1tern"}}
	got := make(map[string][]string)
	for _, p := range parts {
		data, err := p.Read()
		if err != nil || !(otlp.Source{}).Match(sources.NewHead(data)) {
			t.Errorf("%s: error %v, not recognized: %s", p.Name, err, data)
		}
		for line := range strings.Lines(string(data)) {
			id := sources.FirstString([]byte(line), "spanId")
			if id == "" {
				id = strings.TrimSpace(line)
			}
			got[p.Name] = append(got[p.Name], id)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	again := split(text + trace("t3", "tern"))
	if again[0].Version != parts[0].Version || again[1].Version == parts[1].Version {
		t.Error("the versions do not tell which conversation changed")
	}
}

// TestDocuments: a document of several lines, several of them, and lines with a byte order mark are drawn like lines.
func TestDocuments(t *testing.T) {
	lines := sourcetest.Cases(t, "opentelemetry_parts")["opentelemetry_parts"]
	var all []json.RawMessage
	var several []byte
	for line := range bytes.Lines(lines) {
		var d struct{ ResourceSpans []json.RawMessage }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d.ResourceSpans...)
		var indented bytes.Buffer
		if err := json.Indent(&indented, line, "", "\t"); err != nil {
			t.Fatal(err)
		}
		several = append(several, indented.Bytes()...)
	}
	one, err := json.MarshalIndent(map[string]any{"resourceSpans": all}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	was, _ := sourcetest.Draw(t, otlp.Source{}, "lines", lines)
	want := sourcetest.Count(was)
	if want.Calls != 2 || want.Prompts != 3 {
		t.Fatalf("got %+v, want 2 calls and 3 prompts", want)
	}
	windows := append([]byte("\ufeff"), bytes.ReplaceAll(lines, []byte("\n"), []byte("\r\n"))...)
	for name, data := range map[string][]byte{"one document": one, "several": several, "Windows": windows} {
		c, ledger := sourcetest.Draw(t, otlp.Source{}, name, data)
		if got := sourcetest.Count(c); got != want || ledger.Lost > 0 {
			t.Errorf("%s: got %+v and %d lost, want %+v as from lines", name, got, ledger.Lost, want)
		}
		parts, err := (otlp.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(parts) != 0 {
			t.Errorf("%s: got %d parts of one conversation, error %v", name, len(parts), err)
		}
	}
	late := bytes.Replace(several, []byte("7b1e4c90"), []byte("8b1e4c90"), 1)
	parts, err := (otlp.Source{}).Split(bytes.NewReader(late), int64(len(late)))
	if err != nil || len(parts) != 2 {
		t.Fatalf("got %d parts, error %v, want 2", len(parts), err)
	}
	n := 0
	for _, p := range parts {
		data, err := p.Read()
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if !json.Valid(line) {
				t.Errorf("%s: not a line of JSON: %s", p.Name, line)
			}
			n++
		}
	}
	if n != len(spanIDs(several)) {
		t.Errorf("got %d spans in the parts, want %d", n, len(spanIDs(several)))
	}
}

// TestList: spans in a list are drawn like those on lines, and so is what else is in it.
func TestList(t *testing.T) {
	lines := sourcetest.Cases(t, "opentelemetry_copilot")["opentelemetry_copilot"]
	list := append([]byte("[\n"), bytes.ReplaceAll(bytes.TrimSpace(lines), []byte("\n"), []byte(",\n"))...)
	was, _ := sourcetest.Draw(t, otlp.Source{}, "lines", lines)
	is, ledger := sourcetest.Draw(t, otlp.Source{}, "list", append(list, ",{\"x\":1}\n]"...))
	if got, want := sourcetest.Count(is), sourcetest.Count(was); got != want || ledger.Lost > 0 || want.Calls != 2 {
		t.Errorf("got %+v and %d lost, want %+v as from lines", got, ledger.Lost, want)
	}
	if len(ledger.Generic) == 0 {
		t.Error("the elements that are no spans are not drawn")
	}
}

func spanIDs(text []byte) []string { return strings.Split(string(text), `"spanId"`)[1:] }

// TestNested: spans that are deep in each other, or in a circle, are all drawn.
func TestNested(t *testing.T) {
	var text strings.Builder
	const depth = 2000
	for i := range depth {
		text.WriteString(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"` + strconv.Itoa(i) +
			`","parentSpanId":"` + strconv.Itoa((i+1)%depth) + `","name":"execute_tool Bash","attributes":[` +
			`{"key":"gen_ai.tool.name","value":{"stringValue":"Bash"}}]}]}]}]}` + "\n")
	}
	c, _ := sourcetest.Draw(t, otlp.Source{}, "t", []byte(text.String()))
	if got := sourcetest.Count(c); got.Calls != depth || got.Results != depth {
		t.Errorf("got %+v, want %d calls", got, depth)
	}
}

// TestManyCalls: the time is linear in the number of calls that wait for their results, so that a hostile trace cannot
// block a build.
func TestManyCalls(t *testing.T) {
	const n = 100_000
	var calls, results []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_call","id":"%d","name":"Bash"}`, i))
		results = append(results, fmt.Sprintf(`{"type":"tool_call_response","id":"%d"}`, n-1-i))
	}
	span := `{"traceId":"t","spanId":"s","name":"chat","attributes":{"gen_ai.input.messages":[` +
		`{"role":"assistant","parts":[` + strings.Join(calls, ",") + `]},` +
		`{"role":"tool","parts":[` + strings.Join(results, ",") + `]}]}}`
	start := time.Now()
	f := sources.List{otlp.Source{}}.Read("t", []byte(span), transcript.Options{})
	if took := time.Since(start); len(f.Records) < n/10 || took > 10*time.Second {
		t.Errorf("got %d records in %v, want many in a second", len(f.Records), took)
	}
}

// TestSameNames: if several attributes mean the same part of a message, the same one counts each time.
func TestSameNames(t *testing.T) {
	span := `{"traceId":"t","spanId":"s","name":"x","attributes":{"openinference.span.kind":"LLM"`
	for _, name := range []string{"0.content", "00.content", "+0.content", "0.message.content", "-0.content"} {
		span += `,"llm.input_messages.` + name + `":"named ` + name + `"`
	}
	for range 20 {
		f := sources.List{otlp.Source{}}.Read("t", []byte(span+`}}`), transcript.Options{})
		var said []string
		for _, r := range f.Records {
			if r.Message != nil && r.TextIs == transcript.PromptText {
				said = append(said, r.Message.Content[0].Text)
			}
		}
		if want := []string{"named 00.content"}; !slices.Equal(said, want) {
			t.Fatalf("got %q, want %q", said, want)
		}
	}
}

// FuzzTranslate: any spans become records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, otlp.Source{}, sourcetest.Cases(f, "opentelemetry_*"))
}

// count counts the calls of a file with knowledge of the format only. The files have no messages and no tokens.
func count(_ string, data []byte) (c sourcetest.Counts) {
	n := int64(bytes.Count(data, []byte(`"execute_tool"`)))
	return sourcetest.Counts{Calls: n, Results: n}
}

// TestCorpus: all spans of each real file are accounted for.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, otlp.Source{}, sourcetest.SharedFiles(t, "agents/otlp", ".jsonl"), nil, count)
}
