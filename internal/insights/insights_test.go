package insights

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A script writes records of a session, one second apart.
type script struct {
	lines []string
	calls int
}

func (s *script) record(kind, message, more string) {
	s.lines = append(s.lines, fmt.Sprintf(
		`{"type":%q,"uuid":"u%d","sessionId":"s","timestamp":"2026-03-02T10:%02d:%02dZ","cwd":"/w"%s,"message":{%s}}`,
		kind, len(s.lines), len(s.lines)/60, len(s.lines)%60, more, message))
}

func (s *script) prompt(text string) {
	s.record("user", fmt.Sprintf(`"role":"user","content":%q`, text), "")
}

func (s *script) says(text string) {
	s.record("assistant", fmt.Sprintf(`"id":"m%d","model":"claude-x","usage":{"input_tokens":10,"output_tokens":5},`+
		`"content":[{"type":"text","text":%q}]`, len(s.lines), text), "")
}

// call appends a call with its result.
func (s *script) call(tool, input, result string, failed bool) {
	s.calls++
	s.record("assistant", fmt.Sprintf(`"id":"m%d","model":"claude-x","usage":{"input_tokens":10,"output_tokens":5},`+
		`"content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]`, len(s.lines), s.calls, tool, input), "")
	s.record("user", fmt.Sprintf(`"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%t,`+
		`"content":%q}]`, s.calls, failed, result), "")
}

func (s *script) bash(command string, failed bool) {
	result := "fine"
	if failed {
		result = "Exit code 1"
	}
	s.call("Bash", fmt.Sprintf(`{"command":%q}`, command), result, failed)
}

// started appends a command that still runs when its call ends.
func (s *script) started(command, session string) {
	s.call("exec_command", fmt.Sprintf(`{"cmd":%q}`, command), "", false)
	at := len(s.lines) - 1
	s.lines[at] = strings.Replace(s.lines[at], `{`, fmt.Sprintf(`{"toolUseResult":{"session":%q},`, session), 1)
}

func (s *script) build(t *testing.T) (*normalize.Conversation, *stats.Tally) {
	t.Helper()
	file := transcript.Read("s.jsonl", []byte(strings.Join(s.lines, "\n")+"\n"))
	c := normalize.Build(normalize.Input{ID: "s", Main: &file})
	return c, stats.Count(c, stats.ListPrices())
}

// rows describes the rows of a kind: name, detail, count, failed.
func rows(s Session, kind Kind) []string {
	var all []string
	for _, r := range s.Rows {
		if r.Kind == kind {
			words := strings.TrimSpace(fmt.Sprintf("%s %s", r.Name, r.Detail))
			all = append(all, fmt.Sprintf("%s %d/%d", words, r.Failed, r.Count))
		}
	}
	return all
}

const blocked = "PreToolUse:Bash hook error: no"

const declined = "The user doesn't want to proceed with this tool use. The tool use was rejected"

