package opencode_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/opencode"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their start.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		"{\n  \"info\": {\n    \"id\": \"ses_1\",\n    \"directory\": \"/w\"}, \"messages\": []}":                 true,
		`{"info":{"id":"ses_1ca8bc5ceffe","slug":"cut`:                                                            true,
		`{"info":{"id":"msg_1","sessionID":"ses_1","role":"user"},"parts":[]}`:                                    true,
		`{"type":"step_start","timestamp":1777622400000,"sessionID":"ses_1","part":{"type":"step-start"}}`:        true,
		`{"type":"error","timestamp":1777622400000,"sessionID":"ses_1","error":{"name":"APIError"}}`:              true,
		`{"part":{"type":"step-start"},"sessionID":"ses_1","timestamp":1777622400000,"type":"step_start"}`:        true,
		`{"info":{"title":"An API","version":"1.0"},"openapi":"3.1.0"}`:                                           false,
		`{"type":"user","timestamp":"t","sessionId":"s","message":{"role":"user","content":"hi"}}`:                false,
		`{"type":"message","timestamp":"t","sessionID":"s","part":"of something else","info":{"directory":"/w"}}`: true,
		"SQLite format 3\x00": false,
		"":                    false,
	} {
		if got := (opencode.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored. Credentials and other files there are not read.
func TestFolders(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	want := []string{"/h/.local/share/opencode", "/h/.local/share/kilo", "/h/.local/share/mimocode"}
	if got := (opencode.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("with home /h: got %v", got)
	}
	env["XDG_DATA_HOME"], env["OPENCODE_DB"] = "/d", "/elsewhere/my.db"
	want = []string{"/d/opencode", "/d/kilo", "/d/mimocode", "/elsewhere/my.db"}
	if got := (opencode.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("with variables: got %v", got)
	}
	env["OPENCODE_DB"] = `D:\my.db`
	if got := (opencode.Source{}).Folders(getenv, "/h"); !slices.Contains(got, `D:\my.db`) {
		t.Errorf("with a database on Windows: got %v", got)
	}
	if got := (opencode.Source{}).Folders(func(string) string { return "" }, ""); got != nil {
		t.Errorf("without a home: got %v, want none", got)
	}
	tree := &sources.Tree{Paths: []string{"auth.json", "log/a.json", "mcp-auth.json", "ses_1.json", "snapshot/b.json"}}
	(opencode.Source{}).Arrange(tree)
	for i, left := range []bool{true, true, true, false, true} {
		if tree.Taken(i) != left {
			t.Errorf("%s is left out: %v, want the opposite", tree.Paths[i], !left)
		}
	}
}

// TestScan: a scan finds folder and times of a session, in whatever pieces the file is read.
func TestScan(t *testing.T) {
	for name, data := range sourcetest.Cases(t, "opencode_*") {
		want := sources.ScanAll(opencode.Source{}.NewScan(), data)
		of := sources.ScanAll(sources.ScanRecords(opencode.Source{}), data)
		if want.CWD != of.CWD || want.SessionID != of.SessionID || !of.Start.IsZero() && !want.Start.Equal(of.Start) {
			t.Errorf("%s: got %+v\nwant, as in its records, %+v", name, want, of)
		}
		scan := opencode.Source{}.NewScan()
		for line := range bytes.Lines(data) {
			scan.Lines(line)
			scan = scan.Clone()
		}
		if got := sources.FactsOf(scan); !reflect.DeepEqual(got, want) {
			t.Errorf("%s, line by line: got %+v\nwant %+v", name, got, want)
		}
	}
}

// TestTimes: a text has the time of its end, or that of its start while it is written.
func TestTimes(t *testing.T) {
	data := `{
"info":{"id":"ses_1","directory":"/w","version":"1","time":{"created":1777622400000}},"messages":[
{"info":{"id":"msg_1","role":"user","time":{"created":1777622400000}},"parts":[{"type":"text","text":"Why?"}]},
{"info":{"id":"msg_2","role":"assistant","time":{"created":1777622401000,"completed":1777622440000}},"parts":[
{"type":"reasoning","text":"Hm.","time":{"start":1777622402000,"end":1777622403000}},
{"type":"text","text":"Because.","time":{"start":1777622404000,"end":1777622439000}},
{"type":"text","text":"And","time":{"start":1777622440000}}]}]}`
	c, _ := sourcetest.Draw(t, opencode.Source{}, "export.json", []byte(data))
	var got []string
	for _, m := range c.Messages {
		if m.Rule == "" {
			got = append(got, m.Time().Format("05"))
		}
	}
	if want := []string{"00", "00", "03", "39", "40"}; !slices.Equal(got, want) {
		t.Errorf("got messages at seconds %v, want %v", got, want)
	}
}

func TestAppend(t *testing.T) {
	sourcetest.Grow(t, opencode.Source{}, sourcetest.Cases(t, "opencode_*"))
}

func TestShuffled(t *testing.T) {
	first := `{"info":{"id":"ses_1","directory":"/w","version":"1"}}`
	sourcetest.Shuffle(t, opencode.Source{}, first, sourcetest.Cases(t, "opencode_*"))
}

func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, opencode.Source{}, sourcetest.Cases(f, "opencode_*"))
}

