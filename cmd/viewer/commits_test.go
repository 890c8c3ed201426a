package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/sitegen"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/testing/plaingit"
)

// TestDiffOfCommits has sessions edit files of a repository and commit them, while nobody else changes anything. Their
// patch must lead from the first commit to the last, and the site must count the lines that git diff counts.
func TestDiffOfCommits(t *testing.T) {
	plaingit.Use(t)
	for seed := range uint64(8) {
		dir := t.TempDir()
		h := &history{
			t: t, random: rand.New(rand.NewPCG(seed, 7)), root: filepath.Join(dir, "w"),
			projects: filepath.Join(dir, "projects"), file: "a file.go",
			now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
		}
		if err := os.MkdirAll(h.root, 0o700); err != nil {
			t.Fatal(err)
		}
		for range 6 {
			h.lines = append(h.lines, h.block("person", true)...)
		}
		h.git("init", "-q", "-b", "main")
		h.commit()
		h.git("tag", "base")
		h.record("user", "", "Go on and commit")
		h.read()
		for i := range 3 + h.random.IntN(8) {
			h.edit()
			if h.random.IntN(2) == 0 {
				h.commit()
				h.call(fmt.Sprintf("b%d", i), "Bash", map[string]any{"command": "git commit -am x"},
					map[string]any{"stdout": "[main 1a2b3c4] x\n", "stderr": "", "interrupted": false})
			}
		}
		h.commit()
		name := "00000001-0000-4000-8000-000000000000"
		write(t, filepath.Join(h.projects, "-w", name+".jsonl"), h.log.String())

		patch := filepath.Join(dir, "net.patch")
		c := exec.Command("viewer", "diff", filepath.Join(h.projects, "-w", name+".jsonl"), "--no-redact", "-o", patch)
		c.Env = append(os.Environ(), "HOME="+h.root, "VIEWER_CONFIG=none")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		added, removed := 0, 0
		_, _ = fmt.Sscan(h.ask("diff", "--minimal", "--numstat", "base", "HEAD"), &added, &removed)
		if got := netFigures(t, h.projects, filepath.Join(dir, "site")); got != [2]int{added, removed} || added == 0 {
			t.Errorf("seed %d: the site shows +%d -%d, want +%d -%d as git diff", seed, got[0], got[1], added, removed)
		}
		h.git("checkout", "-q", "base")
		h.git("apply", "--whitespace=nowarn", patch)
		if left := h.ask("diff", "main"); left != "" {
			t.Errorf("seed %d: after the patch, git diff prints\n%s\nwant nothing", seed, left)
		}
	}
}

// ask returns the output of git.
func (h *history) ask(args ...string) string {
	h.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = h.root
	out, err := c.Output()
	if err != nil {
		h.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// netFigures returns the numbers of added and removed lines that a site shows for its only session.
func netFigures(t *testing.T, source, out string) [2]int {
	t.Helper()
	o := sitegen.Options{Sources: []string{source}, Out: out, Version: "test", Redaction: redaction.Settings{Off: true}}
	if _, err := sitegen.Build(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "sessions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sessions []struct{ NetAdded, NetRemoved int }
	if err := json.Unmarshal(data, &sessions); err != nil || len(sessions) != 1 {
		t.Fatalf("sessions.json has %d sessions (error %v), want 1", len(sessions), err)
	}
	return [2]int{sessions[0].NetAdded, sessions[0].NetRemoved}
}
