package sitegen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/corpusgen"
)

// floods are sessions that are made to freeze or to fill: each grows with n,
// in bytes. What is drawn of them is linear in that, as of ordinary text.
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
		return answer("|" + strings.Repeat("a|", n/8) + "\n|" + strings.Repeat("-|", n/8) + "\n" + strings.Repeat("|"+strings.Repeat("b|", 50)+"\n", n/200))
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
		return call(`{"a":` + strings.Repeat("[", min(n/2, 9000)) + strings.Repeat("]", min(n/2, 9000)) + `,"b":"` + strings.Repeat("x", n) + `"}`)
	}},
	{"wide JSON", func(n int) []byte { return call("{" + strings.Repeat(`"a":1,`, n/6) + `"b":2}`) }},
	{"a large diff", func(n int) []byte {
		return replaced(strings.Repeat(`same\nold\n`, n/20), strings.Repeat(`new\nsame\n`, n/20))
	}},
	{"many records", func(n int) []byte { return repeat(n, `{"type":"x"}`+"\n") }},
	{"many broken lines", func(n int) []byte { return repeat(n, "{\"\n") }},
	{"one torn line of records", func(n int) []byte { return repeat(n, `{"type":"user","uuid":"a`) }},
	{"many calls in one turn", calls},
	{"many results of one call", func(n int) []byte {
		return append(call(`{"command":"x"}`), repeat(n, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"again"}]}}`+"\n")...)
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
	{"pictures larger than they are", func(n int) []byte { return bytes.Repeat(picture(), max(1, n/len(picture()))) }},
}

func quoted(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) }

func prompt(s string) []byte {
	return []byte(`{"type":"user","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":"` + quoted(s) + `"}}` + "\n")
}

func answer(s string) []byte {
	return append(prompt("Go"), `{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"`+quoted(s)+`"}]}}`+"\n"...)
}

func call(input string) []byte {
	return append(prompt("Go"), `{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":`+input+`}]}}`+"\n"...)
}

// printed takes text that is quoted already.
func printed(s string) []byte {
	return append(call(`{"command":"x"}`), `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"`+s+`"}]}}`+"\n"...)
}

func replaced(old, text string) []byte {
	return bytes.ReplaceAll(call(`{"file_path":"/a.go","old_string":"`+old+`","new_string":"`+text+`"}`), []byte(`"Bash"`), []byte(`"Edit"`))
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

// repeat writes lines, with their number where they ask for it.
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

// picture says that it is 10,000 pixels wide and high, which it is not.
func picture() []byte {
	data := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x27\x10\x00\x00\x27\x10\x08\x06\x00\x00\x00")
	return []byte(`{"type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString(data) + `"}}]}}` + "\n")
}

// TestFloods builds each of them: nothing is lost, and no page is too large to
// be opened.
func TestFloods(t *testing.T) {
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			flood(t, f.make(200_000))
		})
	}
}

// TestFloodsTorture measures them at two sizes: the time for twice as much, and
// the time against ordinary text.
func TestFloodsTorture(t *testing.T) {
	if os.Getenv("VIEWER_TORTURE") == "" {
		t.Skip("make torture")
	}
	const size = 4_000_000
	var ordinary time.Duration
	for _, f := range floods {
		once, twice := flood(t, f.make(size)), flood(t, f.make(2*size))
		if ordinary == 0 {
			ordinary = twice
		}
		t.Logf("%-30s %8v %8v  twice as much takes %4.1f times as long, %4.1f times that of ordinary text",
			f.name, once.Round(time.Millisecond), twice.Round(time.Millisecond), twice.Seconds()/once.Seconds(), twice.Seconds()/ordinary.Seconds())
	}
}

func flood(t *testing.T, data []byte) time.Duration {
	t.Helper()
	source, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(source, "-w", "11111111-2222-4333-8444-555555555555.jsonl"), data)
	start := time.Now()
	r := mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test"})
	took := time.Since(start)
	if !r.Ledger.Balanced() {
		t.Errorf("the ledger does not balance: %+v", r.Ledger)
	}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > 600<<10 {
			t.Errorf("%s has %d KB", strings.TrimPrefix(path, out), info.Size()>>10)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return took
}
