package smallfile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRead: a byte order mark at the beginning of a file is no part of its text.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notes.json")
	for text, want := range map[string]string{"\ufeff[1]\n": "[1]\n", "[\ufeff]": "[\ufeff]", "": ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(name); err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}
