package attacks

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A writer appends records to a session file. The parent of each record is the previous one.
type writer struct {
	out     []byte
	session string
	cwd     string // as a JSON string without quotes
	n       int    // records
	calls   int
	last    string
}

func newWriter(n int, cwd string) *writer {
	return &writer{session: fmt.Sprintf("5e551000-0000-4000-8000-%012x", n), cwd: cwd, calls: n << 16}
}

// place writes the records of a place with the text in it.
func (w *writer) place(p Place, text string) {
	w.calls += 4
	for _, r := range p.Records {
		w.record(string(r), text)
	}
}

// record writes one record. %T is replaced by the text, %B by its base64, and %I to %L by ids of calls.
func (w *writer) record(r, text string) {
	for i, id := range []string{"%I", "%J", "%K", "%L"} {
		r = strings.ReplaceAll(r, id, fmt.Sprintf("%012x", w.calls+i))
	}
	r = strings.ReplaceAll(r, "%B", base64.StdEncoding.EncodeToString([]byte(text)))
	r = strings.ReplaceAll(r, "%T", escape(text))
	w.n++
	id := fmt.Sprintf("%08x-%04x-4000-8000-%s", w.n, w.calls>>16, w.session[24:])
	parent := "null"
	if w.last != "" {
		parent = `"` + w.last + `"`
	}
	w.last = id
	at := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(w.n) * time.Second).Format(
		"2006-01-02T15:04:05.000Z")
	w.out = append(w.out, r[:len(r)-1]...)
	w.out = fmt.Appendf(w.out, `,"uuid":"%s","parentUuid":%s,"sessionId":"%s","timestamp":"%s","cwd":"%s"}`+"\n", id,
		parent, w.session, at, w.cwd)
}

// escape returns a text as the inside of a JSON string, including its bytes that are not UTF-8.
func escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// small returns a session in which the text is used for every name: its folder and file if the text is a valid file
// name, its project, title, branch, model, an agent with its meta file, a workflow.
func small(i int, text string) []File {
	w := newWriter(1<<20+i, "/srv/"+escape(text))
	for _, r := range smallRecords {
		w.record(r, text)
	}
	folder, stem, agent := fmt.Sprintf("p%03d", i), w.session, fmt.Sprintf("a%011x", i)
	if isFileName(text) {
		folder, stem, agent = "p"+text, text, text
	}
	main := folder + "/" + stem
	a := newWriter(2<<20+i, w.cwd)
	a.session = w.session
	a.record(`{"type":"user","isSidechain":true,"agentId":"`+escape(agent)+
		`","message":{"role":"user","content":"Look at %T"}}`, text)
	a.record(`{"type":"assistant","isSidechain":true,"agentId":"`+escape(agent)+
		`","message":{"id":"msg_a%I","role":"assistant","model":"%T","content":[{"type":"text","text":"It is %T"}]}}`, text)
	return []File{
		{main + ".jsonl", w.out},
		{main + "/subagents/agent-" + agent + ".jsonl", a.out},
		{main + "/subagents/agent-" + agent + ".meta.json", fmt.Appendf(nil, `{"agentType":"%s","description":"%[1]s","name":"%[1]s","model":"%[1]s","color":"%[1]s","teamName":"%[1]s","toolUseId":"toolu_agent","worktreePath":"%[1]s"}`, escape(text))},
		{main + "/custom-title.json", fmt.Appendf(nil, `{"customTitle":"%s"}`, escape(text))},
		{main + "/tool-results/out.txt", bytes.Repeat([]byte(text+"\n"), 3)},
	}
}

var smallRecords = []string{
	`{"type":"summary","summary":"%T","leafUuid":"00000002-0000-4000-8000-000000000000"}`,
	`{"type":"user","message":{"role":"user","content":"%T"},"gitBranch":"%T","version":"%T"}`,
	`{"type":"assistant","message":{"id":"msg_%I","role":"assistant","model":"%T","content":[{"type":"tool_use","id":"toolu_agent","name":"Agent","input":{"description":"%T","prompt":"%T","subagent_type":"%T"}}],"usage":{"input_tokens":10,"output_tokens":10}}}`,
	`{"type":"assistant","message":{"id":"msg_%J","role":"assistant","content":[{"type":"tool_use","id":"toolu_spilled","name":"Bash","input":{"command":"%T"}}]}}`,
	`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_spilled","content":"<persisted-output>\nOutput too large (1KB). Full output saved to: /x/tool-results/out.txt\n\nPreview (first 2KB):\n%T"}]},"toolUseResult":{"stdout":"%T","persistedOutputPath":"/x/tool-results/out.txt"}}`,
	`{"type":"ai-title","aiTitle":"%T"}`,
	`{"type":"agent-name","agentName":"%T"}`,
	`{"type":"pr-link","prNumber":1,"prUrl":"%T","prRepository":"%T"}`,
}

// isFileName reports whether a text can be the name of a file on this system.
func isFileName(text string) bool {
	return text != "" && text != "." && text != ".." && len(text) < 200 && utf8.ValidString(text) &&
		!strings.ContainsAny(text, "/\x00")
}
