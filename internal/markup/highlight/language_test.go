package highlight

import (
	"strings"
	"testing"
)

func TestLookup(t *testing.T) {
	for _, lang := range []string{
		"go", "Go", "golang", "py", "python3", "ts", "tsx", "jsx", "sh", "bash", "zsh", "yaml", "yml", "json", "jsonc",
		"toml", "rs", "c++", "cpp", "h",
		"main.go", "src/app.test.ts", `C:\src\app.cs`, ".css", "Dockerfile", "dir/Makefile", "go.mod", "CMakeLists.txt",
		"{.rb}", "go,ignore", "ts:src/a", "index.html.erb",
		"sql", "lua", "php", "kt", "swift", "scala", "md", "vue", "svelte", "ps1", "proto", "graphql", "tf", "nix",
		"zig", "diff",
	} {
		if Lookup(lang) == nil {
			t.Errorf("Lookup(%q) = nil, want a language", lang)
		}
	}
	for _, lang := range []string{"", "text", "output.txt", "x", "README", "a.b.zzz", strings.Repeat("x.", 9000), "*",
		"/", "..", "no such"} {
		if Lookup(lang) != nil {
			t.Errorf("Lookup(%q) finds a language, want nil", lang)
		}
	}
}
