package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"viewer/internal/export"
	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/normalize"
)

func sessionOf(name string, data []byte) export.Session {
	f := transcript.Read(name, data)
	c := normalize.Build(normalize.Input{ID: "case", Main: &f})
	return export.Session{Conversation: c, Project: "tides", Totals: stats.Of(c, stats.ListPrices())}
}

// chosenBy says how the sessions of tests were chosen.
const chosenBy = "1 of 2 sessions: on branch <b>@tides</b>"

// commentOf returns the comment on parts.
func commentOf(o SummaryOptions, parts ...Part) []byte {
	return Comment(Of(parts), parts,
		CommentOptions{BaseURL: o.BaseURL, Limit: min(o.Limit, commentLimit), Choice: chosenBy})
}

// base has the address of the reports in tests.
var base = SummaryOptions{BaseURL: "https://ci.example.org/job/1/"}

// partOf reports on one run with all outputs.
func partOf(t testing.TB, name string, data []byte, o SummaryOptions) Part {
	t.Helper()
	p, err := PartOf(sessionOf(name, data), Source{File: name, Page: "report.html"},
		Wanted{
			Summary: &o, JSON: true, Annotations: 10,
			Comment: &CommentOptions{BaseURL: o.BaseURL, Limit: min(o.Limit, commentLimit), Choice: chosenBy},
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func summaryOf(t testing.TB, o SummaryOptions, parts ...Part) []byte {
	t.Helper()
	md, err := Summary(Of(parts), o,
		func(i int) ([]byte, error) { return parts[i].Head, nil },
		func(i int) ([]byte, error) { return parts[i].Details, nil })
	if err != nil {
		t.Fatal(err)
	}
	return md
}

func jsonOf(t testing.TB, parts ...Part) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, Of(parts), func(i int) ([]byte, error) { return parts[i].JSON, nil }); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSumOfSession: tokens of a whole session are no turn, and their cost is known without a request.
func TestSumOfSession(t *testing.T) {
	f := transcript.Read("s.jsonl", []byte(`{"type":"user","uuid":"u","message":{"role":"user","content":"Ask"}}
{"type":"assistant","uuid":"v","message":{"id":"m","model":"claude-sonnet-4-5","content":[],"usage":{"input_tokens":9}}}`))
	f.Records[1].Message.OfSession = true
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	r := RunOf(export.Session{Conversation: c, Totals: stats.Of(c, stats.ListPrices())}, Source{})
	if r.Turns != 0 || len(r.Unpriced) > 0 {
		t.Errorf("got %d turns, unpriced models %q, want none", r.Turns, r.Unpriced)
	}
}

// TestReports: in.json becomes want.md, want.comment.md, want.json and want.annotations.
func TestReports(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			p := partOf(t, "in.json", []byte(a.Section(t, "in.json")), base)
			a.Compare(t, "want.md", string(summaryOf(t, base, p)))
			a.Compare(t, "want.comment.md", string(commentOf(base, p)))
			a.Compare(t, "want.json", string(jsonOf(t, p)))
			var lines []string
			for _, n := range Annotations([]Part{p}, 10) {
				lines = append(lines, fmt.Sprintf("%v %s:%d %s: %s", n.Error, n.File, n.Line, n.Title, n.Text))
			}
			a.Compare(t, "want.annotations", strings.Join(lines, "\n"))
		})
	}
}

// forge renders Markdown like a forge, but keeps all HTML.
var forge = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))

