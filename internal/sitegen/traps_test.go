package sitegen

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
)

// A dialect writes the lines of sessions of one agent. The parent of each line is the number of the previous one.
type dialect struct {
	agent, file                  string
	head                         string
	prompt, answer, call, result string // formats with TEXT, TOOL, INPUT, CONTENT, N, PARENT and SECOND
}

var dialects = []dialect{
	{
		"Codex", "rollout-2026-06-18T10-00-00-a.jsonl",
		`{"timestamp":"2026-06-18T10:00:00Z","type":"session_meta","payload":{"id":"a","cwd":"/w/lamp"}}`,
		`{"timestamp":SECOND,"type":"response_item","payload":{"type":"message","role":"user",` +
			`"content":[{"type":"input_text","text":TEXT}]}}`,
		`{"timestamp":SECOND,"type":"response_item","payload":{"type":"message","role":"assistant",` +
			`"content":[{"type":"output_text","text":TEXT}]}}`,
		`{"timestamp":SECOND,"type":"response_item","payload":{"type":"function_call","name":"TOOL",` +
			`"arguments":INPUT,"call_id":"cN"}}`,
		`{"timestamp":SECOND,"type":"response_item","payload":{"type":"function_call_output","call_id":"cPARENT",` +
			`"output":CONTENT}}`,
	},
	{
		"Pi", "a.jsonl",
		`{"type":"session","version":3,"id":"a","timestamp":"2026-06-18T10:00:00Z","cwd":"/w/lamp"}`,
		`{"type":"message","id":"N","parentId":"PARENT","timestamp":SECOND,"message":{"role":"user","content":TEXT}}`,
		`{"type":"message","id":"N","parentId":"PARENT","timestamp":SECOND,"message":{"role":"assistant","model":"m",` +
			`"content":[{"type":"text","text":TEXT}]}}`,
		`{"type":"message","id":"N","parentId":"PARENT","timestamp":SECOND,"message":{"role":"assistant","model":"m",` +
			`"content":[{"type":"toolCall","id":"cN","name":"TOOL","arguments":INPUT}]}}`,
		`{"type":"message","id":"N","parentId":"PARENT","timestamp":SECOND,"message":{"role":"toolResult",` +
			`"toolCallId":"cPARENT","toolName":"TOOL","content":CONTENT}}`,
	},
	{
		"Copilot", "events.jsonl",
		`{"type":"session.start","data":{"sessionId":"a","context":{"cwd":"/w/lamp"}},"id":"0","timestamp":` +
			`"2026-06-18T10:00:00Z","parentId":null}`,
		`{"type":"user.message","data":{"content":TEXT},"id":"N","timestamp":SECOND,"parentId":"PARENT"}`,
		`{"type":"assistant.message","data":{"messageId":"mN","model":"m","content":TEXT},"id":"N","timestamp":SECOND,` +
			`"parentId":"PARENT"}`,
		`{"type":"assistant.message","data":{"messageId":"mN","model":"m","content":"","toolRequests":[{"toolCallId":` +
			`"cN","name":"TOOL","arguments":INPUT}]},"id":"N","timestamp":SECOND,"parentId":"PARENT"}`,
		`{"type":"tool.execution_complete","data":{"toolCallId":"cPARENT","success":true,"result":{"content":CONTENT}},` +
			`"id":"N","timestamp":SECOND,"parentId":"PARENT"}`,
	},
}

// A trap is input on which other viewers fail. Its lines are "prompt TEXT", "answer TEXT", "call TOOL INPUT", "result
// CONTENT", or literal.
type trap struct {
	name, lines string
	want        []string // texts that must be on the page
	problem     string   // the problem that must be reported, "" for none
}

