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
