package sitegen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/corpusgen"
)

// floods are sessions that could take very long or produce very large pages. Each grows with n, its size in bytes. The
// cost of drawing them must be linear in n, as for ordinary text.
var floods = []struct {
	name string
	make func(n int) []byte
}{
	{"ordinary", func(n int) []byte { return corpusgen.Session(3, n) }},
	{"one huge line", func(n int) []byte { return prompt(strings.Repeat("word ", n/5)) }},
	{"one huge word", func(n int) []byte { return answer(strings.Repeat("w", n)) }},
	{"nested quotes", func(n int) []byte { return answer(strings.Repeat(">", n)) }},
	{"nested lists", func(n int) []byte { return answer(nested(n, "- ")) }},
	{"open brackets", func(n int) []byte { return answer(strings.Repeat("[", n)) }},
	{"links without end", func(n int) []byte { return answer(strings.Repeat("[a](", n/4)) }},
	{"stars", func(n int) []byte { return answer(strings.Repeat("*a_", n/3)) }},
	{"backticks", func(n int) []byte { return answer(ticks(n)) }},
	{"angle brackets", func(n int) []byte { return answer(strings.Repeat("<a href='", n/9)) }},
	{"table", func(n int) []byte {
		return answer("|" + strings.Repeat("a|", n/8) + "\n|" + strings.Repeat("-|", n/8) + "\n" +
			strings.Repeat("|"+strings.Repeat("b|", 50)+"\n", n/200))
	}},
	{"entities", func(n int) []byte { return answer(strings.Repeat("&#60;", n/5)) }},
	{"references", func(n int) []byte { return answer(strings.Repeat("[a]: b\n", n/14) + strings.Repeat("[a]", n/6)) }},
	{"footnotes", func(n int) []byte {
		return answer(strings.Repeat("[^a]", n/8) + "\n\n[^a]: " + strings.Repeat("[^a]", n/8))
	}},
	{"fences", func(n int) []byte { return answer(strings.Repeat("```\n", n/4)) }},
	{"escapes of a terminal", func(n int) []byte { return printed(strings.Repeat(`\u001b[1;38;5;12m`, n/17)) }},
	{"progress of a terminal", func(n int) []byte { return printed(strings.Repeat(`50%\r`, n/5)) }},
	{"code: a trap for expressions", func(n int) []byte {
		return answer("```perl\n" + strings.Repeat("a", n/2) + strings.Repeat("$x =~ s{", n/16) + "\n```")
	}},
	{"code: open strings", func(n int) []byte { return answer("```js\n" + strings.Repeat("`${", n/3) + "\n```") }},
	{"deep JSON", func(n int) []byte {
		return call(`{"a":` + strings.Repeat("[", min(n/2, 9000)) + strings.Repeat("]", min(n/2, 9000)) + `,"b":"` +
			strings.Repeat("x", n) + `"}`)
	}},
	{"many deep values", func(n int) []byte {
		deep := strings.Repeat("[", 9000) + `"x y"` + strings.Repeat("]", 9000)
		return repeat(n, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Fetch","input":{"a":`+deep+`}}]}}`+"\n")
	}},
	{"many nested brackets", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"text","text":"`+
				strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`"}]}}`+"\n")
	}},
	{"wide JSON", func(n int) []byte { return call("{" + strings.Repeat(`"a":1,`, n/6) + `"b":2}`) }},
	{"a large diff", func(n int) []byte {
		return replaced(strings.Repeat(`same\nold\n`, n/20), strings.Repeat(`new\nsame\n`, n/20))
	}},
	{"many records", func(n int) []byte { return repeat(n, `{"type":"x"}`+"\n") }},
	{"many broken lines", func(n int) []byte { return repeat(n, "{\"\n") }},
	{"one incomplete line of records", func(n int) []byte { return repeat(n, `{"type":"user","uuid":"a`) }},
	{"many calls in one turn", calls},
	{"many results of one call", func(n int) []byte {
		return append(call(`{"command":"x"}`),
			repeat(n, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"again"}]}}`+"\n")...)
	}},
	{"prompts taken back", func(n int) []byte {
		return repeat(n, `{"type":"user","parentUuid":null,"uuid":"%08d-aaaa-4111-8111-111111111111","message":{"role":"user","content":"again"}}`+"\n")
	}},
	{"a circle", func(n int) []byte {
		return repeat(n, `{"type":"user","uuid":"00000001-aaaa-4111-8111-111111111111","parentUuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":"x"}}`+"\n")
	}},
	{"compactions", func(n int) []byte {
		return repeat(n, `{"type":"system","subtype":"compact_boundary","uuid":"%08d-aaaa-4111-8111-111111111111","logicalParentUuid":"none-%08[1]d"}`+"\n")
	}},
	{"secrets", func(n int) []byte { return prompt(strings.Repeat("token = "+secretToken+" ", n/50)) }},
	{"almost secrets", func(n int) []byte { return prompt(strings.Repeat("password= key: secret => token ", n/31)) }},
	{"a long thought", func(n int) []byte {
		return bytes.ReplaceAll(answer(strings.Repeat("A *word* of it.\\n", n/16)), []byte(`"type":"text","text"`),
			[]byte(`"type":"thinking","thinking"`))
	}},
	{"a long answer", func(n int) []byte { return answer(strings.Repeat("A *word* of it.\n\n", n/17)) }},
	{"a long summary", func(n int) []byte {
		return append(prompt("Go"),
			bytes.ReplaceAll(prompt(strings.Repeat("It was `said`.\n", n/15)), []byte(`"type":"user"`),
				[]byte(`"type":"user","isCompactSummary":true`))...)
	}},
	{"control characters", func(n int) []byte { return printed(strings.Repeat(`\u0001`, n/6)) }},
	{"characters that turn text around", func(n int) []byte { return prompt(strings.Repeat("\u202e", n/3)) }},
	{"many short floods", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"text","text":"`+
				strings.Repeat("[^a]", 300)+`\n\n[^a]: `+strings.Repeat("[^a]", 300)+`"}]}}`+"\n")
	}},
	{"many prompts", func(n int) []byte {
		return repeat(n, `{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"role":"user","content":"Go on"}}`+"\n")
	}},
	{"many commands", func(n int) []byte {
		return repeat(n, `{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"role":"user","content":"<command-name>/clear</command-name>"}}`+"\n")
	}},
	{"many kinds of records", func(n int) []byte {
		return repeat(n, `{"type":"x%d","uuid":"%08[1]d-aaaa-4111-8111-111111111111"}`+"\n")
	}},
	{"many models", func(n int) []byte {
		return repeat(n, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","model":"model-%[1]d","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":5,"output_tokens":7}}}`+"\n")
	}},
	{"many branches", func(n int) []byte {
		return repeat(n, `{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","gitBranch":"b%[1]d","message":{"role":"user","content":"Go on"}}`+"\n")
	}},
	{"many files", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Write","input":{"file_path":"/f%[1]d","content":"x"}}]}}`+"\n"+
				`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%[1]d","content":"ok"}]}}`+"\n")
	}},
	{"many hooks of one call", func(n int) []byte {
		return append(call(`{"command":"x"}`),
			repeat(n, `{"type":"attachment","uuid":"%08d-aaaa-4111-8111-111111111111","attachment":{"type":"hook_success","hookEvent":"PreToolUse","hookName":"PreToolUse:Bash","toolUseID":"toolu_1","content":"said"}}`+"\n")...)
	}},
	{"many hooks of none", func(n int) []byte {
		return repeat(n, `{"type":"attachment","uuid":"%08d-aaaa-4111-8111-111111111111","attachment":{"type":"hook_success","hookEvent":"Stop","hookName":"Stop","toolUseID":"","content":"said"}}`+"\n")
	}},
	{"things to do", func(n int) []byte {
		return bytes.ReplaceAll(call(`{"todos":[`+strings.Repeat(`{"content":"do it","status":"pending"},`, n/40)+
			`{"content":"do it","status":"pending"}]}`), []byte(`"Bash"`), []byte(`"TodoWrite"`))
	}},
	{"many questions", func(n int) []byte {
		option := `{"label":"yes","description":"or no"}`
		return bytes.ReplaceAll(
			call(`{"questions":[{"question":"Which?","options":[`+strings.Repeat(option+",", n/80)+option+`]}`+
				strings.Repeat(`,{"question":"Why?","options":[]}`, n/70)+`]}`), []byte(`"Bash"`),
			[]byte(`"AskUserQuestion"`))
	}},
	{"tasks", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"TaskCreate","input":{"subject":"do %[1]d","description":"it"}}]}}`+"\n"+
				`{"type":"user","toolUseResult":{"task":{"id":"%[1]d"}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%[1]d","content":"ok"}]}}`+"\n")
	}},
	{"parallel calls with long results", func(n int) []byte {
		b := prompt("Go")
		size := min(60_000, n/20)
		for i := range n / size {
			b = fmt.Appendf(b, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Bash","input":{"command":"x"}}]}}`+"\n", i)
		}
		for i := range n / size {
			b = fmt.Appendf(b,
				`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]}}`+"\n",
				i, strings.Repeat(`<p>\n`, size/5))
		}
		return b
	}},
	{"many parts of one answer", func(n int) []byte {
		return []byte(strings.Replace(string(answer("x")), `{"type":"text","text":"x"}`,
			strings.Repeat(`{"type":"text","text":"y"},`, n/26)+`{"type":"text","text":"x"}`, 1))
	}},
	{"many parts of one prompt", func(n int) []byte {
		return []byte(strings.Replace(string(prompt("x")), `"x"`,
			`[`+strings.Repeat(`{"type":"text","text":"y"},`, n/26)+`{"type":"text","text":"x"}]`, 1))
	}},
	{"many failures in one record", func(n int) []byte {
		return []byte(strings.Replace(string(answer("x")), `{"type":"text","text":"x"}]}`,
			strings.Repeat(`{"type":"text","text":"API Error: 529"},`, n/40)+
				`{"type":"text","text":"x"}]},"isApiErrorMessage":true`, 1))
	}},
	{"many interruptions in one record", func(n int) []byte {
		return []byte(strings.Replace(string(prompt("x")), `"x"`,
			`[`+strings.Repeat(`{"type":"text","text":"[Request interrupted by user]"},`, n/57)+
				`{"type":"text","text":"x"}]`, 1))
	}},
	{"many calls and results in two records", func(n int) []byte {
		use, result := `{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls"}}`,
			`{"type":"tool_result","tool_use_id":"t%d","content":"ok"}`
		var uses, results []string
		for i := range n / 200 {
			uses, results = append(uses, fmt.Sprintf(use, i)), append(results, fmt.Sprintf(result, i))
		}
		return fmt.Appendf(prompt("Go"), `{"type":"assistant","message":{"id":"m","role":"assistant","content":[%s]}}`+
			"\n"+
			`{"type":"user","toolUseResult":{"stdout":"%s"},"message":{"role":"user","content":[%s]}}`+"\n",
			strings.Join(uses, ","), strings.Repeat(`line\n`, n/20), strings.Join(results, ","))
	}},
	{"many pictures in one prompt", func(n int) []byte {
		picture := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}`
		return []byte(strings.Replace(string(prompt("x")), `"x"`, `[`+strings.Repeat(picture+",", n/len(picture))+
			picture+`]`, 1))
	}},
	{"many reminders in one prompt", func(n int) []byte {
		return prompt(strings.Repeat("<system-reminder>The same</system-reminder>", n/43) + "Go")
	}},
	{"many messages of a team", func(n int) []byte {
		return prompt(strings.Repeat(`<teammate-message teammate_id="a">Hello</teammate-message>`, n/57))
	}},
	{"many reports", func(n int) []byte {
		return prompt(strings.Repeat("<task-notification><task-id>a</task-id><summary>Done</summary><result>All</result></task-notification>", n/100))
	}},
	{"a long path", func(n int) []byte {
		return bytes.ReplaceAll(call(`{"file_path":"`+strings.Repeat("/a", n/2)+`"}`), []byte(`"Bash"`),
			[]byte(`"Read"`))
	}},
	{"a long name of a tool", func(n int) []byte {
		return bytes.ReplaceAll(call(`{"a":1}`), []byte(`"Bash"`),
			[]byte(`"mcp__`+strings.Repeat("a", n/2)+"__"+strings.Repeat("b", n/2)+`"`))
	}},
	{"structured output", func(n int) []byte {
		return append(prompt("Go"),
			`{"type":"attachment","uuid":"00000002-aaaa-4111-8111-111111111111","attachment":{"type":"structured_output","data":[`+
				strings.Repeat(`{"a":[1,2,3]},`, n/14)+`1]}}`+"\n"...)
	}},
	{"wide record of an unknown kind", func(n int) []byte {
		return append(prompt("Go"), `{"type":"x","uuid":"00000002-aaaa-4111-8111-111111111111",`+
			strings.Repeat(`"a":{"b":"<&>"},`, n/16)+`"c":1}`+"\n"...)
	}},
	{"many agents", func(n int) []byte {
		return repeat(n, `{"type":"user","isSidechain":true,"agentId":"a%d","uuid":"%08[1]d-aaaa-4111-8111-111111111111","message":{"role":"user","content":"Go on with what comes then, do it, please, now"}}`+"\n")
	}},
	{"many tools", func(n int) []byte {
		return repeat(n, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Tool%[1]d","input":{"command":"ls -l"}}]}}`+"\n")
	}},
	{"many days", func(n int) []byte {
		return repeat(n, `{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","timestamp":"20%02[1]d-05-12T10:00:00Z","message":{"role":"user","content":"Go on with what comes then, do it, please, now"}}`+"\n")
	}},
	{"tiny prompts", func(n int) []byte { return repeat(n, `{"type":"user","message":{"content":"x"}}`+"\n") }},
	{"tiny answers", func(n int) []byte { return repeat(n, `{"type":"assistant","message":{"content":"x"}}`+"\n") }},
	{"tiny calls", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"%d","name":"X","input":{}}]}}`+"\n"+
				`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"%[1]d","content":""}]}}`+"\n")
	}},
	{"tiny hooks", func(n int) []byte {
		return repeat(n, `{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"Stop"}}`+"\n")
	}},
	{"tiny system records", func(n int) []byte { return repeat(n, `{"type":"system","subtype":"x"}`+"\n") }},
	{"small records that all are read", func(n int) []byte {
		return repeat(n,
			`{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","model":"claude-opus-4-5","role":"assistant","content":[{"type":"text","text":"`+
				strings.Repeat("word ", 20)+`"}],"usage":{"input_tokens":5}}}`+"\n")
	}},
	{"pictures larger than they are", func(n int) []byte { return bytes.Repeat(picture(), max(1, n/len(picture()))) }},
}

