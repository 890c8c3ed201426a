package sources_test

import (
	"testing"

	"viewer/internal/sources"
)

// TestHomeFolders: of hidden folders, those are read in which an agent has sessions in a home folder, wherever they
// are.
func TestHomeFolders(t *testing.T) {
	h := sources.HomeFolders{".codex/sessions", ".local/share/gull/logs", ".kiln", ".tern/state.db"}
	for dir, skips := range map[string]bool{
		"a": false, "a/b.c": false, ".": false, "..": false, ".git": true, "a/.git": true, ".codex": false,
		"home/.codex": false, "home/.codex/log": true, "home/.codex/sessions": false,
		"home/.codex/sessions/2026/07": false, "home/.codex/sessions/.git": true, ".codexes": true,
		".codex/sessionsold": true, ".local": false, ".local/share": false, ".local/share/gull": false,
		".local/share/tern": true, ".local/share/gull/logs/a": false, ".kiln": false, ".kiln/a": false,
		"brain/.system_generated": false, "brain/.system_generated/logs": false, "w/.crush": false,
	} {
		if got := h.Skips(dir); got != skips {
			t.Errorf("%s: skipped %v, want %v", dir, got, skips)
		}
	}
	for p, skips := range map[string]bool{
		"a.jsonl": false, ".aider.chat.history.md": false, "home/.codex/history.jsonl": true,
		"home/.codex/sessions/a.jsonl": false, ".local/share/gull/a.json": true, ".kiln/a.json": false,
		".tern/state.db": false, ".tern/state.dbs": true, "home/.tern/state.db": false, ".tern/a.json": true,
		".git/.codex/sessions/a.jsonl": true, ".codex/sessions/.git/a.jsonl": true,
	} {
		if got := h.SkipsFile(p); got != skips {
			t.Errorf("%s: skipped %v, want %v", p, got, skips)
		}
	}
	if !h.HasName(".local") || !h.HasName(".codex") || h.HasName("share") || h.HasName(".git") {
		t.Error("the names of folders in a home folder are not known")
	}
}
