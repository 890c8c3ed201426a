package render

import (
	"strings"
	"testing"
)

func TestCommandLine(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"go test ./...", "go test ./..."},
		{"cd /tmp\ngo  test ./...\n", "cd /tmp ⏎ go test ./..."},
		{"make\r\nmake check", "make ⏎ make check"},
		{"\n\n  if true; then\n\n    ls\n  fi\n", "if true; then ⏎ ls ⏎ fi"},
		{"docker run \\\n  --rm \\\n  alpine", "docker run --rm alpine"},
		{"", ""},
		{"\n", ""},
		{strings.Repeat("a\n", 200), strings.TrimSuffix(strings.Repeat("a ⏎ ", 40), " ") + "…"},
	} {
		if got := commandLine(c.command); got != c.want {
			t.Errorf("commandLine(%q) = %q, want %q", c.command, got, c.want)
		}
	}
}