func quoted(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) }

func prompt(s string) []byte {
	return []byte(`{"type":"user","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":"` +
		quoted(s) + `"}}` + "\n")
}

func answer(s string) []byte {
	return append(prompt("Go"),
		`{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"`+quoted(s)+`"}]}}`+"\n"...)
}

func call(input string) []byte {
	return append(prompt("Go"),
		`{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":`+input+`}]}}`+"\n"...)
}

// printed takes text that is already escaped for JSON.
func printed(s string) []byte {
	return append(call(`{"command":"x"}`),
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"`+s+`"}]}}`+"\n"...)
}

func replaced(old, text string) []byte {
	return bytes.ReplaceAll(call(`{"file_path":"/a.go","old_string":"`+old+`","new_string":"`+text+`"}`),
		[]byte(`"Bash"`), []byte(`"Edit"`))
}

func nested(n int, mark string) string {
	var b strings.Builder
	for depth := 0; b.Len() < n; depth++ {
		b.WriteString(strings.Repeat("  ", depth) + mark + "x\n")
	}
	return b.String()
}

func ticks(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

// repeat returns lines, with their number if they have a place for it.
func repeat(n int, line string) []byte {
	b := prompt("Go")
	for i := 0; len(b) < n; i++ {
		if strings.Contains(line, "%") {
			b = fmt.Appendf(b, line, i)
		} else {
			b = append(b, line...)
		}
	}
	return b
}

func calls(n int) []byte {
	b := prompt("Go")
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Read","input":{"file_path":"/a%d.go"}}]}}`+"\n", i, i, i, i)
		b = fmt.Appendf(b, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"one line"}]}}`+"\n", i)
	}
	return b
}

// picture returns a small picture whose header says that it is 10,000 pixels wide and high.
func picture() []byte {
	data := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x27\x10\x00\x00\x27\x10\x08\x06\x00\x00\x00")
	return []byte(
		`{"type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
			base64.StdEncoding.EncodeToString(data) + `"}}]}}` + "\n")
}

// TestFloods builds each of them: no record is lost, and no page is too large for browsers.
func TestFloods(t *testing.T) {
	size := 200_000
	if testing.Short() { // with the race detector each kind has to be drawn, however long it is
		size = 20_000
	}
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			flood(t, f.make(size))
		})
	}
}

func flood(t *testing.T, data []byte) {
	t.Helper()
	source, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(source, floodFile), data)
	r := mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test"})
	if !r.Ledger.Balanced() {
		t.Errorf("the ledger does not balance: %+v", r.Ledger)
	}
	checkPageSizes(t, out)
}

const floodFile = "-w/11111111-2222-4333-8444-555555555555.jsonl"
