package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sitegen/decode"
	"viewer/internal/transcript"
)

// TestOpenCode reads a database of OpenCode with its write-ahead log: each session separately, with its agents, in both
// versions of rows. If a row changes in place, only its session is drawn again.
func TestOpenCode(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "opencode.db")
	write(t, file, readFile(t, "testdata/opencode/opencode.db"))
	write(t, filepath.Join(dir, "auth.json"), []byte(`{"openai":{"type":"api","key":"sk-mara-secret"}}`))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	w := watchFile(t, o, file)
	r := w.build()
	if r.Sessions != 3 || r.Totals.Agents != 1 || r.Totals.Prompts != 3 || r.Totals.Tools != 2 || r.Ledger.Missed != 0 {
		t.Errorf("%d sessions, %d agents, %d prompts, %d calls, %d missed", r.Sessions, r.Totals.Agents,
			r.Totals.Prompts, r.Totals.Tools, r.Ledger.Missed)
	}
	want := "opencode.db/ses_4:3: row prt_5b: its data is not a JSON object"
	if len(r.Problems) != 1 || r.Problems[0].String() != want {
		t.Errorf("problems %v, want %s", r.Problems, want)
	}
	page := func(id string) string { return string(read(t, filepath.Join(o.Out, "s", id, "index.html"))) }
	for _, c := range []struct{ id, text string }{
		{"ses_1", "Where is the lamp?"}, {"ses_1", "One lamp stands in the hall."}, {"ses_1", "no result yet"},
		{"ses_3", "And now?"}, {"ses_3", "Now it shines."}, {"ses_4", "Is this whole?"},
	} {
		if !strings.Contains(page(c.id), c.text) {
			t.Errorf("%s lacks %q", c.id, c.text)
		}
	}
	if r := w.build(); r.Rendered != 0 {
		t.Errorf("without changes %d sessions were drawn, want none", r.Rendered)
	}
	write(t, file+decode.JournalSuffix, readFile(t, "testdata/opencode/opencode.db-wal"))
	if r := w.build(); r.Rendered != 1 || !strings.Contains(page("ses_1"), "lamp.go") {
		t.Errorf("a row changed in the log: %d sessions were drawn, want 1", r.Rendered)
	}
	w.checkSame("a row that changed")
	if s, err := OpenSession(context.Background(), o, file+"/ses_1"); err != nil || len(s.Agents) != 1 {
		t.Errorf("opening a session by file and id: %v", err)
	}
}

// TestOpenCode2 reads a database of OpenCode 2, which copies the sessions of earlier versions into other tables: each
// session once, in the version that was continued, with what waits until the model is sent it. Databases without the
// tables of earlier versions are read, too.
func TestOpenCode2(t *testing.T) {
	data := readFile(t, "testdata/opencode/second.db")
	without := bytes.ReplaceAll(bytes.Clone(data), []byte("tablesessionsession"), []byte("tablelaterlyslater7"))
	for name, old := range map[string][]byte{
		"with the tables of earlier versions": data, "without": without,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "opencode.db"), old)
		o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
		r, err := Build(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Sessions != 3 || r.Totals.Agents != 1 || r.Totals.Prompts != 5 || r.Totals.Tools != 1 ||
			r.Totals.Usage.Input != 3 || r.Ledger.Missed != 0 || len(r.Problems) > 0 {
			t.Errorf("%s: %d sessions, %+v, %d missed, problems %v", name, r.Sessions, r.Totals, r.Ledger.Missed,
				r.Problems)
		}
		for _, c := range []struct{ id, text string }{
			{"ses_a", "New title"}, {"ses_a", "Where is the lamp?"}, {"ses_a", "And the oil?"},
			{"ses_a", "The jug has oil."}, {"ses_c", "Was this copied?"}, {"ses_d", "Then by whom?"},
			{"ses_a", "Trim the wick, too"}, {"ses_a", "/srv/shed"}, {"ses_c", "And the third lamp?"},
		} {
			if page := string(read(t, filepath.Join(o.Out, "s", c.id, "index.html"))); !strings.Contains(page, c.text) {
				t.Errorf("%s: %s lacks %q", name, c.id, c.text)
			}
		}
		if page := string(read(t, filepath.Join(o.Out, "s/ses_a/index.html"))); strings.Contains(page, "once more") {
			t.Errorf("%s: what was sent is drawn as waiting", name)
		}
	}
}