func draw(t *testing.T, md []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := forge.Convert(md, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSummaryShows renders the summary and looks for its promised contents.
func TestSummaryShows(t *testing.T) {
	a := golden.Open(t, "testdata/execution.txtar")
	o := SummaryOptions{BaseURL: "https://ci.example.org/job/1"}
	page := draw(t, summaryOf(t, o, partOf(t, "in.json", []byte(a.Section(t, "in.json")), o)))
	htmlcheck.Run(t, page,
		htmlcheck.In("h2", htmlcheck.IsText("✅ Run succeeded")),
		htmlcheck.In("table", htmlcheck.HasText("$0.35"), htmlcheck.HasText("1m 33s"), htmlcheck.HasText("129k"),
			htmlcheck.HasText("2.1k"), htmlcheck.HasText("6, 2 failed")),
		htmlcheck.HasText("High water is"),
		htmlcheck.Has("td a[href^='https://ci.example.org/job/1/report.html#'] code"),
		htmlcheck.HasText("src/tide.go"), htmlcheck.HasText("+2"), htmlcheck.HasText("−1"),
		htmlcheck.HasText("docs/a|b.md"),
		htmlcheck.HasText("WebFetch"), htmlcheck.HasText("rm -rf /"),
		htmlcheck.HasText("unreachable code"),
		htmlcheck.Has("details details, details"), htmlcheck.HasText("Prompt 1: Mend the tide table."),
		htmlcheck.HasNot("script"), htmlcheck.HasNot("img"), htmlcheck.HasNot("style"),
	)
}

// TestSummaryIsBounded: whatever the run did, the summary is within its limit, says that it was cut, and closes every
// <details>.
func TestSummaryIsBounded(t *testing.T) {
	var lines []string
	lines = append(lines, `{"type":"user","uuid":"u0","message":{"role":"user","content":"Work"}}`)
	for i := range 3000 {
		lines = append(lines,
			fmt.Sprintf(`{"type":"assistant","uuid":"a%d","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"cat file-%d"}}]}}`, i, i, i, i),
			fmt.Sprintf(`{"type":"user","uuid":"r%d","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":"%s"}]}}`,
				i, i, i%2 == 0, strings.Repeat("x ", 500)))
	}
	for _, limit := range []int{2_000, 10_000, 100_000, 0} {
		o := SummaryOptions{Limit: limit}
		part := partOf(t, "in.jsonl", []byte(strings.Join(lines, "\n")), o)
		checkBound(t, "comment", limit, commentLimit, commentOf(o, part, part))
		md := summaryOf(t, o, part)
		checkBound(t, "summary", limit, Limit, md)
		if limit == 0 && !bytes.Contains(md, []byte("None. *"+ofCommands+"*")) {
			t.Error("the summary does not say that commands may have changed files")
		}
	}
}

// checkBound checks a text that was cut to its limit.
func checkBound(t *testing.T, kind string, limit, usual int, md []byte) {
	t.Helper()
	if most := min(cmp.Or(limit, usual), usual); len(md) > most {
		t.Errorf("limit %d: the %s has %d bytes, want less", limit, kind, len(md))
	}
	if !bytes.Contains(md, []byte("*This "+kind+" was cut: ")) {
		t.Errorf("limit %d: the %s does not say that it was cut", limit, kind)
	}
	if open, shut := bytes.Count(md, []byte("<details")), bytes.Count(md, []byte("</details>")); open != shut {
		t.Errorf("limit %d: the %s has %d <details>, but %d </details>", limit, kind, open, shut)
	}
}

var (
	mention = regexp.MustCompile(`(^|[^\w])@\w`)
	element = regexp.MustCompile(`<[^>]*>`)
	inCode  = regexp.MustCompile(`(?s)<(code|pre)[^>]*>.*?</(code|pre)>`)
	allowed = regexp.MustCompile(`^</?(p|h\d|ul|ol|li|table|thead|tbody|tr|t[hd]( style="text-align:\w+")?|strong|em|del|blockquote|code( class="language-[^"]*")?|pre|details( open)?|summary|b|br ?/?|hr ?/?|a href="[^"]*"( title="[^"]*")?|a|ol start="\d+"|input [\w=" ]*|span)>$`)
)

// TestSummariesOfAll writes the summary of every session, including real ones if they exist, and renders it: it has
// only elements of our templates or of Markdown, and mentions no users.
func TestSummariesOfAll(t *testing.T) {
	isSession := func(path string) bool {
		return (strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json")) &&
			!strings.HasSuffix(path, ".meta.json")
	}
	names := corpus.Files(t, isSession, "../../testdata/projects")
	if len(names) < 15 {
		t.Fatalf("got %d sessions, want at least 15", len(names))
	}
	names = append(names, corpus.Share(corpus.Files(t, isSession, corpus.Optional(t, "sdk", "dev", "synthetic")...))...)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		part := partOf(t, filepath.Base(name), data, base)
		md, comment := summaryOf(t, base, part), commentOf(base, part)
		if len(md) > Limit || len(comment) > commentLimit {
			t.Errorf("%s: the summary has %d and the comment %d bytes, more than allowed", name, len(md), len(comment))
		}
		page := draw(t, md) + draw(t, comment)
		for _, tag := range element.FindAllString(page, -1) {
			if !allowed.MatchString(tag) {
				t.Errorf("%s: an unexpected element: %.200s", name, tag)
			}
		}
		text := element.ReplaceAllString(inCode.ReplaceAllString(page, ""), "")
		if m := mention.FindString(text); m != "" {
			t.Errorf("%s: a user is mentioned: %.100s", name, text[strings.Index(text, m):])
		}
	}
	t.Logf("%d sessions", len(names))
}

func TestConditions(t *testing.T) {
	a := golden.Open(t, "testdata/execution.txtar")
	factsOf := func(a *golden.Archive) Facts {
		return Of([]Part{partOf(t, "in.json", []byte(a.Section(t, "in.json")), base)})
	}
	good := factsOf(a)
	good.Secrets = map[string]int{"github-pat": 1, "aws-key": 2}
	a = golden.Open(t, "testdata/failed.txtar")
	bad := factsOf(a)
	for _, c := range []struct {
		f          Facts
		list, want string
	}{
		{good, "", ""},
		{good, "error", ""},
		{bad, "error", "run failed: the limit of turns was reached"},
		{Of(nil), "cost=5.00", "no run to report"},
		{Of(nil), "", "no run to report"},
		{Of(nil, Missing{"run.jsonl", "the file is empty"}), "turns=9", "no run in run.jsonl: the file is empty"},
		{good, "denied", "2 calls were denied"},
		{bad, "denied", ""},
		{good, "secret", "3 secrets were redacted (aws-key, github-pat)"},
		{good, "problem", ""},
		{bad, "problem", "the data has 1 problem"},
		{good, "cost=0.30", "cost $0.35, more than $0.30"},
		{good, "cost=$0.3471", ""},
		{bad, "turns=4, cost=0.1", "5 turns, more than 4; cost $0.75, more than $0.10"},
		{bad, "turns=5", ""},
		{bad, "mood", "error"}, {bad, "cost", "error"}, {bad, "cost=much", "error"}, {bad, "turns=-1", "error"},
		{bad, "denied=2", "error"}, {bad, "cost=NaN", "error"}, {bad, "cost=inf", "error"}, {bad, "turns=NaN", "error"},
	} {
		conditions, err := ParseConditions(c.list)
		c.f.Judge(conditions)
		got := strings.Join(c.f.Failures, "; ")
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("--fail-on %q: got %q (error %v), want %q", c.list, got, err, c.want)
		}
	}
}

// TestOutcomes: the end of a log decides the outcome of the run.
func TestOutcomes(t *testing.T) {
	const prompt = `{"type":"user","uuid":"u1","message":{"role":"user","content":"Go"}}` + "\n"
	const answer = `{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Done."}]}}` + "\n"
	const call = `{"type":"assistant","uuid":"u3","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]}}` + "\n"
	const init = `{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}` + "\n"
	for _, c := range []struct {
		name, log string
		want      Outcome
	}{
		{"a session that was answered", prompt + answer, Finished},
		{"a session that ends in a call", prompt + answer + call, Unfinished},
		{"a stream without an end", init + prompt + answer, Unfinished},
		{"nothing", "", None},
		{"a prompt that was not answered", prompt, Unfinished},
		{"a log of something else", `{"type":"user-agent","name":"x"}`, None},
		{"interrupted", prompt + answer + `{"type":"user","uuid":"u4","parentUuid":"u2","message":{"role":"user","content":"[Request interrupted by user]"}}`, Interrupted},
		{"a failed request", prompt + `{"type":"assistant","uuid":"u4","parentUuid":"u1","isApiErrorMessage":true,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"API Error: 529"}]}}`, Failed},
		{"an end without a subtype", init + `{"type":"result","result":"ok","total_cost_usd":1}`, Success},
		{"totals only", prompt + answer + call + `{"type":"result","total_cost_usd":1,"usage":{"output_tokens":1}}`, Unfinished},
		{"an end that is an error", init + `{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key"}`, Failed},
		{"a run that somebody stopped", init + prompt + answer + `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}`, Interrupted},
		{"a new kind of error", init + `{"type":"result","subtype":"error_moon_phase"}`, Failed},
	} {
		r := RunOf(sessionOf("s.jsonl", []byte(c.log)), Source{})
		if r.Outcome != c.want {
			t.Errorf("%s: got %s (%s), want %s", c.name, r.Outcome, r.Reason, c.want)
		}
	}
}

// TestReasonOfFailure: a failed run says why it failed, and not what it had made until then.
func TestReasonOfFailure(t *testing.T) {
	for subtype, want := range map[string]string{
		"error_message_limit_reached": "message limit reached", "success": "Two gulls",
	} {
		log := `{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}` + "\n" +
			fmt.Sprintf(`{"type":"result","subtype":%q,"is_error":true,"result":"Two gulls"}`, subtype)
		if r := RunOf(sessionOf("s.jsonl", []byte(log)), Source{}); r.Outcome != Failed || r.Reason != want {
			t.Errorf("%s: got %s (%s), want %s", subtype, r.Outcome, r.Reason, want)
		}
	}
}

// TestErrorThatStoppedRun: the reason of a run that an error stopped is that error.
func TestErrorThatStoppedRun(t *testing.T) {
	const log = `{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}` + "\n" +
		`{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No gull found"]}`
	if r := RunOf(sessionOf("s.jsonl", []byte(log)), Source{}); r.Outcome != Failed || r.Reason != "No gull found" {
		t.Errorf("got %s (%s)", r.Outcome, r.Reason)
	}
}

// TestErrorOfStream: a request that failed in a stream is an error, not the answer, although the end repeats it.
func TestErrorOfStream(t *testing.T) {
	log := `{"type":"system","subtype":"init","session_id":"s","cwd":"/w"}` + "\n" +
		`{"type":"assistant","uuid":"u1","session_id":"s","error":"authentication_failed","message":{"id":"m1",` +
		`"model":"<synthetic>","content":[{"type":"text","text":"Not logged in"}]}}` + "\n" +
		`{"type":"result","subtype":"success","is_error":true,"result":"Not logged in"}`
	r := RunOf(sessionOf("s.jsonl", []byte(log)), Source{})
	if len(r.Errors) != 1 || r.Errors[0].Text != "Not logged in" || r.Answer != "" || r.Reason != "Not logged in" {
		t.Errorf("got errors %+v, answer %q, reason %q", r.Errors, r.Answer, r.Reason)
	}
}

// TestUnclearCommands: the success of a script is not that of its commands, and a command that keeps running ends with
// the last call that waits for it.
func TestUnclearCommands(t *testing.T) {
	log := ""
	for i, c := range []struct{ tool, input, structured string }{
		{"exec_command", `{"cmd":"make"}`, `{"exitCode":"2"}`},
		{"exec", `"tools.exec_command({cmd:\"make\"})"`, `{}`},
		{"exec_command", `{"cmd":"go vet"}`, `{"session":"7"}`},
		{"exec_command", `{"cmd":"go test"}`, `{"session":"8"}`},
		{"write_stdin", `{"session_id":8}`, `{"exitCode":"1"}`},
	} {
		log += fmt.Sprintf(`{"type":"assistant","uuid":"a%d","message":{"id":"m%d","role":"assistant","content":[`+
			`{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}}`+"\n", i, i, i, c.tool, c.input) +
			fmt.Sprintf(`{"type":"user","uuid":"u%d","toolUseResult":%s,"message":{"role":"user","content":[`+
				`{"type":"tool_result","tool_use_id":"t%d","is_error":%t,"content":"out %d"}]}}`+"\n",
				i, c.structured, i, strings.Contains(c.structured, "exitCode"), i)
	}
	got := ""
	for _, c := range RunOf(sessionOf("s.jsonl", []byte(log)), Source{}).Commands {
		got += fmt.Sprintf("%s: %s, exit %s, unclear %t, mended %t, %q\n",
			c.Command, c.State, c.Exit, c.Unclear, c.Mended, c.Output)
	}
	want := `make: failed, exit 2, unclear false, mended false, "out 0"
make: done, exit , unclear true, mended false, ""
go vet: done, exit , unclear true, mended false, ""
go test: failed, exit 1, unclear false, mended false, "out 3\nout 4"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTimeOfBackground: a command in the background has no time: that of its call is the time of its start.
func TestTimeOfBackground(t *testing.T) {
	for structured, want := range map[string]float64{`{"backgroundTaskId":"b1"}`: 0, `{"stdout":"ok"}`: 2} {
		log := `{"type":"assistant","uuid":"a","timestamp":"2026-03-01T10:00:00Z","message":{"id":"m","role":"assistant",` +
			`"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}` + "\n" +
			`{"type":"user","uuid":"b","timestamp":"2026-03-01T10:00:02Z","toolUseResult":` + structured +
			`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}` + "\n"
		all := RunOf(sessionOf("s.jsonl", []byte(log)), Source{}).Commands
		if len(all) != 1 || all[0].Seconds != want {
			t.Errorf("%s: got %+v, want one command of %v s", structured, all, want)
		}
	}
}

// TestFilesOfCommands: files that commands removed are listed, and drafts that were removed again are not.
func TestFilesOfCommands(t *testing.T) {
	var log strings.Builder
	for i, c := range []struct{ tool, in, result string }{
		{"Write", `{"file_path":"/w/draft","content":"x\n"}`, `{"type":"create","content":"x\n"}`},
		{"Read", `{"file_path":"/w/old"}`, `{"type":"text","file":{"filePath":"/w/old","content":"1\n2\n",` +
			`"numLines":2,"startLine":1,"totalLines":2}}`},
		{"Bash", `{"command":"rm draft old"}`, `{}`},
	} {
		fmt.Fprintf(&log, `{"type":"assistant","cwd":"/w","message":{"id":"m%d","content":[`+
			`{"type":"tool_use","id":"c%d","name":%q,"input":%s}]}}`+"\n", i, i, c.tool, c.in)
		fmt.Fprintf(&log, `{"type":"user","cwd":"/w","message":{"content":[`+
			`{"type":"tool_result","tool_use_id":"c%d","content":"ok"}]},"toolUseResult":%s}`+"\n", i, c.result)
	}
	p := partOf(t, "s.jsonl", []byte(log.String()), base)
	md := string(summaryOf(t, base, p))
	for text, want := range map[string]bool{"`old`": true, "−2 | deleted": true, "`draft`": false} {
		if strings.Contains(md, text) != want {
			t.Errorf("the summary contains %s: %t, want %t\n%s", text, !want, want, md)
		}
	}
	all := strings.Join(strings.Fields(string(jsonOf(t, p))), "")
	if want := `{"path":"old","edits":1,"added":0,"removed":2,"created":false,"deleted":true,`; !strings.Contains(
		all, want) {
		t.Errorf("the JSON lacks %s\n%s", want, all)
	}
}

// TestNamelessModel: a model that the log does not name is not listed as one with the name "unknown".
func TestNamelessModel(t *testing.T) {
	const log = `{"type":"user","uuid":"u1","message":{"role":"user","content":"Go"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m1","role":"assistant",` +
		`"content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":5,"output_tokens":7}}}
`
	r := RunOf(sessionOf("s.jsonl", []byte(log)), Source{})
	if len(r.Models) > 0 || len(r.ByModel) != 1 {
		t.Errorf("the models are %q, with the tokens of %d; want no name, and the tokens of 1", r.Models,
			len(r.ByModel))
	}
	part := partOf(t, "in.jsonl", []byte(log), base)
	if got, want := Of([]Part{part}).Cost(), "cost of an unnamed model unknown"; got != want {
		t.Errorf("the cost is %q, want %q", got, want)
	}
	if md := string(summaryOf(t, base, part)); !strings.Contains(md, "*The cost of an unnamed model is unknown") {
		t.Errorf("the summary has no words for a model without a name:\n%s", md)
	}
}

// TestLongTexts: a summary shows the beginnings of texts that are long, and says how much there is more. Making all of
// them safe takes seconds.
func TestLongTexts(t *testing.T) {
	list := strings.Repeat("- @mara: high\\n", 50_000)
	md := string(summaryOf(t, base, partOf(t, "in.jsonl", []byte(`{"type":"user","uuid":"u1",`+
		`"message":{"role":"user","content":"`+list+`"}}`+"\n"+`{"type":"assistant","uuid":"u2","message":{"id":"m1",`+
		`"role":"assistant","content":[{"type":"text","text":"`+list+`"}]}}`), base)))
	if most := 300_000; len(md) > most {
		t.Errorf("the summary has %d bytes, want at most %d", len(md), most)
	}
	for text, want := range map[string]int{
		"*… the report has the rest.*": 1, "*… and 638.6 KB more*": 2,
		"\n- `@mara`: high\n\n*…": 1, "\n> - `@mara`: high\n>\n> *…": 1,
	} {
		if n := strings.Count(md, text); n != want {
			t.Errorf("%q is %d times in the summary, want %d", text, n, want)
		}
	}
}
