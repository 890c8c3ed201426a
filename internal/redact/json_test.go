package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/klauspost/compress/gzip"
)

// q returns a text as a JSON string.
func q(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(b)
}

// fernet is an encrypted text that only the model can read, such as reasoning in logs of Codex.
var fernet = "gAAAAABp" + strings.Repeat("R9k2mQx71LkfP3wZ8vBnT5sYc0Jd4hUe", 8) + "=="

func b64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		panic(err) // writing to a buffer never fails
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// utf16LE encodes ASCII in UTF-16.
func utf16LE(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}

// records are the values of sessions in order, and the expected results.
var records = []struct {
	name     string
	in, want []string
}{
	{"nothing is copied", []string{`{"type":"user","message":{"content":"hello"}}`}, []string{`{"type":"user","message":{"content":"hello"}}`}},
	{"spaces and numbers stay", []string{` { "n" : 1.50e3 , "t" : "` + gh + `" } `}, []string{` { "n" : 1.50e3 , "t" : "[github-token 1]" } `}},
	{"escapes stay", []string{`{"t":"\u003cb\u003e\/ ` + gh + `\ud83d \u00e9"}`}, []string{`{"t":"\u003cb\u003e\/ [github-token 1]\ud83d \u00e9"}`}},
	{"a secret in escapes", []string{`{"t":"` + strings.ReplaceAll(gh, "_", `\u005f`) + `"}`}, []string{`{"t":"[github-token 1]"}`}},
	{"a command as the name of a member",
		[]string{`{"bash":{"PGPASSWORD=` + pw + ` psql *":"allow","curl -H 'Authorization: Bearer ` + plain + `'":"ask","DB_PASSWORD":"` + plain + `"}}`},
		[]string{`{"bash":{"PGPASSWORD=[password 1] psql *":"allow","curl -H 'Authorization: Bearer [authorization 1]'":"ask","DB_PASSWORD":"[authorization 1]"}}`}},
	{"a header with cookies as the name of a member",
		[]string{`{"bash":{"curl -H 'Cookie: sid=` + plain + `' *":"allow"}}`},
		[]string{`{"bash":{"curl -H 'Cookie: sid=[cookie 1]' *":"allow"}}`}},
	{"one number for all records", []string{`{"a":"` + gh + `"}`, `{"b":["` + gh2 + `","` + gh + `"]}`}, []string{`{"a":"[github-token 1]"}`, `{"b":["[github-token 2]","[github-token 1]"]}`}},
	{"ids, times and kinds", []string{
		`{"type":"` + gh + `","id":"call/` + aws + `/x","timestamp":"at ` + gh2 + `","tool_use_id":"Bearer ` + gh + `"}`,
		`{"type":"tool_result","id":"msg_01Abc","uuid":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e","tool_use_id":"toolu_01Abc"}`,
	}, []string{
		`{"type":"[github-token 1]","id":"call/[aws-access-token 1]/x","timestamp":"at [github-token 2]","tool_use_id":"Bearer [github-token 1]"}`,
		`{"type":"tool_result","id":"msg_01Abc","uuid":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e","tool_use_id":"toolu_01Abc"}`,
	}},
	{"a member name", []string{`{"` + gh + `":1,"mara@lampen.dev":{"/home/mara/a":2}}`}, []string{`{"[github-token 1]":1,"[email 1]":{"~/a":2}}`}},
	{"a member that is called so", []string{`{"env":{"API_TOKEN":` + q(plain) + `,"DB_PASSWORD":` + q(pw) + `,"DEBUG":"1"}}`}, []string{`{"env":{"API_TOKEN":"[secret 1]","DB_PASSWORD":"[password 1]","DEBUG":"1"}}`}},
	{"members of a pair", []string{`[{"name":"API_TOKEN","value":` + q(plain) + `},{"name":"API_URL","value":"https://x.dev"}]`}, []string{`[{"name":"API_TOKEN","value":"[secret 1]"},{"name":"API_URL","value":"https://x.dev"}]`}},
	{"an array of them", []string{`{"tokens":["a"],"api_keys":[],"secret":[` + q(plain) + `]}`}, []string{`{"tokens":["a"],"api_keys":[],"secret":["[secret 1]"]}`}},
	{"headers", []string{`{"headers":{"Authorization":"Bearer ` + plain + `","Cookie":"sid=` + fake(30, 24, alnum) + `; x=1"}}`}, []string{`{"headers":{"Authorization":"Bearer [authorization 1]","Cookie":"sid=[cookie 1]; x=1"}}`}},
	{"ids of an account", []string{`{"userID":"` + sum64 + `","accountUuid":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e","uuid":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e"}`}, []string{`{"userID":"[account 1]","accountUuid":"[account 2]","uuid":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e"}`}},
	{"accounts of other agents, and what is left of them", []string{
		`{"chatgpt_account_id":"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e","installation_id":"0c1b6be6-4a7e-4d0a-9d0a-5f1c2b3a4d5e"}`,
		`{"account_id":"123456","plan_type":"pro","credits":{"balance":"8123.11"},"rate_limits":{"used_percent":12.5}}`,
	}, []string{
		`{"chatgpt_account_id":"[account 1]","installation_id":"[account 2]"}`,
		`{"account_id":"123456","plan_type":"pro","credits":{"balance":"8123.11"},"rate_limits":{"used_percent":12.5}}`,
	}},
	{"an encrypted text is not redacted, unless its name says that it is a secret", []string{
		`{"encrypted_content":"` + fernet + `"}`, `{"X-Auth-Token":"` + fernet + `"}`,
	}, []string{`{"encrypted_content":"` + fernet + `"}`, `{"X-Auth-Token":"[secret 1]"}`}},
	{"the user of a request", []string{`{"user_id":"user_` + sum64 + `_account_6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e_session_1e2b3c4d-0000-4000-8000-000000000001"}`}, []string{`{"user_id":"[account 1]"}`}},
	{"pictures and signatures", []string{`{"signature":"` + strings.Repeat("EqQB"+"AKIA"+"CAIAbc/", 40) + `","source":{"data":"` + strings.Repeat("iVBORw0KGgo/home/EAAAx", 30) + `"}}`}, []string{`{"signature":"` + strings.Repeat("EqQB"+"AKIA"+"CAIAbc/", 40) + `","source":{"data":"` + strings.Repeat("iVBORw0KGgo/home/EAAAx", 30) + `"}}`}},
	{"thinking that was signed", []string{`{"type":"thinking","thinking":"` + gh + `","signature":"EqQB+a="}`,
		`{"signature":"EqQB+a=","thinking":"` + gh + `"}`, `{"thinking":"fine","signature":"EqQB+a="}`},
		[]string{`{"type":"thinking","thinking":"[github-token 1]","signature":"[edited]"}`, `{"signature":"[edited]","thinking":"[github-token 1]"}`, `{"thinking":"fine","signature":"EqQB+a="}`}},
	{"a document of text", []string{`{"source":{"type":"base64","media_type":"text/plain","data":"` +
		b64("password: Sommerregen42!\nmara@lampen.dev\n"+gh) + `"}}`, `{"t":"` + gh + `"}`},
		[]string{`{"source":{"type":"base64","media_type":"text/plain","data":"` + b64("password: [password 1]\n[email 1]\n[github-token 1]") + `"}}`, `{"t":"[github-token 1]"}`}},
	{"a document without secrets", []string{`{"data":"` + b64("the lamps of the shop are out of stock until May") + `","file":{"base64":"` + strings.Repeat("iVBORw0KGgo/home/EAAAx", 30) + `"}}`}, []string{`{"data":"` + b64("the lamps of the shop are out of stock until May") + `","file":{"base64":"` + strings.Repeat("iVBORw0KGgo/home/EAAAx", 30) + `"}}`}},
	{"a document in UTF-16 and for URLs", []string{`{"data":"` + b64("\xff\xfe"+utf16LE("a\n"+gh)) +
		`","url":"data:text/plain;base64,` + strings.TrimRight(b64("~~~??? "+gh+"?"), "=") + `"}`},
		[]string{`{"data":"` + b64("a\n[github-token 1]") + `","url":"data:text/plain;base64,` + b64("~~~??? [github-token 1]?") + `"}`}},
	{"a packed document", []string{`{"data":"` + b64(packed("password: Sommerregen42!\n")) + `"}`}, []string{`{"data":"` + b64(packed("password: [password 1]\n")) + `"}`}},
	{"base64 over lines", []string{`{"data":"` + b64("password: Sommerregen42!\n")[:20] + `\r\n` + b64("password: Sommerregen42!\n")[20:] + `\n"}`}, []string{`{"data":"` + b64("password: [password 1]\n")[:20] + `\n` + b64("password: [password 1]\n")[20:] + `\n"}`}},
	{"what unpacks to too much", []string{`{"data":"` + b64(packed(strings.Repeat("a lamp ", 3<<20))) + `"}`}, []string{`{"data":"[packed-data 1]"}`}},
	{"a key in a patch", []string{`{"lines":[" a",` + lines(prefixed(fakeKey(1, 2), "+")) + `," b"]}`}, []string{`{"lines":[" a","+[private-key 1]","+","+","+"," b"]}`}},
	{"a short key as elements", []string{`{"lines":[" a",` + lines(prefixed(keyLines("hunter 2, said Mara!"), "+")) + `," b!"]}`}, []string{`{"lines":[" a","+[private-key 1]","+","+"," b!"]}`}},
	{"the same key whole", []string{`{"lines":[` + lines(prefixed(fakeKey(1, 2), "-")) + `],"text":` + q(fakeKey(1, 2)) + `}`}, []string{`{"lines":["-[private-key 1]","-","-","-"],"text":"[private-key 1]\n\n\n\n"}`}},
	{"JSON in a string in a string", []string{`{"a":` + q(`{"b":`+q(`{"key":`+q(fakeKey(1, 2))+`}`)+`}`) + `}`}, []string{`{"a":` + q(`{"b":`+q(`{"key":"[private-key 1]\n"}`)+`}`) + `}`}},
	{"a name that a record shows",
		[]string{`{"cwd":"/home/mara/src","m":"see /home/mara/x, /tmp/mara/y and mara@lantern:~$ "}`, `{"t":"-rw-r--r-- 1 mara mara 12 a.go\nmara/fix-it https://github.com/mara/x marathon"}`},
		[]string{`{"cwd":"~/src","m":"see ~/x, /tmp/[user 1]/y and [user 1]@[host 1]:~$ "}`, `{"t":"-rw-r--r-- 1 [user 1] [user 1] 12 a.go\n[user 1]/fix-it https://github.com/mara/x marathon"}`}},
	{"a name with a dash in the name of a folder", []string{`{"cwd":"/home/mara-lind/src","p":"/home/mara-lind/.claude/projects/-home-mara-lind-src/x"}`}, []string{`{"cwd":"~/src","p":"~/.claude/projects/~-src/x"}`}},
	{"a secret that stood elsewhere with its name", []string{`{"t":"API_TOKEN=` + plain + `"}`, `{"t":"got ` + plain + ` back, not x` + plain + `"}`}, []string{`{"t":"API_TOKEN=[secret 1]"}`, `{"t":"got [secret 1] back, not x` + plain + `"}`}},
	{"an .env that Read read", []string{read("/srv/app/.env",
		"# the shop\nSHOP=Lampen & Co\nDB=x\nDEBUG=true\nPORT=8080\nURL=\"https://a.b\" # x\n")},
		[]string{read("/srv/app/.env", "# the shop\nSHOP=[secret 1]\nDB=[secret 2]\nDEBUG=true\nPORT=8080\nURL=\"[secret 3]\" # x\n")}},
	{"an .env that a command printed", []string{
		`{"message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"cat .env | head"}}]}}`,
		`{"message":{"content":[{"type":"tool_result","content":"SHOP=Lampen\nlower=taken, too","tool_use_id":"toolu_1"}]},"toolUseResult":{"stdout":"SHOP=Lampen"}}`,
		`{"message":{"content":[{"type":"tool_result","content":"SHOP=Rosen","tool_use_id":"toolu_2"}]}}`,
	}, []string{
		`{"message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"cat .env | head"}}]}}`,
		`{"message":{"content":[{"type":"tool_result","content":"SHOP=[secret 1]\nlower=[secret 2]","tool_use_id":"toolu_1"}]},"toolUseResult":{"stdout":"SHOP=[secret 1]"}}`,
		`{"message":{"content":[{"type":"tool_result","content":"SHOP=Rosen","tool_use_id":"toolu_2"}]}}`,
	}},
	{"an .env that Write writes", []string{`{"message":{"content":[{"id":"toolu_1","input":{"file_path":"/srv/.env.local","content":"SHOP=Lampen\n"}}]}}`}, []string{`{"message":{"content":[{"id":"toolu_1","input":{"file_path":"/srv/.env.local","content":"SHOP=[secret 1]\n"}}]}}`}},
	{"arguments in JSON that write an .env", []string{`{"name":"write","arguments":` + q(`{"path":".env","text":"SHOP=Lampen\nHALL=Rosen"}`) + `}`}, []string{`{"name":"write","arguments":` + q(`{"path":".env","text":"SHOP=[secret 1]\nHALL=[secret 2]"}`) + `}`}},
	{"an example of an .env", []string{read("/srv/app/.env.example", "SHOP=Lampen\n")}, []string{read("/srv/app/.env.example", "SHOP=Lampen\n")}},
	{"part of a key that Read read", []string{read("/srv/id_ed25519", fake(40, 70, base64Signs)+"\n")}, []string{read("/srv/id_ed25519", "[secret 1]\n")}},
	{"an .npmrc", []string{read("/srv/.npmrc", "//registry.lampen.dev/:_authToken=lantern\nstrict=true\n")}, []string{read("/srv/.npmrc", "//registry.lampen.dev/:_authToken=[secret 1]\nstrict=true\n")}},
	{"a .netrc", []string{read("/srv/.netrc", "machine lampen.dev login mara password lantern\n")}, []string{read("/srv/.netrc", "machine lampen.dev login mara password [secret 1]\n")}},
	{"a file of secrets in YAML", []string{read("/srv/secrets.yml", "db:\n  user: mara\n  port: 5432\n")}, []string{read("/srv/secrets.yml", "db:\n  user: [secret 1]\n  port: 5432\n")}},
}

