package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/transcript"
)

// storyLog returns a session that fixes something, fails once, commits and pushes.
func storyLog(end string) []string {
	n := 0
	record := func(format string, args ...any) string {
		n++
		return fmt.Sprintf(`{"uuid":"%08d-0000-4000-8000-000000000000","sessionId":"s","timestamp":"2026-03-02T09:%02d:00Z","cwd":"/tide","gitBranch":"main",%s}`,
			n, n, fmt.Sprintf(format, args...))
	}
	call := func(id, input string) string {
		return record(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"claude-sonnet-4-5","usage":{"input_tokens":1000,"cache_read_input_tokens":3000,"output_tokens":10},"content":[{"type":"tool_use","id":%q,%s}]}`, n, id, input)
	}
	result := func(id, output string, failed bool) string {
		return record(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":%q}]},"toolUseResult":{"type":"create","filePath":"/tide/gauge.go","content":"a\nb\n","structuredPatch":[]}`, id, failed, output)
	}
	lines := []string{
		record(`"type":"user","message":{"role":"user","content":"Fix the gauge of Brest, which shows no low water. Be quick."}`),
		call("t1", `"name":"Write","input":{"file_path":"/tide/gauge.go","content":"a\nb\n"}`),
		result("t1", "ok", false),
		call("t2", `"name":"Bash","input":{"command":"go test ./..."}`),
		result("t2", "FAIL\ttide", true),
		call("t3", `"name":"Bash","input":{"command":"go test ./..."}`),
		result("t3", "ok  \ttide\t0.1s", false),
		call("t4", `"name":"Bash","input":{"command":"git commit -am Gauge && git push && gh pr create"}`),
		result("t4", "[main 1a2b3c4] Gauge\n   0a2b3c4..1a2b3c4  main -> main\nhttps://example.org/tide/pull/7\n", false),
	}
	return append(lines, record(`%s`, end))
}

// TestAPIErrorLinks: the number of failed requests at the top of a page links to the first of them.
func TestAPIErrorLinks(t *testing.T) {
	failed := `"type":"assistant","isApiErrorMessage":true,"message":{"id":"e%d","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529 overloaded"}]}`
	lines := storyLog(fmt.Sprintf(failed, 1))
	html := string(DrawSession(Session{Conversation: build(lines), Main: &transcript.File{}}).Pages[0].HTML)
	link := regexp.MustCompile(`<a href="#([^"]*)">1 API error</a>`).FindStringSubmatch(html)
	if link == nil || !strings.Contains(html, `id="`+link[1]+`"`) {
		t.Errorf("the number of failed requests links to %q, want the failed request", link)
	}
}

// TestAgentsWithoutLog: the top of a page says that agents are missing.
func TestAgentsWithoutLog(t *testing.T) {
	lines := storyLog(`"type":"assistant","message":{"id":"e","role":"assistant","content":[{"type":"text","text":"Done."}]}`)
	for i, line := range lines {
		lines[i] = strings.Replace(line, `"name":"Write","input":{`, `"name":"Task","input":{"prompt":"Look",`, 1)
	}
	html := string(DrawSession(Session{Conversation: build(lines), Main: &transcript.File{}}).Pages[0].HTML)
	if !strings.Contains(html, ">1 agent without a log</span>") {
		t.Error("the page does not say that the log of an agent is missing")
	}
}

