package settings

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"build", "watch", "serve", "check", "export", "list", "report", "config", "search"}
	for word, want := range map[string]string{
		"bild": "build", "biuld": "build", "lsit": "list", "sreve": "serve", "Exprot": "export",
		"conf": "config", "ex": "export",
		"serch": "search", "x": "", "help": "", "nosuch": "", "deploy": "", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
