package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"dev/a", "dev/b", "large/c"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, patterns, want string }{
		{"two patterns", "large/* dev/*", "large/c dev/a dev/b"},
		{"one finds nothing", "dev/* sdk/*", "nothing matches ../shared/corpus/sdk/*"},
	} {
		paths, reason := find(folder, strings.Fields(c.patterns))
		for i, p := range paths {
			rel, _ := filepath.Rel(folder, p)
			paths[i] = filepath.ToSlash(rel)
		}
		got := strings.Join(paths, " ") + reason
		if !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSkips: without files, Glob skips the test, and Optional adds a skipped subtest.
func TestSkips(t *testing.T) {
	t.Run("Glob", func(t *testing.T) {
		t.Cleanup(func() {
			if !t.Skipped() {
				t.Error("Glob without files does not skip the test")
			}
		})
		Glob(t, "no such folder/*")
	})
	if got := Optional(t, "no such folder/*"); got != nil {
		t.Errorf("Optional without files = %q, want nil", got)
	}
}

func TestRoot(t *testing.T) {
	want, err := filepath.Abs("../../../../shared/corpus")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("..") // the root is the same from any folder of the module
	if got := root(t); got != want {
		t.Errorf("root() = %s, want %s", got, want)
	}
}

func TestShare(t *testing.T) {
	list := strings.Fields("a b c d e f g h i j")
	t.Setenv(All, "")
	if got := Share(list); !slices.Equal(got, []string{"a", "i"}) {
		t.Errorf("one in eight of %q: got %q, want the first and the ninth", list, got)
	}
	t.Setenv(All, "all")
	if got := Share(list); !slices.Equal(got, list) {
		t.Errorf("all of %q: got %q", list, got)
	}
}
