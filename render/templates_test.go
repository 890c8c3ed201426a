package render

import (
	"strings"
	"testing"

	"viewer/internal/program"
	"viewer/render/page"
)

// TestTemplatesAreFast: what is drawn for nearly every record is not left to
// html/template, which takes ten times as long. Others may be.
func TestTemplatesAreFast(t *testing.T) {
	hot, set := map[string]bool{}, program.New(page.Templates())
	for _, c := range []struct {
		name string
		view any
	}{
		{"partial/call", callView{}}, {"partial/turn", turnView{}}, {"partial/line", lineView{}},
		{"partial/prompt", promptView{}}, {"partial/hook", hookView{}},
		{"partial/thinking", thinkingView{}}, {"partial/prose", proseView{}}, {"page/session", sessionView{}},
		{"partial/sections", []sectionView{}}, {"tool/bash", bash{}}, {"partial/outline", outlineView{}},
	} {
		hot[c.name] = true
		if _, err := set.Execute(c.name, c.view); err != nil {
			t.Error(err)
		}
	}
	for _, why := range set.Unknown() {
		name, _, _ := strings.Cut(why, ": ")
		if hot[name] {
			t.Errorf("%s\nprogram/compile.go says what is known", why)
		} else {
			t.Logf("left to html/template: %s", why)
		}
	}
}
