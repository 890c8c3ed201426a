package render

import (
	"errors"
	"html/template"
	"io"
	"strings"
	"testing"

	"viewer/internal/program"
	"viewer/render/page"
)

// TestTemplatesAreFast: templates of frequent records are compiled by package program. html/template takes ten times as
// long, so only rare ones may be left to it.
func TestTemplatesAreFast(t *testing.T) {
	hot, set := map[string]bool{}, program.New(page.Text)
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
			t.Errorf("%s\nsee program/compile.go for what it supports", why)
		} else {
			t.Logf("executed by html/template: %s", why)
		}
	}
}

// TestTemplatesEndInText: each template ends in the text of an element. Otherwise html/template has to execute the
// templates that call it.
func TestTemplatesEndInText(t *testing.T) {
	for _, one := range page.Templates().Templates() {
		if one.Tree == nil {
			continue
		}
		var refused *template.Error
		if err := one.Execute(io.Discard, nil); errors.As(err, &refused) {
			t.Error(err)
		}
	}
}