// TestOf has a case for each rule of docs/insights.md.
func TestOf(t *testing.T) {
	read := func(name string) string { return fmt.Sprintf(`{"file_path":"/w/%s"}`, name) }
	edit := `{"file_path":"/w/a.go","old_string":"a","new_string":"b"}`
	for _, c := range []struct {
		name  string
		write func(*script)
		kind  Kind
		want  []string
	}{
		{"tools", func(s *script) { s.bash("ls", false); s.bash("ls x", true); s.call("Read", read("a"), "x", false) },
			Tool, []string{"Bash 1/2", "Read 0/1"}},
		{"commands count by what decides the exit code", func(s *script) {
			s.bash("cd x && go test ./... | tail -3", true)
			s.bash("go vet ./...; git status", false)
		}, Command, []string{"git status 0/1", "go test 1/1"}},
		{"calls that a hook stopped fail", func(s *script) {
			s.call("Bash", `{"command":"go test"}`, blocked, true)
		}, Tool, []string{"Bash 1/1"}},
		{"commands that a hook stopped fail", func(s *script) {
			s.call("Bash", `{"command":"go test"}`, blocked, true)
		}, Command, []string{"go test 1/1"}},
		{"commands of scripts: their ends are unknown", func(s *script) {
			s.call("exec", `"tools.exec_command({cmd:\"go test\"}); tools.exec_command({cmd:\"go vet\"})"`, "x", true)
		}, Command, []string{"go test 0/1", "go vet 0/1"}},
		{"commands end with the last call that waits for them", func(s *script) {
			s.started("go test", "7")
			s.call("write_stdin", `{"session_id":7}`, "Exit code 1", true)
		}, Command, []string{"go test 1/1"}},
		{"a command without an end mends nothing", func(s *script) {
			s.call("exec_command", `{"cmd":"go test"}`, "Exit code 1", true)
			s.started("go test", "7")
		}, Mended, []string{"go test not within 40 calls 0/1"}},
		{"mended by a change", func(s *script) {
			s.bash("go test", true)
			s.call("Edit", edit, "done", false)
			s.bash("go test", false)
		}, Mended, []string{"go test after a change of files 0/1"}},
		{"mended by the same again", func(s *script) { s.bash("curl x", true); s.bash("curl x", false) },
			Mended, []string{"curl by the same command again 0/1"}},
		{"mended by other words", func(s *script) { s.bash("curl x", true); s.bash("curl -L x", false) },
			Mended, []string{"curl by other words of the command 0/1"}},
		{"not mended", func(s *script) { s.bash("curl x", true); s.bash("wget x", false) },
			Mended, []string{"curl not within 40 calls 0/1"}},
		{"mended too late", func(s *script) {
			s.bash("curl x", true)
			for range maxCallsBefore {
				s.call("Read", read("a.go"), "x", false)
			}
			s.bash("curl x", false)
		}, Mended, []string{"curl not within 40 calls 0/1"}},
		{"a loop", func(s *script) {
			for range 3 {
				s.bash("ls", false)
			}
			s.bash("ls x", false)
		}, Loop, []string{"Bash ls 0/3"}},
		{"two loops of a call", func(s *script) {
			for range 2 {
				for range 3 {
					s.bash("ls", false)
				}
				s.bash("ls x", false)
			}
		}, Loop, []string{"Bash ls 0/6"}},
		{"not a loop: another result", func(s *script) {
			s.bash("ls", false)
			s.call("Bash", `{"command":"ls"}`, "other", false)
			s.bash("ls", false)
		}, Loop, nil},
		{"not a loop: another tool", func(s *script) {
			s.bash("ls", false)
			s.call("Shell", `{"command":"ls"}`, "fine", false)
			s.bash("ls", false)
		}, Loop, nil},
		{"read again", func(s *script) {
			for range 3 {
				s.call("Read", read("a.go"), "x", false)
			}
		}, ReadAgain, []string{"a.go 0/3"}},
		{"a change between", func(s *script) {
			s.call("Read", read("a.go"), "x", false)
			s.call("Read", read("a.go"), "x", false)
			s.call("Edit", edit, "done", false)
			s.call("Read", read("a.go"), "x", false)
		}, ReadAgain, nil},
		{"a search in between is not a change, a patch is", func(s *script) {
			for _, name := range []string{"a.go", "b.go"} {
				s.call("Read", read(name), "x", false)
				s.call("Read", read(name), "x", false)
			}
			s.call("Grep", `{"pattern":"x","path":"/w/a.go"}`, "x", false)
			s.call("apply_patch", `{"input":"*** Begin Patch\n*** Update File: b.go\n@@\n-x\n+y\n*** End Patch"}`, "ok",
				false)
			s.call("Read", read("a.go"), "x", false)
			s.call("Read", read("b.go"), "y", false)
		}, ReadAgain, []string{"a.go 0/3"}},
		{"names that begin with a dot", func(s *script) {
			s.call("Read", read(".env"), "x", false)
			s.call("Read", read("b.go"), "x", false)
			s.says("See .env and ...b.go.")
		}, Unused, nil},
		{"not named again", func(s *script) {
			s.call("Read", read("a.go"), "x", false)
			s.call("Read", read("b.go"), "x", false)
			s.call("Read", read("c.go"), "x", false)
			s.says("The bug is in `b.go`.")
			s.bash("wc /w/c.go", false)
			s.call("Read", read("d.go"), "x", false)
			s.record("assistant", `"id":"m","content":[{"type":"thinking","thinking":"It is in d.go."}]`, "")
		}, Unused, []string{"a.go 0/1"}},
		{"named again, on Windows", func(s *script) {
			s.call("Read", `{"file_path":"C:\\w\\a.go"}`, "x", false)
			s.call("Read", `{"file_path":"C:\\w\\b.go"}`, "x", false)
			s.says("The bug is in w\\b.go.")
		}, Unused, []string{`C:\w\a.go 0/1`}},
		{"interrupted and corrected", func(s *script) {
			s.prompt("[Request interrupted by user]")
			s.prompt("no, the other one")
			s.says("Yes.")
			s.prompt("thanks")
		}, Correction, []string{"prompts 0/1"}},
		{"declined and corrected", func(s *script) {
			s.call("Bash", `{"command":"rm"}`, declined, true)
			s.bash("ls", false)
			s.prompt("no, the other one")
			s.prompt("thanks")
		}, Correction, []string{"prompts 0/1"}},
		{"interruptions", func(s *script) { s.prompt("[Request interrupted by user]") },
			Interruption, []string{"by a person 0/1"}},
		{"declined", func(s *script) {
			s.call("Bash", `{"command":"rm"}`, declined, true)
		}, Denied, []string{"Bash by a person 0/1"}},
		{"nobody to ask", func(s *script) {
			s.call("Bash", `{"command":"rm"}`, "This command requires approval", true)
		}, Denied, []string{"Bash nobody was there to ask 0/1"}},
		{"servers", func(s *script) { s.call("mcp__tide__level", `{}`, "3 m", false) }, Server, []string{"tide 0/1"}},
		{"skills", func(s *script) { s.call("Skill", `{"skill":"commit"}`, "ok", false) },
			Skill, []string{"commit 0/1"}},
		{"hours", func(*script) {}, Hour, []string{"10 0/1"}},
		{"activity", func(s *script) { s.bash("ls", true) }, Activity, []string{"2026-03-02 1/1"}},
		{"hooks that say how long they ran", func(s *script) {
			s.lines = append(s.lines, `{"type":"system","subtype":"stop_hook_summary","uuid":"h","sessionId":"s",`+
				`"timestamp":"2026-03-02T10:30:00Z","hookInfos":[{"command":"lint","durationMs":1500}],`+
				`"preventedContinuation":true}`)
		}, Hook, []string{"lint 1/1"}},
		{"hooks, once if a summary has them too", func(s *script) {
			for _, hook := range []string{
				`"type":"hook_success","toolUseID":"t1","command":"fmt"`,
				`"type":"hook_blocking_error","toolUseID":"t1","blockingError":{"blockingError":"no","command":"guard"}`,
				`"type":"hook_additional_context","toolUseID":"t1","hookName":"Stop","content":["more output"]`,
				`"type":"hook_success","toolUseID":"stop","command":"lint"`,
				`"type":"hook_non_blocking_error","toolUseID":"t1","command":"vet"`,
				`"type":"hook_cancelled","toolUseID":"t1","command":"slow"`,
			} {
				s.lines = append(s.lines, fmt.Sprintf(`{"type":"attachment","uuid":"a%d","sessionId":"s","timestamp":`+
					`"2026-03-02T10:30:00Z","attachment":{"hookEvent":"Stop",%s}}`, len(s.lines), hook))
			}
			s.lines = append(s.lines, `{"type":"system","subtype":"stop_hook_summary","uuid":"h","sessionId":"s",`+
				`"timestamp":"2026-03-02T10:30:00Z","toolUseID":"stop","hookInfos":[{"command":"lint"}]}`)
		}, Hook, []string{"fmt 0/1", "guard 1/1", "lint 0/1", "slow 0/1", "vet 0/1"}},
		{"sessions by their context", func(s *script) { s.says("a"); s.says("b") }, Context, []string{"below 25k 0/1"}},
		{"requests by their number", func(s *script) {
			for range 12 {
				s.says("a")
			}
		}, ContextAt, []string{"1 0/1", "10 0/1"}},
		{"growing contexts", func(s *script) { s.says("a"); s.says("b"); s.says("c") },
			ContextAdded, []string{"a request 0/2"}},
		{"compactions", func(s *script) {
			s.lines = append(s.lines, `{"type":"system","subtype":"compact_boundary","uuid":"k","sessionId":"s",`+
				`"timestamp":"2026-03-02T10:30:00Z","compactMetadata":{"trigger":"auto","preTokens":160000}}`)
		}, Compaction, []string{"auto 0/1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := new(script)
			s.prompt("Do it")
			c.write(s)
			if got := rows(Of(s.build(t)), c.kind); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTime: the time between two records is assigned by the writer of the second. A person writes the results of
// questions, plans and declined calls. The time before a prompt is none of work.
func TestTime(t *testing.T) {
	s := new(script) // each record is one second after the previous one
	s.prompt("one")
	s.says("two")
	s.bash("ls", false)
	s.call("ExitPlanMode", `{"plan":"p"}`, "User has approved your plan.", false)
	s.call("AskUserQuestion", `{"questions":[]}`, "Yes", false)
	s.call("Bash", `{"command":"rm"}`, declined, true)
	s.prompt("three")
	got := make(map[string]float64)
	for _, r := range Of(s.build(t)).Rows {
		if r.Kind == TimeSpent || r.Kind == Activity {
			got[r.Name] = r.Time.Seconds()
		}
	}
	want := map[string]float64{OnModel: 5, OnTools: 1, OnPerson: 4, "2026-03-02": 9}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLimit: rows over the limit are summed up, so that no count is lost.
func TestLimit(t *testing.T) {
	s := new(script)
	s.prompt("Do it")
	for i := range 3 * most {
		s.call(fmt.Sprint("Tool", i), `{}`, "x", i%2 == 0)
	}
	s.call("Zoom", `{}`, "x", false)
	s.call("Zoom", `{}`, "x", false)
	got := Of(s.build(t))
	n, calls, failed := 0, 0, 0
	for _, r := range got.Rows {
		if r.Kind == Tool && r.Name != "Zoom" {
			n, calls, failed = n+1, calls+r.Count, failed+r.Failed
		}
	}
	if !slices.ContainsFunc(got.Rows, func(r Row) bool { return r.Name == "Zoom" && r.Count == 2 }) {
		t.Error("the tool with the most calls has no row")
	}
	if n != most || calls != 3*most || failed != 3*most/2 {
		t.Errorf("got %d rows, %d calls, %d failed", n, calls, failed)
	}
}

// TestTotal adds up sessions, and keeps the places of failures.
func TestTotal(t *testing.T) {
	var total Total
	for i := range 10 {
		row := Row{Kind: Tool, Name: "Bash", Count: 2, Failed: i / 9, Place: fmt.Sprint("p", i)}
		total.Add(i, &Session{Rows: []Row{row}})
	}
	all := total.Of(Tool)
	if len(all) != 1 || all[0].Count != 20 || all[0].Failed != 1 || all[0].Sessions != 10 {
		t.Fatalf("got %+v", all)
	}
	places := all[0].Examples(MaxPlaces)
	if len(places) != MaxPlaces {
		t.Errorf("got %d places, want the maximum", len(places))
	}
	if !slices.ContainsFunc(places, func(p Place) bool { return p.Session == 9 && p.Failed }) {
		t.Errorf("the places lack the failure: %+v", places)
	}
	total.Add(10, &Session{Rows: []Row{{Kind: Activity, Name: "2026-01-02"}}})
	if on := total.OnDay["2026-01-02"]; !slices.Equal(on, []int32{10}) {
		t.Errorf("a day with calls has the sessions %v, want 10", on)
	}
}

// TestAddSum: totals of some sessions each add up to the same in any order as the total of all.
func TestAddSum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var want Total
		var parts [3]Total
		for i := range random.IntN(60) {
			s := &Session{Days: []stats.Day{{Date: fmt.Sprint("2026-01-0", 1+i%3), Models: []stats.Model{
				{Name: fmt.Sprint("model-", random.IntN(3)), Usage: transcript.Usage{Output: 5}}}}}}
			for name := range 3 {
				if random.IntN(2) == 0 {
					s.Rows = append(s.Rows, Row{Kind: Kind(random.IntN(2)), Name: fmt.Sprint(name), Count: 1 + i,
						Failed: max(0, random.IntN(5)-3), Tokens: 3, Time: 4, Place: fmt.Sprint("#", i, name)})
				}
			}
			want.Add(i, s)
			parts[random.IntN(len(parts))].Add(i, s)
		}
		var got Total
		for _, at := range random.Perm(len(parts)) {
			part := &parts[at]
			got.Sessions += part.Sessions
			got.Days = stats.AddDays(got.Days, part.Days)
			for _, s := range part.All() {
				got.AddSum(s)
			}
		}
		if got.Sessions != want.Sessions || !reflect.DeepEqual(got.Days, want.Days) ||
			!reflect.DeepEqual(got.All(), want.All()) {
			t.Fatalf("parts add up to %+v\nwant %+v", got, want)
		}
	}
}

// TestExamples: failures replace the first examples that did not fail, in order.
func TestExamples(t *testing.T) {
	for sessions, want := range map[string]string{ // those that failed in upper case
		"ab": "ab", "abcdefg": "abcde", "AbCdefgh": "AbCde", "abcdefGhI": "GIcde", "aBcdefGhIjKLMN": "GBIKL",
		"ABCDEFGH": "ABCDE", "": "",
	} {
		var total Total
		for i, c := range sessions {
			row := Row{Kind: Tool, Name: "Bash", Count: 1, Place: string(c)}
			if unicode.IsUpper(c) {
				row.Failed = 1
			}
			total.Add(i, &Session{Rows: []Row{row}})
		}
		got := ""
		for _, s := range total.Of(Tool) {
			for _, p := range s.Examples(MaxPlaces) {
				got += p.At
			}
		}
		if got != want {
			t.Errorf("%s: got the examples %s, want %s", sessions, got, want)
		}
	}
}

// TestTop: the sums with the highest counts are first, and the one of all others is last.
func TestTop(t *testing.T) {
	var total Total
	total.Add(0, &Session{Rows: []Row{
		{Kind: Tool, Name: "", Count: 9, Time: 4}, {Kind: Loop, Name: "L"},
		{Kind: Tool, Name: "A", Count: 1, Failed: 1}, {Kind: Tool, Name: "B", Count: 2, Tokens: 5},
		{Kind: Tool, Name: "C", Count: 2}, {Kind: Tool, Name: "D", Count: 3},
	}})
	names := func(all []*Sum) string {
		var b strings.Builder
		for _, s := range all {
			b.WriteString(s.Name + ".")
		}
		return b.String()
	}
	if got := names(total.Of(Tool)); got != "D.B.C.A.." {
		t.Errorf("Of() = %s", got)
	}
	if top, of := total.Top(Tool, 3, nil, nil); names(top) != "D.B.C." || of != 5 {
		t.Errorf("the top 3 are %s of %d", names(top), of)
	}
	keep := func(s *Sum) bool { return s.Name != "D" }
	byName := func(a, b *Sum) int { return strings.Compare(b.Name, a.Name) }
	if top, of := total.Top(Tool, 2, keep, byName); names(top) != "C.B." || of != 4 {
		t.Errorf("the top 2 without D by name are %s of %d", names(top), of)
	}
	if got, want := total.Sum(Tool), (Row{Kind: Tool, Count: 17, Failed: 1, Tokens: 5, Time: 4}); got != want {
		t.Errorf("Sum() = %+v, want %+v", got, want)
	}
}

func TestMention(t *testing.T) {
	for _, test := range []struct {
		path, text string
		want       bool
	}{
		{"/src/main.go", "it is in main.go.", true},
		{"/src/main.go", "see ../src/main.go: line 3", true},
		{"/src/main.go", `{"path":"/src/main.go"}`, true},
		{"/src/main.go", "main.got, amain.go, Main.go", false},
		{"/src/main.go", "main.go/other", false},
		{`C:\src\main.go`, `C:\src\main.go`, true},
		{"/src/.env", "the file .env", true},
		{"/src/tides.go", "...tides.go", true},
		{"/src/tides.go", ".../tides.go", true},
		{"/src/.env", "the file src/.env...", true},
		{"/src/größe.txt", "größe.txt!", true},
		{"/src/größe.txt", "große.txt", false},
		{"/src/", "src/", true},
		{"/src/", "src", false},
	} {
		f := &fileRead{path: test.path}
		names := readNames{files: make(map[string][]*fileRead)}
		names.add(f)
		if mention(&names, test.text, false); f.used != test.want {
			t.Errorf("%q mentions %s: got %v, want %v", test.text, test.path, f.used, test.want)
		}
	}
}
