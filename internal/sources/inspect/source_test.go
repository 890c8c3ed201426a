package inspect_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"viewer/internal/sources"
	"viewer/internal/sources/inspect"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		"{\n  \"version\": 2,\n  \"status\": \"success\",\n  \"eval\": {\n    \"run_id\": \"a": true,
		`{"version":2,"status":"started","eval":{"task":"a"},"samples":[]}`:                    true,
		"{\n\"inspect_sample\":1,\n\"status\":null":                                            true,
		`{"eval":{"run_id":"r","task":"a"},"plan":{},"samples":[{"cut`:                         true,
		`{"version":2,"status":"success","eval":{"a":1}}`:                                      false,
		`{"version":"2","status":"success","eval":{"task":"a"}}`:                               false,
		`{"version":2,"status":"open","eval":{"task":"a"}}`:                                    false,
		`{"version":2,"status":"success","checks":[]}`:                                         false,
		`{"type":"user","version":"2.1.0","message":{"content":"a"},"eval":"a"}`:               false,
		"": false,
	} {
		if got := (inspect.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// archive compresses files by a method of zip.
func archive(t *testing.T, method uint16, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for i := 0; i < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	header = `{"version":2,"status":"success","eval":{"run_id":"r","task":"gulls","model":"sea/gull"}}`
	sample = `{"id":%d,"epoch":1,"messages":[{"role":"user","content":"How many?"},{"role":"assistant","content":"%[1]d"}]}`
)

// partsOf returns the samples in a log by name, as they are read.
func partsOf(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	parts, err := (inspect.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]byte)
	for _, p := range parts {
		text, err := p.Read()
		if err != nil {
			t.Fatal(err)
		}
		all[p.Name] = text
	}
	return all
}

// TestSplit: samples are the same sessions in an archive, with either compression, finished or not, and in a document.
func TestSplit(t *testing.T) {
	one, two := fmt.Sprintf(sample, 1), fmt.Sprintf(sample, 2)
	members := []string{"_journal/start.json", header, "samples/1_epoch_1.json", one, "samples/2_epoch_1.json", two,
		"summaries.json", "[]"}
	document := strings.TrimSuffix(header, "}") + `,"samples":[` + one + "," + two + "]}"
	for name, data := range map[string][]byte{
		"deflated": archive(t, zip.Deflate, append(members, "header.json", header)...),
		"zstd":     archive(t, zstd.ZipMethodWinZip, append(members, "header.json", header)...),
		"running":  archive(t, zip.Deflate, members...),
		"document": []byte(document),
	} {
		parts := partsOf(t, data)
		if len(parts) != 2 {
			t.Errorf("%s: got %d samples, want 2", name, len(parts))
		}
		for part, text := range parts {
			c, _ := sourcetest.Draw(t, inspect.Source{}, part, text)
			if got := sourcetest.Count(c); got != (sourcetest.Counts{Prompts: 1}) || c.Writer.Name != "Inspect" ||
				c.Facts.Models[0] != "sea/gull" {
				t.Errorf("%s, %s: got %+v of %s with models %q", name, part, got, c.Writer.Name, c.Facts.Models)
			}
		}
	}
	single := strings.TrimSuffix(header, "}") + `,"samples":[` + one + "]}"
	for name, data := range map[string]string{
		"one sample": single, "another document": `{"a":1}`, "an empty file": "",
		"another archive": string(archive(t, zip.Deflate, "a.txt", "a")),
	} {
		if parts := partsOf(t, []byte(data)); len(parts) != 0 {
			t.Errorf("%s: got %d samples, want none", name, len(parts))
		}
	}
}

// TestResults: the session of a sample has the results of the whole evaluation and the scores of the sample over all
// epochs, both from an archive and from a document. Scores of one epoch are not repeated.
func TestResults(t *testing.T) {
	const epochs = `{"version":2,"status":"success","eval":{"run_id":"r","task":"gulls","config":{"epochs":%d}},` +
		`"results":{"scores":[{"name":"match","reducer":"mean","metrics":` +
		`{"accuracy":{"value":0.75},"stderr":{"value":0.25}}}]%s}}`
	const reductions = `[{"scorer":"match","reducer":"mean","samples":[{"sample_id":1,"value":0.5},` +
		`{"sample_id":2,"value":1}]}]`
	one, two := fmt.Sprintf(sample, 1), fmt.Sprintf(sample, 2)
	document := func(header string, samples ...string) []byte {
		return []byte(strings.TrimSuffix(header, "}") + `,"samples":[` + strings.Join(samples, ",") + "]}")
	}
	packed := func(header string) []byte {
		return archive(t, zip.Store, "header.json", header, "samples/1_epoch_1.json", one, "samples/2_epoch_1.json",
			two, "reductions.json", reductions)
	}
	four, once := fmt.Sprintf(epochs, 4, ""), fmt.Sprintf(epochs, 1, "")
	with := strings.TrimSuffix(four, "}") + `,"reductions":` + reductions + "}"
	old := fmt.Sprintf(epochs, 4, `,"sample_reductions":`+reductions)
	const reduced = "Score of match (mean), over all epochs: **0.5**"
	for name, c := range map[string]struct {
		data []byte
		want bool
	}{
		"an archive":                 {packed(four), true},
		"an archive of one epoch":    {packed(once), false},
		"a document":                 {document(with, one, two), true},
		"a document of old versions": {document(old, one, two), true},
		"a document with one sample": {document(with, one), true},
	} {
		text := c.data
		if parts := partsOf(t, c.data); len(parts) > 0 {
			text = parts["1_epoch_1"]
		}
		records, problems := (inspect.Source{}).NewTranslator().Translate(transcript.Pos{}, text)
		var all []byte
		for _, r := range records {
			all = append(all, r.Raw...)
		}
		if got := string(all); len(problems) > 0 || strings.Contains(got, reduced) != c.want ||
			!strings.Contains(got, "Results of the evaluation: match (mean): accuracy 0.75, stderr 0.25") {
			t.Errorf("%s: got %s, problems %v", name, got, problems)
		}
	}
}

// TestAbout: a sample says of which evaluation it is, and how long it took.
func TestAbout(t *testing.T) {
	c, _ := sourcetest.Draw(t, inspect.Source{}, "log.json", []byte(`{"version":2,"status":"success","eval":{`+
		`"task":"dig","task_file":"dig.py","dataset":{"name":"sand"},"packages":{"inspect_ai":"0.3.95"},`+
		`"revision":{"origin":"https://mara:key@example.org/dig.git","commit":"3f2a"}},"samples":[{"id":1,"epoch":1,`+
		`"messages":[{"role":"user","content":"Dig."}],"scores":{"match":{"value":"C","answer":"5 m",`+
		`"explanation":"It is deep."}},"model_usage":{"sea/gull":{"input_tokens":4}},"total_time":2.113}]}`))
	said := map[string]string{}
	for _, m := range c.Order {
		for name, v := range transcript.Members(m.Record.Raw) {
			said[name] = transcript.TextOf(v)
		}
	}
	for name, want := range map[string]string{
		"version of the program": "0.3.95", "file of the task": "dig.py", "dataset": "sand",
		"repository": "example.org/dig", "commit": "3f2a", "duration_ms": "2113",
		"result":     "Score of match: **C**\n\nanswer: 5 m\n\nexplanation: It is deep.",
		"modelUsage": `{"sea/gull":{"inputTokens":4}}`,
	} {
		if said[name] != want {
			t.Errorf("%s: got %q, want %q", name, said[name], want)
		}
	}
}

// TestBlocks: pictures have their data or their address, and calls an object as their input, with texts that the log
// has once.
func TestBlocks(t *testing.T) {
	c, _ := sourcetest.Draw(t, inspect.Source{}, "log.json", []byte(strings.TrimSuffix(header, "}")+
		`,"samples":[{"id":1,"epoch":1,"attachments":{"5eaf":"a long text"},"messages":[{"role":"user","content":[`+
		`{"type":"image","image":"data:image/png;base64,iVBORw0KGgo="},{"type":"image","image":"http://example.org/a"},`+
		`{"type":"image","image":"https://example.org/b"},{"type":"image","image":"/tmp/c"}]},`+
		`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":"a","arguments":{"b":"attachment://5eaf"}},`+
		`{"id":"2","function":{"name":"a"},"arguments":"{\"b\":1}"},{"id":"3","function":"a","arguments":"b"},`+
		`{"id":"4","function":"a","arguments":["b"]}]}]}]}`))
	var got []string
	for _, m := range c.Order {
		switch b := m.Block; {
		case b == nil:
		case b.Type == "tool_use":
			got = append(got, b.Name+" "+string(b.Input))
		case b.Source.Kind != "":
			got = append(got, b.Source.Kind+" "+b.Source.MediaType+string(b.Source.Data)+b.Source.URL)
		case m.Kind == normalize.Prompt:
			got = append(got, b.Text)
		}
	}
	want := []string{`base64 image/png"iVBORw0KGgo="`, "url http://example.org/a", "url https://example.org/b",
		"(a picture that is not in the log: /tmp/c)", `a {"b":"a long text"}`, `a {"b":1}`, `a {"arguments":"b"}`,
		`a {"arguments":["b"]}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestVersions: a sample of a document has another version if it changes, or the results of its evaluation.
func TestVersions(t *testing.T) {
	document := strings.TrimSuffix(header, "}") + `,"results":{"scores":[{"name":"match"}]},"samples":[` +
		fmt.Sprintf(sample, 1) + "," + fmt.Sprintf(sample, 2) + "]}"
	versions := func(document string) []uint64 {
		parts, err := (inspect.Source{}).Split(strings.NewReader(document), int64(len(document)))
		if err != nil || len(parts) != 2 {
			t.Fatalf("got %d samples, error %v, want 2", len(parts), err)
		}
		return []uint64{parts[0].Version, parts[1].Version}
	}
	before := versions(document)
	for _, c := range []struct {
		name, old, new string
		want           [2]bool // whether each sample changes
	}{
		{"nothing", "", "", [2]bool{}},
		{"the second sample", `"2"}]`, `"3"}]`, [2]bool{false, true}},
		{"the status", "success", "started", [2]bool{true, true}},
		{"a score", "match", "catch", [2]bool{true, true}},
		{"the model", "sea/gull", "sea/tern", [2]bool{true, true}},
	} {
		after := versions(strings.Replace(document, c.old, c.new, 1))
		if got := [2]bool{after[0] != before[0], after[1] != before[1]}; got != c.want {
			t.Errorf("%s: samples change: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBrokenReductions: if the scores over all epochs cannot be read, the sample is read, and says so.
func TestBrokenReductions(t *testing.T) {
	data := archive(t, zip.Store, "header.json", header, "samples/1_epoch_1.json", fmt.Sprintf(sample, 1),
		"reductions.json", `[{"scorer":"match"}]`)
	text := partsOf(t, bytes.Replace(data, []byte("match"), []byte("catch"), 1))["1_epoch_1"]
	records, _ := (inspect.Source{}).NewTranslator().Translate(transcript.Pos{}, text)
	for _, r := range records {
		if strings.Contains(string(r.Raw), "The scores over all epochs cannot be read: reductions.json: ") {
			return
		}
	}
	t.Errorf("the session does not say that the scores are missing: %s", text)
}

// TestBrokenArchive: faults of an archive are reported, and the rest is read.
func TestBrokenArchive(t *testing.T) {
	good := archive(t, zip.Store, "header.json", header, "samples/1_epoch_1.json", fmt.Sprintf(sample, 1))
	if _, err := (inspect.Source{}).Split(bytes.NewReader(good[:len(good)-30]), int64(len(good)-30)); err == nil {
		t.Error("a truncated archive is accepted")
	}
	bad := bytes.Replace(good, []byte("How many?"), []byte("How loud?"), 1)
	parts, err := (inspect.Source{}).Split(bytes.NewReader(bad), int64(len(bad)))
	if err != nil || len(parts) != 1 {
		t.Fatalf("got %d samples, error %v, want 1", len(parts), err)
	}
	if _, err := parts[0].Read(); err == nil || !strings.Contains(err.Error(), "samples/1_epoch_1.json") {
		t.Errorf("a member with a wrong checksum: got error %v", err)
	}
}

// FuzzTranslate: any document becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, inspect.Source{}, sourcetest.Cases(f, "inspect_*"))
}

// FuzzSplit: any file is split or refused, and nothing panics.
func FuzzSplit(f *testing.F) {
	f.Add([]byte(header))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		parts, _ := (inspect.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		for _, p := range parts {
			if text, err := p.Read(); err == nil && !(inspect.Source{}).Match(sources.NewHead(text)) {
				t.Errorf("a part is not recognized as one of Inspect: %.80q", text)
			}
		}
	})
}

// count counts the items of a file with knowledge of the format only. Tokens are those of requests whose answers are
// messages.
func count(t *testing.T) sourcetest.Counter {
	type message struct {
		ID, Role, Source string
		Content          json.RawMessage
		Calls            []json.RawMessage `json:"tool_calls"`
	}
	type output struct {
		Choices []struct{ Message message }
		Usage   struct {
			In  int64 `json:"input_tokens"`
			Out int64 `json:"output_tokens"`
		}
	}
	type event struct {
		Event  string
		Output json.RawMessage
	}
	type counted struct {
		Messages    []message
		Events      []event
		Transcript  struct{ Events []event }
		Attachments map[string]string
	}
	return func(name string, data []byte) (c sourcetest.Counts) {
		var d struct {
			Sample  *counted
			Samples []counted
		}
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Sample != nil {
			d.Samples = append(d.Samples, *d.Sample)
		}
		for _, s := range d.Samples {
			full := func(v json.RawMessage) string {
				text := string(v)
				for name, attached := range s.Attachments {
					quoted, _ := json.Marshal(attached)
					text = strings.ReplaceAll(text, `"attachment://`+name+`"`, string(quoted))
				}
				var v2 any
				_ = json.Unmarshal([]byte(text), &v2)
				return fmt.Sprint(v2)
			}
			asked := false
			for _, m := range s.Messages {
				switch m.Role {
				case "user":
					if m.Source == "input" || !asked {
						c.Prompts++
						asked = true
					}
				case "assistant":
					c.Calls += int64(len(m.Calls))
				case "tool":
					c.Results++
				}
			}
			for _, e := range append(s.Events, s.Transcript.Events...) {
				var out output
				if e.Event != "model" || json.Unmarshal(e.Output, &out) != nil || len(out.Choices) == 0 {
					continue
				}
				made := out.Choices[0].Message
				if slices.ContainsFunc(s.Messages, func(m message) bool {
					same := made.ID != "" && m.ID == made.ID
					return m.Role == "assistant" && (same || full(m.Content) == full(made.Content))
				}) {
					c.Input, c.Output = c.Input+out.Usage.In, c.Output+out.Usage.Out
				}
			}
		}
		return c
	}
}

// TestCorpus: all records of each real sample are accounted for, nothing is unknown, and the conversation has the items
// that an independent count finds.
func TestCorpus(t *testing.T) {
	files := make(map[string][]byte)
	for name, data := range sourcetest.SharedFiles(t, "agents/inspect", ".json", ".eval") {
		parts := partsOf(t, data)
		for part, text := range parts {
			files[sources.PartPath(name, part)] = text
		}
		if len(parts) == 0 && path.Ext(name) == ".json" {
			files[name] = data
		}
	}
	sourcetest.Sweep(t, inspect.Source{}, files, nil, count(t))
}
