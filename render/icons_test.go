package render

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/assets"
	"viewer/internal/tools"
	"viewer/render/page"
	"viewer/templates"
)

var (
	symbolID     = regexp.MustCompile(`<symbol id="i-([a-z]+)"`)
	symbolUse    = regexp.MustCompile(`#i-([a-z]+)"`)
	iconInSource = regexp.MustCompile(`(?:Icon[:=]? ?=? ?|Context[A-Z][a-z]+: +)"([a-z]+)"`)
)

// TestIcons compares the icons that pages use with those of the sheet. No other test would notice a missing one, and an
// unused one costs bytes on every page.
func TestIcons(t *testing.T) {
	used := map[string]string{}
	collect := func(where, text string, re *regexp.Regexp) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			used[m[1]] = where
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(sources, below...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		collect(name, string(text), iconInSource)
	}
	for _, name := range tools.Names() {
		used[tools.Of(name).Icon] = "tool " + name
	}
	used[tools.UnknownIcon] = "unknown tools"
	err = fs.WalkDir(templates.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.FS, name)
		collect(name, string(text), symbolUse)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for _, m := range symbolID.FindAllStringSubmatch(assets.Icons, -1) {
		drawn[m[1]] = true
		if used[m[1]] == "" {
			t.Errorf("icons.svg: i-%s is not used", m[1])
		}
	}
	for _, icon := range slices.Sorted(maps.Keys(used)) {
		if !drawn[icon] {
			t.Errorf("%s: icons.svg has no i-%s", used[icon], icon)
		}
	}
}

// TestUsedIcons: a page has the icons that it uses and no others, whatever a transcript contains about icons.
func TestUsedIcons(t *testing.T) {
	before, after := "<body>\n", "\n<main><svg><use href=\"#i-term\"/></svg> <a href=\"#i-nothing\">x</a> #i-key <use href=\"#i-file\"/> href=\"#i-"
	got := string(page.UsedIcons([]byte(before + assets.Icons + after)))
	var drawn []string
	for _, m := range symbolID.FindAllStringSubmatch(got, -1) {
		drawn = append(drawn, m[1])
	}
	if want := []string{"file", "term"}; !slices.Equal(drawn, want) {
		t.Errorf("the page has the icons %q, want %q", drawn, want)
	}
	if !strings.HasPrefix(got, before+assets.Icons[:strings.Index(assets.Icons, "<symbol")]) ||
		!strings.HasSuffix(got, "</symbol>\n</svg>\n"+after) {
		t.Errorf("more than icons was removed from\n%s", got)
	}
	if without := before + after; string(page.UsedIcons([]byte(without))) != without {
		t.Error("a page without icons was changed, want it as it was")
	}
	if got := string(page.UsedIcons([]byte(before + assets.Icons + "<main>"))); got != before+"<main>" {
		t.Errorf("a page that uses no icon is\n%s", got)
	}
}

// TestIconsOfRows: rows that pages load have no icons, because the pages may not have these icons.
func TestIconsOfRows(t *testing.T) {
	calls := regexp.MustCompile(`{{template "([^"]+)"`)
	read := map[string]bool{}
	var check func(name string)
	check = func(name string) {
		if read[name] {
			return
		}
		read[name] = true
		text, err := fs.ReadFile(templates.FS, name+".tmpl")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "#i-") {
			t.Errorf("%s has an icon", name)
		}
		for _, m := range calls.FindAllStringSubmatch(string(text), -1) {
			check(m[1])
		}
	}
	check("partial/sets")
	check("partial/matrixrows")
	if len(read) < 3 {
		t.Errorf("only %d templates were read", len(read))
	}
}
