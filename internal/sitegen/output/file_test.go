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
