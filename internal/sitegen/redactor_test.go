package sitegen

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"viewer/internal/sitegen/redaction"
)

// Invented secrets, composed here so that scanners for secrets do not report this file.
var (
	secretToken = "gh" + "p_" + "x7Rk2mQ9vLw4Tz8bNc5Yh1Jd6Fs3Gp0AeUiO"
	secretKey   = "sk-" + "ant-api03-" + strings.Repeat("Zk9_Qw3-", 11) + "AA"
	secretWord  = "tR9marsh77lanTern"
)

// TestNoSecretInSite puts secrets in all places of a session, and searches all files of the site for them, including
// the state.
func TestNoSecretInSite(t *testing.T) {
	source, out := t.TempDir(), t.TempDir()
	project := filepath.Join(source, "-home-ottilie-tides")
	own := filepath.Join(project, "11111111-2222-4333-8444-555555555555")
	record := `{"type":%q,"uuid":"%08d-aaaa-4111-8111-111111111111","sessionId":"11111111-2222-4333-8444-555555555555","cwd":"/home/ottilie/tides","timestamp":"2026-05-12T10:00:00Z",%s}` + "\n"
	var main strings.Builder
	n := 0
	add := func(kind, rest string) { n++; fmt.Fprintf(&main, record, kind, n, rest) }
	all := secretToken + " " + secretKey
	add("user", `"message":{"role":"user","content":"Use `+all+` please, mail ottilie.brandt@tidemail.net"}`)
	add("assistant",
		`"message":{"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"The key `+all+`"},{"type":"text","text":"It is `+all+`"},
		{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"curl -H 'Authorization: Bearer `+secretToken+`' https://admin:`+secretWord+`@tides.example.net/","`+secretToken+`":"a name"}}]}`)
	add("user",
		`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"DB_PASSWORD=`+
			secretWord+`\n`+all+`"}]},"toolUseResult":{"stdout":"DB_PASSWORD=`+secretWord+`","stderr":"`+secretKey+`"}`)
	add("system", `"subtype":"informational","content":"`+all+`"`)
	add("attachment",
		`"attachment":{"type":"hook_success","hookName":"PreToolUse:Bash","hookEvent":"PreToolUse","toolUseID":"toolu_1","command":"echo `+secretToken+
			`","stdout":"`+secretKey+`"}`)
	add("custom-title", `"customTitle":"Rotate `+secretToken+`"`)
	main.WriteString("{\"broken\": \"" + secretToken + "\n")
	main.WriteString(secretKey + " is no JSON\n")
	write(t, own+".jsonl", []byte(strings.ReplaceAll(main.String(), "\n\t\t", "")))
	write(t, filepath.Join(own, "subagents", "agent-a1.jsonl"), fmt.Appendf(nil, record, "user", 99,
		`"agentId":"a1","isSidechain":true,"message":{"role":"user","content":"Look at `+secretToken+`"}`))
	write(t, filepath.Join(own, "subagents", "agent-a1.meta.json"),
		[]byte(`{"agentType":"Explore","description":"Uses `+secretKey+`"}`))
	write(t, filepath.Join(project, "22222222-2222-4333-8444-555555555555.jsonl"), fmt.Appendf(nil, record, "summary",
		0, `"summary":"About `+secretToken+`","leafUuid":"00000001-aaaa-4111-8111-111111111111"`))
	write(t, filepath.Join(project, "key "+secretToken+".jsonl"), []byte("{\n"+oneRecord))

	r := mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test"})
	if r.Ledger.Sure < 10 || r.Ledger.Redacted["github-pat"] == 0 && r.Ledger.Redacted["github-token"] == 0 {
		t.Errorf("the ledger counts %v, %d of them sure; want at least 10 and a token of GitHub",
			r.Ledger.Redacted, r.Ledger.Sure)
	}
	files := 0
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for what, secret := range map[string]string{
			"token": secretToken, "key": secretKey, "password": secretWord, "user name": "ottilie",
			"address": "tidemail",
		} {
			if bytes.Contains(bytes.ToLower(data), bytes.ToLower([]byte(secret))) ||
				strings.Contains(strings.ToLower(path), strings.ToLower(secret)) {
				at := bytes.Index(bytes.ToLower(data), bytes.ToLower([]byte(secret)))
				t.Errorf("the %s is in %s: %.120q", what, strings.TrimPrefix(path, out), data[max(0, at-60):])
			}
		}
		return nil
	})
	if err != nil || files < 6 {
		t.Fatalf("searched %d files, error %v; want at least 6", files, err)
	}
	page, err := os.ReadFile(filepath.Join(out, "s", filepath.Base(own), "index.html"))
	if err != nil || !bytes.Contains(page, []byte(" 1] ")) {
		t.Errorf("the page (error %v) lacks the marker of a secret", err)
	}

	// Without redaction they are shown.
	mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test",
		Redaction: redaction.Settings{Off: true}})
	page, _ = os.ReadFile(filepath.Join(out, "s", filepath.Base(own), "index.html"))
	if !bytes.Contains(page, []byte(secretToken)) {
		t.Error("with Off the token is not on the page")
	}
}

