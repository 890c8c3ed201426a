package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTitleBeside: a file beside a session gives its title.
func TestTitleBeside(t *testing.T) {
	out := t.TempDir()
	buildInto(t, out, testdata+"/C--Users-Noor-bookshelf")
	page, err := os.ReadFile(filepath.Join(out, "s", "2b7d9e05-6c13-4f8a-b5e2-81a04c96d37f", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "<title>Moving the shelf marks"; !strings.Contains(string(page), want) {
		_, head, _ := strings.Cut(string(page), "<title>")
		t.Errorf("the page has the title %.60q, want %q", head, want)
	}
}
