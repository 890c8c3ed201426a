package render

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"viewer/assets"
	"viewer/templates"
)

var (
	symbolID     = regexp.MustCompile(`<symbol id="i-([a-z]+)"`)
	symbolUse    = regexp.MustCompile(`#i-([a-z]+)"`)
	iconInSource = regexp.MustCompile(`(?:Icon[:=]? ?=? ?|Context[A-Z][a-z]+: |newAnyTool\(c, )"([a-z]+)"`)
)

// TestIcons compares the icons that pages use with those of the sheet: a missing one would be a hole in the
// page that no other test sees, a needless one bytes in every page.
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
	for _, name := range sources {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		collect(name, string(text), iconInSource)
	}
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
			t.Errorf("icons.svg: nothing uses i-%s", m[1])
		}
	}
	for _, icon := range slices.Sorted(maps.Keys(used)) {
		if !drawn[icon] {
			t.Errorf("%s: icons.svg has no i-%s", used[icon], icon)
		}
	}
}