// callOf returns a record with a command as programs write it. All fields but the command are the envelope.
func callOf(command string) string {
	return `{"parentUuid":"0f5f1f8e-5d0b-4c1c-9d6e-5b7f8a9c0d1e","isSidechain":false,"userType":"external","cwd":"D:\\\\tide","gitBranch":"fix:tide","sessionId":"5d0c4a1e-7b1f-4c55-9a44-0f6f2b6f1c10","version":"2.1.232",` +
		`"message":{"model":"claude-opus-4-5-20251101","id":"msg_01Qx7RkTzWb3LmNcVy5HfJ2D","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_01Hd8KmPq4RsTuVw6XyZ2AbC","name":"Bash",` +
		`"input":{"command":` + q(command) + `}}],"stop_reason":"tool_use"},"requestId":"req_011CSk9TzWb3LmNcVy5HfJ2D","type":"assistant","uuid":"34e9aede-fffd-4f04-a3cf-3f9e055ba714","timestamp":"2026-03-02T09:00:02.000Z"}`
}

// resultOf returns the record of its result.
func resultOf(output string) string {
	return `{"parentUuid":"34e9aede-fffd-4f04-a3cf-3f9e055ba714","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_01Hd8KmPq4RsTuVw6XyZ2AbC","type":"tool_result","content":` + q(output) + `}]},` +
		`"uuid":"b5761296-cb55-433e-a741-ae405b52a282","timestamp":"2026-03-02T09:00:04.000Z","toolUseResult":{"stdout":` +
		q(output) + `},"sourceToolAssistantUUID":"34e9aede-fffd-4f04-a3cf-3f9e055ba714"}`
}