var (
	tags   = regexp.MustCompile(`<(?:dt|dd|/p)[^>]*>`)
	marks  = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s*\n[\s\n]*`)
)

// TestStoryUnknown: the top of a page says what the log does not tell.
func TestStoryUnknown(t *testing.T) {
	var lines []string
	for _, line := range storyLog(
		`"type":"assistant","message":{"id":"m99","role":"assistant","content":[{"type":"text","text":"Done."}]}`) {
		line = regexp.MustCompile(`"usage":\{[^}]*\},`).ReplaceAllString(line, "")
		line = strings.ReplaceAll(line, `ok  \ttide\t0.1s`, "…")
		lines = append(lines, strings.ReplaceAll(line, "go test ./...", "go test ./... | tail"))
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, "FAIL") })
	d := DrawSession(Session{Conversation: build(lines), Main: &transcript.File{}, Prices: prices(t)})
	html := string(d.Pages[0].HTML)
	html = html[strings.Index(html, `<dl class="story">`):strings.Index(html, "</dl>")]
	for _, want := range []string{
		"tokens and cost not in the log", `title="The log does not say how it ended."`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the top of the page does not contain %q:\n%s", want, html)
		}
	}
}

// TestStoryUnanswered: if the log ends before the answer, nothing is called the answer.
func TestStoryUnanswered(t *testing.T) {
	lines := storyLog(`"type":"assistant","message":{"id":"m99","role":"assistant","content":[{"type":"text","text":"The gauge is next."},{"type":"tool_use","id":"t9","name":"Bash","input":{"command":"gauge"}}]}`)
	html := string(DrawSession(Session{Conversation: build(lines), Main: &transcript.File{}}).Pages[0].HTML)
	if want := `Said last:</span> The gauge is next. <a href="#`; !strings.Contains(html, want) {
		t.Errorf("the page does not contain %q", want)
	}
	if !strings.Contains(html, "Go to the message") || strings.Contains(html, "Go to the answer") {
		t.Error("the page links to an answer, want a message")
	}
	if !strings.Contains(html, "Said last: The gauge is next.") || strings.Contains(html, "Answer: ") {
		t.Error("the last step of the outline is an answer, want what was said last")
	}
}

// TestStory: the top of a page says what was asked, how the session ended, and what it left.
func TestStory(t *testing.T) {
	answer := `"type":"assistant","message":{"id":"m99","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"## Gauge fixed\n\nBrest shows low water again."}]}`
	stopped := `"type":"user","message":{"role":"user","content":"[Request interrupted by user]"}`
	left := `
Changed
gauge.go+2net changescommits1 commitpushedPR #7
Checked
go test in 2 calls, last one green1 of 4 calls failed
Spent
$0.06 at list price of 1 Mar 202616k tokens in, 75 % from cache40 out4.0k peak contextclaude-sonnet-4-5`
	for end, want := range map[string]string{
		answer: `Done, pushedMon 2 Mar 2026, 09:01 – 09:109m at workbranchmain
Asked
Fix the gauge of Brest, which shows no low water.
Outcome
Gauge fixed. Brest shows low water again. Go to the answer` + left,
		stopped: `InterruptedMon 2 Mar 2026, 09:01 – 09:109m at workbranchmain
Asked
Fix the gauge of Brest, which shows no low water.` + left,
	} {
		c := build(storyLog(end))
		c.Facts.AITitle = "Low water of Brest"
		d := DrawSession(Session{Conversation: c, Main: &transcript.File{}, Prices: prices(t)})
		html := string(d.Pages[0].HTML)
		html = html[strings.Index(html, `<p class="meta verdict">`):strings.Index(html, `</dl>`)]
		got := marks.ReplaceAllString(tags.ReplaceAllString(html, "\n"), "")
		got = strings.TrimSpace(blanks.ReplaceAllString(strings.ReplaceAll(got, "&#43;", "+"), "\n"))
		if got != want {
			t.Errorf("got the top of the page\n%s\nwant\n%s", got, want)
		}
		for _, href := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if !strings.HasPrefix(href[1], "i-") && !strings.Contains(string(d.Pages[0].HTML), `id="`+href[1]+`"`) {
				t.Errorf("the top of the page links to #%s, which does not exist", href[1])
			}
		}
		if o := d.Summary.Outcome; o.Files != 1 || o.Added != 2 || o.Commits != 1 || len(o.PullRequests) != 1 {
			t.Errorf("the summary has the outcome %+v", o)
		}
	}
}

func TestUpperFirst(t *testing.T) {
	for text, want := range map[string]string{"": "", "stopped": "Stopped", "état": "État", "𝄞": "𝄞"} {
		if got := upperFirst(text); got != want {
			t.Errorf("got %q for %q, want %q", got, text, want)
		}
	}
}

func TestAsSentence(t *testing.T) {
	for reason, want := range map[string]string{
		"the log has no answer":             "The log has no answer.",
		"a question has no answer: Red?":    "A question has no answer: Red?",
		"a change was not allowed: …/a.go…": "A change was not allowed: …/a.go…", "停止。": "停止。",
	} {
		if got := asSentence(reason); got != want {
			t.Errorf("%q: got %q, want %q", reason, got, want)
		}
	}
}