var traps = []trap{
	{"blank lines, and values that are not objects", "prompt \"one\"\n\n[1,2]\nnull\n\"text\"\n17\nanswer \"two\"",
		[]string{"one", "two"}, "want an object"},
	{"an incomplete line in the middle", "prompt \"one\"\n{\"type\":\"mess\nanswer \"two\"",
		[]string{"one", "two"}, "a.jsonl:3"},
	{"lone surrogates", `prompt "a \ud83d b \ude00 c"` + "\n" + `answer "\ud83d\ude00"`, []string{"😀"}, ""},
	{"bytes that are not UTF-8", "prompt \"a \xff\xfe b\"\nanswer \"\xc3\"", []string{" b"}, ""},
	{"control characters, ends of lines, zero bytes", `prompt "a\u0000b\u001b[31mred\r\nnext"`,
		[]string{"red", "next"}, ""},
	{"markup and templates", `prompt "</script><!-- {{.X}} ${y} $& <b>bold</b>"` + "\n" +
		`answer "[x](javascript:alert(1)) <img src=x onerror=alert(1)> {{.X}}"`, []string{"<b>bold</b>", "{{.X}}"}, ""},
	{"fences in outputs", `call bash {"command":"cat a.md"}` + "\n" + "result \"```go\\na\\n````\\nb\\n```\"",
		[]string{"```go", "````"}, ""},
	{"tags in the middle of a prompt", `prompt "what is <environment_context> and <skill name=\"x\">?"`,
		[]string{"what is <environment_context>"}, ""},
	{"tags of another program at the start", `prompt "<command-name>/clear</command-name>"` + "\n" +
		`prompt "<local-command-stdout>x</local-command-stdout> is typed"`, []string{"is typed"}, ""},
	{"paths and commands that are not strings", `call bash {"command":["ls",7,null]}` + "\nresult \"x\"\n" +
		`call read {"path":{"a":1}}` + "\nresult null\n" +
		`call edit {"path":7,"edits":"none"}` + "\nresult [1,{\"type\":2}]\n" +
		`call view {"path":[],"view_range":"all"}` + "\nresult {\"a\":{}}\n" +
		`call exec_command {"cmd":{"x":[]}}` + "\nresult 12", []string{"ls"}, ""},
	{"inputs that are not objects", "call bash []\nresult \"x\"\ncall edit null\nresult \"y\"\ncall todo 7\nresult \"z\"",
		[]string{"x", "y", "z"}, ""},
	{"a result without a call, and one that occurs twice", "result \"orphan\"\ncall bash {}\nresult \"first\"",
		[]string{"orphan", "first"}, "unknown call"},
	{"an invalid time, and times that go back", "prompt \"one\"\n@\"yesterday\"\nanswer \"two\"\n" +
		"@\"2020-01-01T00:00:00Z\"\nanswer \"three\"", []string{"one", "two", "three"}, "yesterday"},
	{"a line of 13 MB", "call bash {}\nresult \"" + strings.Repeat("0123456789abcde ", 800_000) +
		"\"\nanswer \"after\"",
		[]string{"after"}, ""},
	{"deep nesting", `call bash {"command":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) +
		"}\nanswer \"after\"",
		[]string{"after"}, ""},
	{"many parts of letters", `prompt "` + strings.Repeat("é̂̃👩‍👩‍👧‍👦", 200) + `"`, []string{"👩‍👩‍👧‍👦"}, ""},
}

// write returns the log of a trap.
func (d dialect) write(tr trap) string {
	all := []string{d.head}
	second := `"2026-06-18T10:00:01Z"`
	n := 0
	for line := range strings.SplitSeq(tr.lines, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		form := map[string]string{"prompt": d.prompt, "answer": d.answer, "call": d.call, "result": d.result}[kind]
		if strings.HasPrefix(line, "@") {
			second = line[1:]
			continue
		}
		if form == "" {
			all = append(all, line)
			continue
		}
		n++
		tool, input := "", ""
		if kind == "call" {
			tool, input, _ = strings.Cut(rest, " ")
			if d.agent == "Codex" { // whose content is a string
				text, _ := json.Marshal(input)
				input = string(text)
			}
		}
		number := strconv.Itoa(n) + `"`
		all = append(all, strings.NewReplacer("TEXT", rest, "CONTENT", rest, "TOOL", tool, "INPUT", input,
			"SECOND", second, "PARENT", strconv.Itoa(n-1), `"N"`, `"`+number, `cN"`, "c"+number, `mN"`, "m"+number,
		).Replace(form))
	}
	return strings.Join(all, "\n") + "\n"
}

// TestAgentTraps: input on which other viewers fail is drawn or reported as a problem, for each agent, and no page has
// a finding.
func TestAgentTraps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds one session at a time: the race detector finds nothing more than in builds of many")
	}
	corpus.Long(t)
	for _, d := range dialects {
		for _, tr := range traps {
			t.Run(d.agent+"/"+tr.name, func(t *testing.T) {
				file, out := filepath.Join(t.TempDir(), d.file), t.TempDir()
				write(t, file, []byte(d.write(tr)))
				r := mustBuild(t, Options{Sources: []string{file}, Out: out, Version: "test"})
				if r.Agents[d.agent] != 1 || !r.Ledger.Balanced() || r.Ledger.Missed > 0 {
					t.Fatalf("got sessions of %v, ledger %+v; want one and a balanced ledger", r.Agents, r.Ledger)
				}
				findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range findings {
					if !strings.Contains(f, "a template action was not executed") { // the trap contains one
						t.Error(f)
					}
				}
				if n := strings.Count("\n"+tr.lines, "\nprompt "); n != r.Totals.Prompts {
					t.Errorf("%d prompts, want %d", r.Totals.Prompts, n)
				}
				page := ""
				pages, err := filepath.Glob(filepath.Join(out, "s", "*", "*.html"))
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range pages {
					page += html.UnescapeString(string(read(t, p)))
				}
				for _, text := range tr.want {
					if !strings.Contains(page, text) {
						t.Errorf("the pages lack %q", text)
					}
				}
				reported := ""
				for _, p := range r.Problems {
					reported += p.Pos.String() + ": " + p.Text + "\n"
				}
				place := strings.ReplaceAll(tr.problem, "a.jsonl", d.file)
				if tr.problem != "" && !strings.Contains(reported, place) {
					t.Errorf("problems lack %q:\n%s", place, reported)
				}
			})
		}
	}
}
