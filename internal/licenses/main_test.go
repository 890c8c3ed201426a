package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCurrent: the licences that the program prints are those of its current parts.
func TestCurrent(t *testing.T) {
	want, err := collect("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is out of date; to write it: go run ./internal/licenses", file)
	}
	for _, must := range []string{
		"Copyright 2009 The Go Authors", "Copyright (c) 2019 Zachary Rice", "github.com/inconshreveable/mousetrap v",
		"Apache License",
	} {
		if !strings.Contains(string(want), must) {
			t.Errorf("the licences lack %q", must)
		}
	}
}

// TestUnlisted: data with its own licence must be in the list.
func TestUnlisted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": "ours", "fonts/OFL.txt": "", "fonts/LICENSE-OFL": "theirs",
		"internal/redact/rules/LICENSE.gitleaks": "theirs", "internal/markup/highlight/lexers/LICENSE.chroma": "theirs",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := inTree(dir); err == nil || !strings.Contains(err.Error(), "fonts has a licence of its own") {
		t.Errorf("a folder with a licence that is not in the list: got error %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "fonts")); err != nil {
		t.Fatal(err)
	}
	if parts, err := inTree(dir); err != nil || len(parts) != 2 {
		t.Errorf("got %v, error %v, want only the rules and the lexers", parts, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "internal/redact")); err != nil {
		t.Fatal(err)
	}
	if _, err := inTree(dir); err == nil {
		t.Error("a missing licence is no error")
	}
}
