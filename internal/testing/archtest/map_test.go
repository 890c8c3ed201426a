package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const mapSize = 10 << 10 // bytes; a longer text is no overview

// TestMap checks that ARCHITECTURE.md names every package, and only packages and files that exist.
func TestMap(t *testing.T) {
	const root, name = "../../..", "ARCHITECTURE.md"
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > mapSize {
		t.Errorf("%s has %d bytes, over %d: describe mechanisms in the comments of their types",
			name, len(text), mapSize)
	}
	sources, err := parseModule(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
		named[m[1]] = true
	}
	packages, files := byFolder(sources), map[string]bool{}
	for folder, sources := range packages {
		row := named[strings.TrimPrefix(folder, "internal/")] || strings.HasPrefix(folder, "internal/testing/")
		if len(sources) > 0 && !row && !isSource(folder) {
			t.Errorf("%s has no row for package %s: say what it does and what it never does", name, folder)
		}
		for _, s := range sources {
			files[filepath.Base(s.path)] = true
		}
	}
	rows := regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|[^|]+\\|[^|]+\\|$")
	quoted := regexp.MustCompile("`([^`.]+)`")
	for _, m := range rows.FindAllStringSubmatch(string(text), -1) {
		for _, name := range quoted.FindAllStringSubmatch(m[1], -1) {
			if packages[name[1]] == nil && packages["internal/"+name[1]] == nil && name[1] != "e2e" {
				t.Errorf("ARCHITECTURE.md names the package %s, which does not exist", name[1])
			}
		}
	}
	for name := range named {
		if strings.HasPrefix(name, "internal/") && !strings.Contains(name, "*") && !strings.HasSuffix(name, "...") {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("ARCHITECTURE.md names %s, which does not exist", name)
			}
		}
	}
	for _, file := range regexp.MustCompile(`\b[a-z_]+\.go\b`).FindAllString(string(text), -1) {
		if !files[file] {
			t.Errorf("ARCHITECTURE.md names the file %s, which does not exist", file)
		}
	}
}