// TestEnvelope: if a command names a file for secrets, the ids and times of its record are not redacted.
func TestEnvelope(t *testing.T) {
	secret := fake(30, 32, alnum)
	for _, name := range []string{"/etc/shadow", ".htpasswd", "~/.pgpass", "~/.netrc", "~/.git-credentials",
		"~/.vault-token", "id_rsa", ".env", "secrets.yml"} {
		s := newSession(t, Options{})
		call := callOf("cat " + name)
		if got := string(s.JSON([]byte(call))); got != call {
			t.Errorf("%s: the call changed to\n%s\nwant it unchanged", name, got)
		}
		text := "mara:" + secret + "\n"
		got := string(s.JSON([]byte(resultOf(text))))
		want := strings.ReplaceAll(resultOf(text), secret, "[secret 1]")
		if name == "id_rsa" || name == ".env" || name == "secrets.yml" { // their contents have another format
			want = resultOf(text)
		}
		if got != want {
			t.Errorf("%s: the result: got\n%s\nwant\n%s", name, got, want)
		}
	}
	s := newSession(t, Options{})
	in := `{"type":"assistant","message":{"content":[{"input":{"id":"` + gh + `","uuid":"` + gh +
		`"}}]},"toolUseResult":{"sessionId":"` + gh + `"}}`
	if got := string(s.JSON([]byte(in))); strings.Contains(got, gh) {
		t.Errorf("input and output of a tool are treated as envelope: %s", got)
	}
}

