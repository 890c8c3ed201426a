package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCurrent: what the program prints is what it is made of.
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
		t.Errorf("%s is not what the program is made of now; to write it: go run ./internal/licenses", file)
	}
	for _, must := range []string{
		"Copyright 2009 The Go Authors", "Copyright (c) 2019 Zachary Rice", "github.com/inconshreveable/mousetrap v",
		"Apache License",
	} {
		if !strings.Contains(string(want), must) {
			t.Errorf("it does not say %q", must)
		}
	}
}

// TestUnlisted: nobody adds data of others without saying so.
func TestUnlisted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": "ours", "fonts/OFL.txt": "", "fonts/LICENSE-OFL": "theirs",
		"internal/redact/rules/LICENSE.gitleaks": "theirs",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := inTree(dir); err == nil || !strings.Contains(err.Error(), "fonts has a licence of its own") {
		t.Errorf("a folder with a licence that is not in the list: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "fonts")); err != nil {
		t.Fatal(err)
	}
	if parts, err := inTree(dir); err != nil || len(parts) != 1 {
		t.Errorf("%v, %v, want the rules alone", parts, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "internal/redact")); err != nil {
		t.Fatal(err)
	}
	if _, err := inTree(dir); err == nil {
		t.Error("a licence that is gone is not missed")
	}
}
