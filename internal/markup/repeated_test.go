package markup

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// A text that is drawn again is drawn the same, whatever was drawn between, and also for other messages.
func TestRepeated(t *testing.T) {
	texts := []string{"short", strings.Repeat("*many* words\n", 10_000)}
	for i := range 200 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("- rule %d: `code`\n", i), 100))
	}
	noted := strings.Repeat("see\n\n", 300) + "this[^1]\n\n[^1]: note\n"
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, text := range append(texts, texts...) {
				if got, want := Excerpt(text, 100), excerptOf(text, 100); got != want {
					t.Errorf("the excerpt of %.20q is %s, want %s", text, got, want)
				}
				if got, want := Excerpt(text, 30), excerptOf(text, 30); got != want {
					t.Errorf("the short excerpt of %.20q is %s, want %s", text, got, want)
				}
				if got, want := Markdown(text, "a"), parsed(text, "a", false); got != want {
					t.Errorf("%.20q is\n%.200s, want\n%.200s", text, got, want)
				}
			}
			for _, anchor := range []string{"a", "b", "a"} {
				if got := string(Markdown(noted, anchor)); !strings.Contains(got, `id="`+anchor+`-fn1"`) {
					t.Errorf("no footnote of %s in %.200s", anchor, got)
				}
			}
		})
	}
	group.Wait()
}

// A text that comes a second time is not parsed again.
func TestRepeatedOnce(t *testing.T) {
	text := strings.Repeat("Follow **these** rules.\n\n", 400)
	Markdown(text, "")
	Markdown(text, "")
	if n := testing.AllocsPerRun(10, func() { Markdown(text, "") }); n > 2 {
		t.Errorf("%v allocations for a text that was drawn twice", n)
	}
}
