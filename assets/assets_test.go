package assets

import (
	"io/fs"
	"strings"
	"testing"
)

// TestEachPartIsUsedOnce: a part that is not in a list would be missing on all pages.
func TestEachPartIsUsedOnce(t *testing.T) {
	for pattern, whole := range map[string]File{
		"css/*.css": Stylesheet(), "js/*.js": Script(), "live/*.css": LiveStylesheet(), "live/*.js": LiveScript(),
	} {
		files, err := fs.Glob(parts, pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no parts match %s: %v", pattern, err)
		}
		for _, name := range files {
			text, err := parts.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(whole.Text, string(text)); n != 1 {
				t.Errorf("%s is %d times in %s, want once", name, n, whole.Name)
			}
		}
	}
}
