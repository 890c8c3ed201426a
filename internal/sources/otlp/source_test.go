package otlp_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/otlp"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: only traces of models are read, on lines or in a document.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"gen_ai.tool.name","va`:      true,
		"{\n \"resourceSpans\": [\n  {\"attributes\": [{\"key\": \"gen_ai.operation.name\"":            true,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"http.url"}]}]}]}]}`:         false,
		`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"gen_ai.client.token.usage"}]}]}]}`:  false,
		`{"type":"user","message":{"content":"{\"resourceSpans\":[{\"key\":\"gen_ai.tool.name\"}]}"}}`: false,
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

// TestDocument: a document in several lines is drawn like lines.
func TestDocument(t *testing.T) {
	lines := sourcetest.Cases(t, "opentelemetry_parts")["opentelemetry_parts"]
	var all []json.RawMessage
	for line := range bytes.Lines(lines) {
		var d struct{ ResourceSpans []json.RawMessage }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d.ResourceSpans...)
	}
	document, err := json.MarshalIndent(map[string]any{"resourceSpans": all}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	was, _ := sourcetest.Draw(t, otlp.Source{}, "lines", lines)
	is, _ := sourcetest.Draw(t, otlp.Source{}, "document", document)
	if got, want := sourcetest.Count(is), sourcetest.Count(was); got != want || want.Calls != 2 {
		t.Errorf("got %+v, want %+v as in lines", got, want)
	}
}

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