// TestUnread: of a session in many files, those that may be read are shown, and the others are problems.
func TestUnread(t *testing.T) {
	files := map[string]string{
		"storage/message/ses_a/msg_1.json": `{"id":"msg_1","sessionID":"ses_a","role":"user"}`,
		"storage/message/ses_a/msg_2.json": "",
		"storage/part/msg_1/prt_1.json":    `{"id":"prt_1","type":"text","text":"Where?"}`,
		"storage/part/msg_1/prt_2.json":    "",
		"storage/session/p1/ses_a.json":    "",
	}
	paths := slices.Sorted(maps.Keys(files))
	joined := opencode.Source{}.Join(paths)
	if len(joined) != 1 {
		t.Fatalf("got %d sessions, want 1", len(joined))
	}
	data, err := joined[0].Read(func(p string) ([]byte, error) {
		if files[p] == "" {
			return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrPermission}
		}
		return []byte(files[p]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	file := sources.List{opencode.Source{}}.Read("ses_a.json", data, transcript.Options{})
	var problems []string
	for _, p := range file.Problems {
		problems = append(problems, p.Text)
	}
	const cannot = " cannot be read: permission denied"
	want := []string{"its file ses_a.json" + cannot, "its file msg_2.json" + cannot, "its file prt_2.json" + cannot}
	isShown := func(r transcript.Record) bool { return r.Message != nil && r.Message.Content[0].Text == "Where?" }
	if !slices.Equal(problems, want) || !slices.ContainsFunc(file.Records, isShown) {
		t.Errorf("got the records %+v and the problems %q, want the prompt and %q", file.Records, problems, want)
	}
}

// TestLost: parts without the file of their message are shown in their session, and those of a session without files in
// another one, or as one if there is none. A session of messages alone is one, too, but not what others have. A part
// that names no message is of that of its folder, whose file may have another name.
func TestLost(t *testing.T) {
	part := func(id, message, session string) string {
		return `{"id":"` + id + `","messageID":"` + message + `","sessionID":"` + session +
			`","type":"text","text":"x"}`
	}
	message := func(id, session string) string {
		return `{"id":"` + id + `","sessionID":"` + session + `","role":"user"}`
	}
	parts := map[string]string{
		"storage/part/msg_8/prt_8.json": part("prt_8", "msg_8", "ses_a"),
		"storage/part/msg_9/prt_9.json": part("prt_9", "msg_9", "ses_gone"),
		"storage/part/prt_7.json":       part("prt_7", "msg_7", "ses_b"),
		"storage/part/prt_6.json":       "torn",
	}
	all := maps.Clone(parts)
	all["storage/message/ses_a/msg_1.json"] = message("msg_1", "ses_a")
	all["storage/message/ses_b/msg_2.json"] = message("msg_2", "ses_b")
	all["storage/part/msg_1/prt_1.json"] = part("prt_1", "msg_1", "ses_a")
	all["storage/message/ses_c/msg_file.json"] = message("msg_3", "ses_c") // under another name
	all["storage/part/msg_3/prt_3.json"] = `{"id":"prt_3","type":"text","text":"x"}`
	all["mail/message/box/1.json"] = "{}"
	lost := func(n string) string { return "part prt_" + n + ": the file of its message msg_" + n + " is missing" }
	const torn = "row prt_6: its data is not a JSON object"
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{all, []string{lost("8"), lost("7"), torn, lost("9")}},
		{parts, []string{torn, lost("8"), lost("9"), lost("7")}},
	} {
		var got []string
		shown := 0
		for _, j := range (opencode.Source{}).Join(slices.Sorted(maps.Keys(c.files))) {
			data, err := j.Read(func(p string) ([]byte, error) { return []byte(c.files[p]), nil })
			if err != nil {
				t.Fatal(err)
			}
			file := sources.List{opencode.Source{}}.Read("ses.json", data, transcript.Options{})
			for _, p := range file.Problems {
				got = append(got, p.Text)
			}
			for _, r := range file.Records {
				if r.Type == "part" {
					shown++
				}
			}
		}
		if !slices.Equal(got, c.want) || shown != 3 {
			t.Errorf("got %d parts and the problems %q, want 3 and %q", shown, got, c.want)
		}
	}
}

type counted struct {
	Messages []struct {
		Info struct {
			Role    string
			Summary any
			Tokens  struct {
				Input, Output, Reasoning int64
				Cache                    struct{ Read, Write int64 }
			}
		}
		Parts []struct {
			Type               string
			Synthetic, Ignored bool
			State              struct{ Status string }
		}
	}
}

// count counts the items of a file with knowledge of the format only: a message of the user with a text that is neither
// synthetic nor ignored is a prompt; a part "tool" is a call and, if it has ended, also its result.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var doc counted
	if json.Unmarshal(data, &doc) != nil {
		return c
	}
	for _, m := range doc.Messages {
		typed := int64(0)
		for _, p := range m.Parts {
			switch {
			case p.Type == "tool":
				c.Calls++
				if p.State.Status == "completed" || p.State.Status == "error" {
					c.Results++
				}
			case m.Info.Role == "user" && (p.Type == "text" && !p.Synthetic && !p.Ignored || p.Type == "file"):
				typed = 1
			}
		}
		c.Prompts += typed
		t := m.Info.Tokens
		c.Input, c.Output = c.Input+t.Input, c.Output+t.Output+t.Reasoning
		c.Cached, c.Written = c.Cached+t.Cache.Read, c.Written+t.Cache.Write
	}
	return c
}

// TestCorpus: all records of each real export are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	unknown := make(map[string]string)
	for _, name := range []string{"context7_query-docs", "context7_resolve-library-id", "exa_web_search_exa",
		"exa_web_fetch_exa"} {
		for _, version := range []string{"1.18.4", "1.18.21"} {
			unknown["tool "+name+", "+version] = "a tool of an MCP server, whose name has no mark of one"
		}
	}
	files := sourcetest.SharedFiles(t, "agents/opencode/*/export", ".json")
	sourcetest.Sweep(t, opencode.Source{}, files, unknown, count)
}