// lines returns the lines of a text as elements of an array.
func lines(text string) string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, q(strings.TrimSuffix(line, "\n")))
	}
	return strings.Join(all, ",")
}

// read returns the result of Read: its lines with numbers, and the file itself.
func read(path, text string) string {
	return `{"message":{"content":[{"tool_use_id":"toolu_9","type":"tool_result","content":` + q(lineNumbers(text)) +
		`}]},"toolUseResult":{"type":"text","file":{"filePath":` + q(path) + `,"content":` + q(text) + `}}}`
}

func TestJSON(t *testing.T) {
	for _, c := range records {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t, Options{})
			for i, in := range c.in {
				raw := []byte(in)
				got := s.JSON(raw)
				if string(got) != c.want[i] {
					t.Errorf("in   %s\ngot  %s\nwant %s", in, got, c.want[i])
				}
				if string(raw) != in {
					t.Errorf("the input was changed: %s", raw)
				}
				if in == c.want[i] && &got[0] != &raw[0] {
					t.Errorf("copied although nothing changes: %s", in)
				}
				if again := s.JSON(got); string(again) != string(got) {
					t.Errorf("redacted again\ngot  %s\nwant %s", again, got)
				}
			}
		})
	}
}

func TestCounts(t *testing.T) {
	s := newSession(t, Options{})
	s.JSON([]byte(`{"cwd":"/home/mara","a":"` + gh + ` ` + gh2 + `","password":` + q(pw) + `}`))
	s.Text("again " + gh)
	want := []Count{{"github-pat", 3, High}, {"password", 1, Likely}, {"home", 1, Personal}}
	got := s.Counts()
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
}

// TestCountsOnce: a value that is redacted twice, because it contains a file of secrets, counts once.
func TestCountsOnce(t *testing.T) {
	s := newSession(t, Options{})
	s.JSON([]byte(read("/srv/.env", "SHOP=Lampen\nT="+gh+"\n")))
	for _, c := range s.Counts() {
		if c.N != 2 { // once in each place
			t.Errorf("%s: got %d, want 2", c.Rule, c.N)
		}
	}
}

// TestLargeValueFreed: a session does not keep a large value in memory, which may be a whole file.
func TestLargeValueFreed(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Session()
	text := strings.Repeat("a word of it\n", largeValue/10) + "key " + "AKIA" + "QYLPMN5HHHFPZAM2"
	raw := []byte(`{"a":{"text":` + q(text) + `}}`)
	read := weak.Make(&raw[0])
	if out := s.JSON(raw); bytes.Equal(out, raw) {
		t.Fatal("the key was not redacted")
	}
	raw = nil
	runtime.GC()
	if read.Value() != nil {
		t.Error("the value is still in memory")
	}
	runtime.KeepAlive(s)
}