// TestOpenCodeDamaged reads databases with a damaged page, of later and earlier versions, and truncated ones. Readable
// sessions are drawn, and the rest is a problem that names the file.
func TestOpenCodeDamaged(t *testing.T) {
	whole := readFile(t, "testdata/opencode/opencode.db")
	var all Report
	read := func(data []byte) Report {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "opencode.db"), data)
		o := Options{Sources: []string{dir}, Out: filepath.Join(dir, "site"), Version: "test", Empty: true}
		r, err := Build(context.Background(), o)
		if err != nil { // nothing can be read
			if !strings.Contains(err.Error(), "opencode.db") {
				t.Errorf("%v does not name the file", err)
			}
			r.Problems = append(r.Problems, transcript.Problem{Text: err.Error()})
		}
		return r
	}
	all = read(whole)
	for page := 1; page < len(whole)/512; page++ {
		data := bytes.Clone(whole)
		copy(data[page*512:], make([]byte, 512))
		r := read(data)
		same := r.Sessions == all.Sessions && r.Totals.Prompts == all.Totals.Prompts &&
			r.Totals.Tools == all.Totals.Tools && r.Totals.Agents == all.Totals.Agents
		reported := slices.ContainsFunc(r.Problems, func(p transcript.Problem) bool {
			return p.String() != all.Problems[0].String()
		})
		if !reported && !same {
			t.Errorf("page %d: got %d sessions of %d with %d prompts, want all or a problem: %v",
				page+1, r.Sessions, all.Sessions,
				r.Totals.Prompts, r.Problems)
		}
	}
	renamed := func(from, to string) []byte { return bytes.ReplaceAll(bytes.Clone(whole), []byte(from), []byte(to)) }
	for name, c := range map[string]struct {
		data     []byte
		sessions int
	}{
		"no column revert":       {renamed("revert TEXT", "revers TEXT"), 3},
		"no table of parts":      {renamed("tablepartpart", "tablelatelate"), 1},
		"cut off":                {whole[:len(whole)/2/512*512], 0},
		"no table of sessions":   {renamed("tablesessionsession", "tablelaterlyslater7"), 0},
		"nothing but the header": {whole[:100], 0},
	} {
		if r := read(c.data); r.Sessions < c.sessions || r.Ledger.Missed != 0 {
			t.Errorf("%s: got %d sessions, problems %v", name, r.Sessions, r.Problems)
		}
	}
	if _, err := os.Stat("testdata/opencode/opencode.db-shm"); err == nil {
		t.Error("a database has a -shm file, so it was opened, want it only read")
	}
}

