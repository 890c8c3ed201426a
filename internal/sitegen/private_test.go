package sitegen

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"viewer/internal/sitegen/input"
	"viewer/internal/testing/golden"
)

// A recorder records which files are opened.
type recorder struct {
	fs.FS
	mu     sync.Mutex
	opened []string
}

func (r *recorder) Open(name string) (fs.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened = append(r.opened, name)
	return r.FS.Open(name)
}

// Stat reads nothing of a file. Without it, fs.Stat would open the file.
func (r *recorder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

// TestCredentialsNeverOpened: files with keys and accounts are never opened, whichever folder of a home with all agents
// is the source.
func TestCredentialsNeverOpened(t *testing.T) {
	home := t.TempDir()
	cases := golden.Sections(t, "../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for name, data := range map[string]string{
		"claude/projects/-w/1f0c0000-0000-4000-8000-000000000001.jsonl": "pi_branches",
		"codex/sessions/2026/06/18/rollout-2026-06-18T10-00-00-a.jsonl": "codex_mirrored",
		"pi/agent/sessions/--w--/a.jsonl":                               "pi_branches",
		"openclaw/agents/main/sessions/a.jsonl":                         "pi_others",
		"gemini/tmp/quay/chats/session-2026-05-01T10-00-a.json":         "gemini-cli_document",
		".copilot/session-state/5d1c/events.jsonl":                      "copilot_calls",
	} {
		write(t, filepath.Join(home, filepath.FromSlash(name)), cases[data])
	}
	private := []string{
		".copilot/config.json", "claude/.credentials.json", "codex/auth.json", "gemini/google_accounts.json",
		"gemini/oauth_creds.json", "openclaw/agents/main/agent/auth-profiles.json",
		"openclaw/agents/main/sessions/sessions.json", "openclaw/credentials/oauth.json", "pi/agent/auth.json",
		"pi/agent/models.json",
	}
	for _, name := range private {
		write(t, filepath.Join(home, filepath.FromSlash(name)), []byte(`{"id":"a","timestamp":"t","key":"sk"}`))
	}
	folders, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(folders, nil) {
		dir, prefix := home, ""
		if d != nil {
			dir, prefix = filepath.Join(home, d.Name()), d.Name()
		}
		r := &recorder{FS: os.DirFS(dir)}
		src := &input.Source{Name: dir, ID: dir, FS: r}
		entries, _, err := src.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sessions := 0
		for _, fo := range discover(src, entries) {
			sessions += len(fo.sessions) + len(fo.loose)
		}
		if sessions == 0 {
			t.Errorf("no session in %s", prefix)
		}
		for _, name := range r.opened {
			if slices.Contains(private, path.Join(prefix, name)) {
				t.Errorf("%s was opened", path.Join(prefix, name))
			}
		}
		for _, name := range private {
			rest, below := strings.CutPrefix(name, prefix+"/")
			if below && path.Base(name) != "config.json" && src.IsSession(rest) {
				t.Errorf("%s counts as a session", name)
			}
		}
	}
}

// personalLines are sessions with data that only their owner should see, and with data that only a model can read.
var personalLines = map[string]string{
	"codex/rollout-2026-06-18T10-00-00-019ed936-0000-7000-8000-0000000000aa.jsonl": `
{"timestamp":"2026-06-18T10:00:00.000Z","type":"session_meta","payload":{"id":"019ed936-0000-7000-8000-0000000000aa","timestamp":"2026-06-18T10:00:00.000Z","cwd":"/home/marabel/lamp","originator":"codex-tui","git":{"repository_url":"https://marabel:t0k3nAbCdEfGh1jKlMn@git.lampworks.net/lamp.git"}}}
{"timestamp":"2026-06-18T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Write to marabel.quince@lampworks.net"}]}}
{"timestamp":"2026-06-18T10:00:02.000Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"gAAAAABpBLOB"}}
{"timestamp":"2026-06-18T10:00:03.000Z","type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":{"primary":{"used_percent":83.125,"resets_at":1781770871},"plan_type":"planzz","credits":{"balance":"7731.19"}}}}
{"timestamp":"2026-06-18T10:00:04.000Z","type":"event_msg","payload":{"type":"account/rateLimits/updated","rate_limits":{"planType":"planzz","primary":{"usedPercent":83.125}}}}
{"timestamp":"2026-06-18T10:00:05.000Z","type":"compacted","payload":{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"gAAAAABpBLOB"}]}}
{"timestamp":"2026-06-18T10:00:06.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"whoami\"}","call_id":"c1"}}
{"timestamp":"2026-06-18T10:00:07.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"chatgpt_account_id\": \"8f3b1c2d-1111-4222-8333-944445555666\"}"}}
`,
	"pi/a.jsonl": `
{"type":"session","version":3,"id":"019dbe19-0000-7000-8000-0000000000bb","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/home/marabel/lamp"}
{"type":"credential_pin","id":"a0000000","parentId":null,"timestamp":"2026-05-01T10:00:00.500Z","account":"marabel.quince@lampworks.net","accountId":"8f3b1c2d-1111-4222-8333-944445555666"}
{"type":"message","id":"a0000001","parentId":"a0000000","timestamp":"2026-05-01T10:00:01.000Z","message":{"role":"user","content":"Hello"}}
{"type":"message","id":"a0000002","parentId":"a0000001","timestamp":"2026-05-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"BLOB"},{"type":"text","text":"Hi","textSignature":"BLOB"}],"model":"m","diagnostics":{"account_id":"8f3b1c2d-1111-4222-8333-944445555666"}}}
`,
	"copilot/5d1c0000-0000-4000-8000-000000000001/events.jsonl": `
{"type":"session.start","data":{"sessionId":"5d1c0000-0000-4000-8000-000000000001","version":1,"context":{"cwd":"/home/marabel/lamp"}},"id":"e1","timestamp":"2026-07-24T10:00:01.000Z","parentId":null}
{"type":"session.info","data":{"infoType":"authentication","message":"Logged in as user: quincezz"},"id":"e2","timestamp":"2026-07-24T10:00:02.000Z","parentId":"e1"}
{"type":"user.message","data":{"content":"Hi from marabel.quince@lampworks.net"},"id":"e3","timestamp":"2026-07-24T10:00:03.000Z","parentId":"e2"}
{"type":"assistant.message","data":{"messageId":"m1","model":"gpt-5","content":"Ok","reasoningOpaque":"BLOB","encryptedContent":"gAAAAABpBLOB"},"id":"e4","timestamp":"2026-07-24T10:00:04.000Z","parentId":"e3"}
`,
	"opencode/ses_2.json": `
{
  "info": {"id": "ses_2", "directory": "/home/marabel/lamp", "title": "Lamp", "version": "1.2.16", "time": {"created": 1777622400000, "updated": 1777622500000}, "share": {"url": "https://share.test/planzz", "secret": "8f3b1c2d"}},
  "messages": [
    {"info": {"id": "msg_1", "sessionID": "ses_2", "role": "user", "time": {"created": 1777622400000}}, "parts": [{"id": "prt_1", "type": "text", "text": "Hi from marabel.quince@lampworks.net"}]},
    {"info": {"id": "msg_2", "sessionID": "ses_2", "role": "assistant", "parentID": "msg_1", "modelID": "m", "time": {"created": 1777622401000}, "finish": "stop"}, "parts": [{"id": "prt_2", "type": "reasoning", "text": "", "metadata": {"openai": {"itemId": "rs_1", "reasoningEncryptedContent": "gAAAAABpBLOB"}}}, {"id": "prt_3", "type": "text", "text": "Ok", "metadata": {"copilot": {"reasoningOpaque": "BLOB"}}}]}
  ]
}
`,
	"droid/5b0e1a52.jsonl": `
{"type":"session_start","id":"5b0e1a52-0000-4000-8000-000000000001","title":"Lamp","owner":"quincezz","version":2,"cwd":"/home/marabel/lamp"}
{"type":"message","id":"m1","timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"Hi from marabel.quince@lampworks.net"}]}}
{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-05-01T08:00:01.000Z","message":{"role":"assistant","content":[{"type":"redacted_thinking","data":"BLOB"},{"type":"text","text":"Ok"}]}}
`,
	"code/chatSessions/a.json": `
{"version":3,"requesterUsername":"quincezz","requesterAvatarIconUri":{"scheme":"https","path":"/u/quincezz"},"responderUsername":"GitHub Copilot","creationDate":1782799999000,"sessionId":"5c0a7e10-0000-4000-8000-000000000009","requests":[{"requestId":"r1","message":{"text":"Hi from marabel.quince@lampworks.net"},"response":[{"kind":"thinking","value":"","metadata":{"reasoning_opaque":"BLOB"}},{"value":"Ok"}],"timestamp":1782800000000}]}
`,
	"gemini/a.jsonl": `
{"sessionId":"7a1e5c20-0000-4000-8000-000000000001","projectHash":"5e5e","startTime":"2026-05-04T09:00:00.000Z","lastUpdated":"2026-05-04T09:00:00.000Z","kind":"main"}
{"id":"m1","timestamp":"2026-05-04T09:00:02.000Z","type":"user","content":[{"text":"Hi from marabel.quince@lampworks.net in /home/marabel/lamp"}]}
{"id":"m2","timestamp":"2026-05-04T09:00:04.000Z","type":"gemini","content":[{"text":"Ok","thoughtSignature":"BLOB"}],"model":"gemini-3-flash-preview"}
`,
	"grok/chat_history.jsonl": `
{"type":"system","content":"You are Grok."}
{"type":"user","content":[{"type":"text","text":"Hi from marabel.quince@lampworks.net"}],"prompt_index":0}
{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"gAAAAABpBLOB","status":"completed"}
{"type":"assistant","content":"Ok","model_id":"grok-4.5"}
`,
}

// TestPersonal: accounts, plans, rate limits, credits, addresses and homes are on no page, in no search text and in no
// export of the sessions of any agent. For encrypted data only the size is shown.
func TestPersonal(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	blob := "SEALED" + strings.Repeat("R9k2mQx71LkfP3wZ8vBnT5sYc0Jd4hUe", 40)
	for name, lines := range personalLines {
		data := strings.ReplaceAll(strings.TrimPrefix(lines, "\n"), "BLOB", blob)
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(data))
	}
	r := mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	if len(r.Agents) != 8 || r.Ledger.Generics() > 0 {
		t.Errorf("got sessions of %v, %d with a generic drawing; want 8 agents and none", r.Agents, r.Ledger.Generics())
	}
	sizes := 0
	err := filepath.WalkDir(out, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data := string(read(t, p))
		for _, secret := range []string{
			"marabel", "quince", "8f3b1c2d", "planzz", "7731.19", "83.125", "1781770871", "SEALED", "t0k3nAbCd",
		} {
			if strings.Contains(data, secret) {
				t.Errorf("%s contains %q", p, secret)
			}
		}
		if filepath.Ext(p) == ".html" {
			sizes += strings.Count(data, "1.3 KB")
		}
		return nil
	})
	if err != nil || sizes < 4 {
		t.Errorf("%d sizes of encrypted texts, error %v; want at least 4", sizes, err)
	}
}
