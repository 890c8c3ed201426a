package main

import (
	"strings"
	"testing"

	"viewer/internal/changes"
)

// TestDiffStatByOthers: a patch also has lines that calls did not change, which pages and lists count apart.
func TestDiffStatByOthers(t *testing.T) {
	var own, mixed changes.File
	own.Path, own.Net.Added = "/w/a.go", 3
	mixed.Path, mixed.Net.Added, mixed.Net.ForeignAdded = "/w/b.go", 5, 2
	for want, files := range map[string][]changes.File{
		" 1 file, +3 −0\n": {own},
		" 2 files, +8 −0, of these +2 −0 by others: a command, a hook or a person\n": {own, mixed},
	} {
		if got := diffStat(files, "/w", 80, false); !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want %q at the end", got, want)
		}
	}
}
