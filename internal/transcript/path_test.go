package transcript

import "testing"

// TestIsAbsolute: a redacted home folder begins a path that does not depend on a folder.
func TestIsAbsolute(t *testing.T) {
	for p, want := range map[string]bool{
		"/": true, "/w/tides": true, "~": true, "~/tides": true, `~\tides`: true, `C:\tides`: true, "C:/tides": true,
		"": false, "tides": false, "./tides": false, "~tides": false, "C:": false, "C:tides": false, "a:b": false,
		"1:/a": false,
	} {
		if got := IsAbsolute(p); got != want {
			t.Errorf("%q: got %v, want %v", p, got, want)
		}
	}
}

// TestCutFolder: case matters, except on Windows.
func TestCutFolder(t *testing.T) {
	for _, c := range []struct{ path, folder, want string }{
		{"/w/tides/a.go", "/w/tides/", "a.go"}, {"/w/Tides/a.go", "/w/tides/", ""}, {"/w/tides", "/w/tides/", ""},
		{`C:\W\Tides\A.go`, `c:\w\tides\`, "A.go"}, {`~\Tides\a.go`, `~\tides\`, "a.go"},
		{"~/Tides/a.go", "~/tides/", ""}, {`C:\W\Tides2\A.go`, `c:\w\tides\`, ""},
	} {
		got, ok := CutFolder(c.path, c.folder, IsWindows(c.folder))
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s below %s: got %q, %v", c.path, c.folder, got, ok)
		}
	}
}
