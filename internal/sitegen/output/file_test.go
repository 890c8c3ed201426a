//go:build unix

package output

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWriteFileMode: a new file has the permissions that the user gives to new files, and one that is replaced keeps
// its own. Of a link, the target is replaced.
func TestWriteFileMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	dir := t.TempDir()
	name, link := filepath.Join(dir, "new", "page.html"), filepath.Join(dir, "link.html")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		mode os.FileMode // before
		want os.FileMode
	}{{name, 0, 0o600}, {name, 0o640, 0o640}, {link, 0o600, 0o600}} {
		if c.mode != 0 {
			if err := os.Chmod(name, c.mode); err != nil {
				t.Fatal(err)
			}
		}
		text := c.name + c.want.String()
		if err := WriteFile(c.name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(name); info.Mode() != c.want || string(got) != text {
			t.Errorf("%s has mode %v and content %q, want %v and %q", c.name, info.Mode(), got, c.want, text)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is replaced: %v, error %v", info, err)
	}
}

// TestWriteFileDangling: as with > in a shell, a link to a file that does not exist yet leads to the new file. Nothing
// replaces a link that leads nowhere.
func TestWriteFileDangling(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.MkdirAll(at("deep/pages"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"folder": "deep/pages", "deep/pages/up": "../next", "deep/next": at("new.html"), // leads to new.html
		"lost": "no/such.html", "loop": "loop",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFile(at("folder/up"), []byte("text")); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(at("new.html")); string(got) != "text" {
		t.Errorf("new.html has %q, want the text", got)
	}
	for _, name := range []string{"lost", "loop"} {
		if err := WriteFile(at(name), []byte("text")); err == nil {
			t.Errorf("writing to the link %s succeeded", name)
		}
	}
	for _, link := range []string{"deep/pages/up", "deep/next", "lost", "loop"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link %s is replaced: %v, error %v", link, info, err)
		}
	}
}