// TestOpenCodeStorage reads sessions of versions before the database, which have one file for each message and each
// part: in three layouts, with damaged and missing files. If a session is also in a database beside them, that counts.
func TestOpenCodeStorage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"session/p1/ses_a.json": `{"id":"ses_a","directory":"/home/mara/lamp","title":"Mend","version":"0.4.1",` +
			`"time":{"created":1777622400000,"updated":1777622500000}}`,
		"message/ses_a/msg_1.json": `{"id":"msg_1","sessionID":"ses_a","role":"user","time":{"created":1777622400000}}`,
		"message/ses_a/msg_2.json": `{"id":"msg_2","sessionID":"ses_a","role":"assistant","modelID":"m",` +
			`"time":{"created":1777622401000}}`,
		"message/ses_a/msg_3.json":    `{"id":"msg_3","role":`,
		"part/msg_1/prt_1.json":       "{\n  \"id\": \"prt_1\",\n  \"type\": \"text\",\n  \"text\": \"Where?\"\n}\n",
		"part/ses_a/msg_2/prt_2.json": `{"id":"prt_2","type":"text","text":"In the hall."}`,
		"part/prt_3.json":             `{"id":"prt_3","messageID":"msg_2","type":"text","text":"It shines."}`,
		"part/msg_2/prt_4.json":       `{"id":"prt_4","type":"tool","callID":"c1","tool":"bash","state":{"status":"runn`,
		"session/p1/ses_1.json":       `{"id":"ses_1","directory":"/home/mara/lamp","title":"Stale"}`,
		"message/ses_1/msg_9.json":    `{"id":"msg_9","sessionID":"ses_1","role":"user"}`,
		"part/msg_9/prt_9.json":       `{"id":"prt_9","type":"text","text":"Stale?"}`,
		"todo/ses_a.json":             `[]`,
	} {
		write(t, filepath.Join(dir, "storage", name), []byte(text))
	}
	write(t, filepath.Join(dir, "opencode.db"), readFile(t, "testdata/opencode/opencode.db"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	w := &watched{t: t, site: NewSite(o), o: o, source: dir}
	defer func() { w.site.Close() }()
	settle(t, dir)
	r := w.build()
	if r.Sessions != 4 || r.Totals.Prompts != 4 || r.Ledger.Missed != 0 {
		t.Errorf("%d sessions, %d prompts, %d missed", r.Sessions, r.Totals.Prompts, r.Ledger.Missed)
	}
	page := func() string { return string(read(t, filepath.Join(o.Out, "s", "ses_a", "index.html"))) }
	for _, text := range []string{"Where?", "In the hall.", "It shines.", "Mend"} {
		if !strings.Contains(page(), text) {
			t.Errorf("the pages lack %q", text)
		}
	}
	var reported []string
	for _, p := range r.Problems {
		reported = append(reported, p.String())
	}
	for _, want := range []string{
		"row msg_3: its data is not a JSON object", "row prt_4: its data is not a JSON object",
	} {
		if !strings.Contains(strings.Join(reported, "\n"), want) {
			t.Errorf("problems lack %q: %v", want, reported)
		}
	}
	if r := w.build(); r.Rendered != 0 {
		t.Errorf("without changes %d sessions were drawn, want none", r.Rendered)
	}
	write(t, filepath.Join(dir, "storage/part/msg_2/prt_4.json"), []byte(`{"id":"prt_4","type":"tool","callID":"c1",`+
		`"tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"lamp.go"}}`))
	if r := w.build(); r.Rendered != 1 || !strings.Contains(page(), "lamp.go") {
		t.Errorf("a part was added: %d sessions were drawn, want 1", r.Rendered)
	}
	w.checkSame("a part that was written")
	for _, name := range []string{"prt_3.json", "prt_5.json", "m2/prt_6.json"} { // their paths do not tell the session
		settle(t, dir)
		w.build()
		write(t, filepath.Join(dir, "storage/part", name), fmt.Appendf(nil,
			`{"id":"prt","messageID":"msg_2","type":"text","text":"It glows: %s."}`, name))
		w.build()
		w.checkSame(name)
		if name != "m2/prt_6.json" && !strings.Contains(page(), "It glows: "+name) {
			t.Errorf("the page lacks the text of %s", name)
		}
	}
	write(t, filepath.Join(dir, "storage/message/ses_a/msg_4.json"),
		[]byte(`{"id":"m2","sessionID":"ses_a","role":"assistant","time":{"created":1777622402000}}`))
	settle(t, dir)
	w.build()
	write(t, filepath.Join(dir, "storage/part/m2/prt_6.json"), []byte(`{"id":"prt_6","type":"text","text":"Dim."}`))
	w.build()
	w.checkSame("a part of a message whose file has another name")
}

// TestOpenCodeFirstStorage reads files of versions 0.x: messages contain their parts, calls are "tool-invocation"
// parts, and facts of both are in "metadata".
func TestOpenCodeFirstStorage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"info/ses_a.json": `{"id":"ses_a","version":"0.1.120","title":"Count gulls",` +
			`"time":{"created":1750000000000,"updated":1750000009000}}`,
		"message/ses_a/msg_1.json": `{"id":"msg_1","role":"user","parts":[{"type":"text","text":"Count the gulls."}],` +
			`"metadata":{"time":{"created":1750000000000},"sessionID":"ses_a","tool":{}}}`,
		"message/ses_a/msg_2.json": `{"id":"msg_2","role":"assistant","parts":[{"type":"step-start"},` +
			`{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"t1","toolName":"bash",` +
			`"args":{"command":"ls sea"},"result":"seven"}},` +
			`{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"t2","toolName":"read",` +
			`"args":{"filePath":"/sea/reef.md"},"result":"no such file"}},` +
			`{"type":"tool-invocation","toolInvocation":{"state":"call","toolCallId":"t3","toolName":"glob",` +
			`"args":{}}},{"type":"text","text":"Seven of them."}],` +
			`"metadata":{"time":{"created":1750000001000},"sessionID":"ses_a",` +
			`"tool":{"t1":{"title":"ls","time":{"start":1750000002000,"end":1750000003000}},"t2":{"error":true}},` +
			`"assistant":{"modelID":"claude-sonnet-4","path":{"cwd":"/sea","root":"/sea"},"cost":0.01,` +
			`"tokens":{"input":10,"output":5,"reasoning":0,"cache":{"read":100,"write":20}}}}}`,
		"message/ses_a/msg_3.json": `{"id":"msg_3","role":"assistant","parts":[],"metadata":{"time":{"created":` +
			`1750000004000},"error":{"name":"MessageAbortedError"},"assistant":{"modelID":"claude-sonnet-4"}}}`,
	} {
		write(t, filepath.Join(dir, "storage/session", name), []byte(text))
	}
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	r, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Sessions != 1 || r.Totals.Prompts != 1 || r.Totals.Tools != 3 || r.Totals.Failed != 1 ||
		r.Ledger.Missed != 0 || len(r.Ledger.Generic) > 0 || len(r.Problems) > 0 {
		t.Errorf("%d sessions, %+v, generic %v, problems %v", r.Sessions, r.Totals, r.Ledger.Generic, r.Problems)
	}
	u, cost := r.Totals.Usage, r.Totals.Cost.Logged.Dollars()
	if u.Input != 10 || u.Output != 5 || u.CacheRead != 100 || cost != 0.01 {
		t.Errorf("got tokens %+v, cost %v", u, cost)
	}
	page := string(read(t, filepath.Join(o.Out, "s", "ses_a", "index.html")))
	for _, text := range []string{
		"Count gulls", "Count the gulls.", "ls sea", "seven", "no such file", "Seven of them.",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}
