package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFindInFolds searches for words of a call on a separate page. A word in the row and in the body is one hit, for
// which the call is opened, at a level that shows it. The previous level comes back when the search is closed.
func TestFindInFolds(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "folds", "-home-ada-pump")
	if err := os.MkdirAll(from, 0o755); err != nil {
		t.Fatal(err)
	}
	const id = "00000000-2222-4000-8000-000000000000"
	const record = `"sessionId":"` + id + `","cwd":"/home/ada/pump","timestamp":"2026-05-01T10:00:0%dZ",`
	command := "grep -n zanzibar pump.go && " + strings.Repeat("true && ", 60) + "echo quagga"
	text := fmt.Sprintf(`{"type":"user","uuid":"u1",`+record+`"message":{"role":"user","content":"Look at the pump"}}`,
		0) + "\n" +
		fmt.Sprintf(`{"type":"assistant","uuid":"a1",`+record+`"message":{"id":"m1","role":"assistant","model":"claude-haiku-4-5",
"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":%q}}]}}`, 1, command)
	text = strings.ReplaceAll(text, ",\n", ",") + "\n" +
		fmt.Sprintf(`{"type":"user","uuid":"u2",`+record+
			`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"the okapi"}]}}`, 2) + "\n"
	if err := os.WriteFile(filepath.Join(from, id+".jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := build("foldsite", filepath.Dir(from))
	if err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	page := "s/" + id + "/index.html"
	tb.load(t, page)
	tb.press(t, "1") // the lowest level
	const level = `document.querySelector(".levels :checked").id`
	was := eval[string](t, tb, level)
	for _, word := range []string{"zanzibar", "quagga", "okapi"} {
		tb.press(t, "/")
		eval[chromedp.Void](t, tb, `document.querySelector(".find input").value = ""`)
		tb.press(t, word)
		tb.await(t, said+fmt.Sprintf(` === "1 of 1" && [...CSS.highlights.get("found-now")].join() === %q`, word),
			"one hit for "+word)
		report(t, word, checkHit(t, tb, word))
		if got := eval[string](t, tb, level); got == was {
			t.Errorf("%s: the level of a call is still %s", word, got)
		}
		tb.press(t, kb.Escape)
		if got := eval[string](t, tb, level); got != was {
			t.Errorf("%s: after the search the level is %s, want %s", word, got, was)
		}
	}
	report(t, page, tb.takeFindings())
}