// TestRedactionGrows appends secrets to files of a session in any order. Their numbers must be those of a clean build.
func TestRedactionGrows(t *testing.T) {
	w := watchCopy(t)
	agent := filepath.Join(w.source, "-home-mara-ovenbell", stem(w.file), "subagents", "agent-0badcafe.jsonl")
	token := func(i int) string { return strings.Replace(secretToken, "x7Rk2", fmt.Sprintf("q%dZk%d", i, i), 1) }
	say := func(i int, text string) string {
		return strings.Replace(fmt.Sprintf(line, i, i), "And ", "And "+text+" ", 1)
	}
	write(t, agent, []byte(say(1, token(1))))
	touchTree(t, w.source)
	w.build()
	for i, step := range []struct{ file, text string }{
		{w.file, token(2)}, {agent, token(3)}, {agent, token(2)}, {w.file, "nothing"}, {w.file, token(4)},
		{agent, "nothing"}, {w.file, token(1)},
	} {
		appendTo(t, step.file, say(10+i, step.text))
		w.build()
		w.checkSame(fmt.Sprintf("step %d", i))
	}
}

// TestReadAgain: a session is read again only if it has a password before the place that reveals it.
func TestReadAgain(t *testing.T) {
	const chosen = "Sommerregen42!"
	times := func(texts ...string) float64 {
		source, out := t.TempDir(), t.TempDir()
		var log strings.Builder
		for i, text := range texts {
			fmt.Fprintf(&log, `{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","cwd":"/srv/lamps",`+
				`"timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":%q}}`+"\n", i, text)
		}
		write(t, filepath.Join(source, "-srv-lamps", "s.jsonl"), []byte(log.String()))
		r := mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test"})
		walkFiles(t, out, func(path string) {
			if strings.HasSuffix(path, ".html") && bytes.Contains(read(t, path), []byte(chosen)) {
				t.Errorf("%s has the password", path)
			}
		})
		return float64(r.Read) / float64(log.Len())
	}
	for _, c := range []struct {
		texts []string
		want  float64
	}{
		{[]string{"Hello", "nothing"}, 1},
		{[]string{"Hello", "password: " + chosen, "Try " + chosen}, 1},
		{[]string{"Try " + chosen, "password: " + chosen, "nothing"}, 2},
	} {
		if got := times(c.texts...); got != c.want {
			t.Errorf("%q is read %g times, want %g", c.texts, got, c.want)
		}
	}
}

// TestFoundEverywhere: a password that a file of a session reveals late is also redacted in all text before it, in all
// files, and likewise when it is appended to a growing session.
func TestFoundEverywhere(t *testing.T) {
	const chosen, later = "Sommerregen42!", "Laternenpfahl77?"
	source, out := t.TempDir(), t.TempDir()
	own := filepath.Join(source, "-srv-lamps", "11111111-2222-4333-8444-555555555555")
	record := func(n int, agent, text string) string {
		return fmt.Sprintf(
			`{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","sessionId":"11111111-2222-4333-8444-555555555555","cwd":"/srv/lamps","timestamp":"2026-05-12T10:00:00Z",%s"message":{"role":"user","content":%q}}`, n, agent, text) + "\n"
	}
	write(t, own+".jsonl", []byte(record(1, "", "Try "+chosen+" and "+later)))
	write(t, filepath.Join(own, "subagents", "agent-a1.jsonl"),
		[]byte(record(2, `"agentId":"a1","isSidechain":true,`, "I tried "+chosen)))
	write(t, filepath.Join(own, "subagents", "agent-a2.jsonl"),
		[]byte(record(3, `"agentId":"a2","isSidechain":true,`, "password: "+chosen)))
	o := Options{Sources: []string{source}, Out: out, Version: "test"}
	site := NewSite(o)
	t.Cleanup(func() { site.Close() })
	build := func() {
		t.Helper()
		if _, err := site.Build(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(what string) (n int) {
		walkFiles(t, out, func(path string) {
			if bytes.Contains(read(t, path), []byte(what)) {
				n++
			}
		})
		return n
	}
	build()
	if holds(chosen) > 0 || holds("[password 1]") == 0 || holds(later) == 0 {
		t.Errorf("%d files contain the password, %d its marker, %d the other text; want none, some and some",
			holds(chosen), holds("[password 1]"),
			holds(later))
	}
	for i, text := range []string{"nothing new", "DB_PASSWORD=" + later, "nothing more"} {
		appendTo(t, own+".jsonl", record(10+i, "", text))
		build()
		if n := holds(later); (n > 0) != (i == 0) || holds(chosen) > 0 {
			t.Errorf("after %q: %d files contain the password", text, n)
		}
	}
	anew := t.TempDir()
	mustBuild(t, Options{Sources: []string{source}, Out: anew, Version: "test"})
	compareTrees(t, anew, out)
	if len(site.cache.sessions) != 1 {
		t.Error("the growing session is read from its start each time")
	}

	open := Options{Sources: []string{source}, Version: "test"}
	if err := open.ready(); err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), open, own+".jsonl")
	if err != nil || strings.Contains(fmt.Sprint(c.Turns[0].Prompt[0].Block.Text), chosen) {
		t.Errorf("one session alone: error %v, or its prompt contains the password", err)
	}
	listed, _, err := List(t.Context(), open, ListOptions{})
	if err != nil || len(listed) != 1 || strings.Contains(listed[0].Title, chosen) {
		t.Errorf("the list %+v, error %v; want 1 session without the password", listed, err)
	}
}
