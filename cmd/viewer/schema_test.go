package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/schemacheck"
)

// TestSchemas validates all JSON that the program prints for the sessions of testdata against the schemas in docs.
func TestSchemas(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/projects/*odd-files")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != 1 {
		t.Fatalf("got %d folders, want 1", len(folders))
	}
	projects, err := filepath.Abs(folders[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	one, err := findSession(projects)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		schema string
		args   []string
		file   string // the file with the JSON, "" for standard output
	}{
		{"list.json", []string{"list", projects, "--json"}, ""},
		{"list-by.json", []string{"list", projects, "--by", "branch", "--json"}, ""},
		{"list-by.json", []string{"list", projects, "--by", "pr", "--json"}, ""},
		{"list-by.json", []string{"list", projects, "--by", "agent", "--json"}, ""},
		{"stats.json", []string{"stats", projects, "--json"}, ""},
		{"stats-by.json", []string{"stats", projects, "--by", "model", "--json"}, ""},
		{"check.json", []string{"check", projects, "--json"}, ""},
		{"search.json", []string{"search", "the", "--json", "--source", projects}, ""},
		{"report.json", []string{"report", projects, "--json", "-"}, ""},
		{"conversation.json", []string{"export", one, "--format", "json"}, ""},
		{"sessions.json", []string{"build", projects, "-o", filepath.Join(dir, "site")}, filepath.Join(dir, "site", "sessions.json")},
		{"list.json", []string{"list", dir, "--json"}, ""}, // a folder without sessions
		{"stats.json", []string{"stats", dir, "--json"}, ""},
		{"stats-by.json", []string{"stats", dir, "--by", "tool", "--json"}, ""},
		{"search.json", []string{"search", "the", "--json", "--source", dir}, ""},
		{"report.json", []string{"report", dir, "--json", "-"}, ""},
	} {
		cmd := exec.Command("viewer", append(c.args, "-q")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME=", "VIEWER_CONFIG=none", "GITHUB_ACTIONS=")
		data, err := cmd.Output()
		if ended := (*exec.ExitError)(nil); err != nil && (!asExit(err, &ended) || len(data) == 0) {
			t.Fatalf("viewer %s: %v", strings.Join(c.args, " "), err)
		}
		if c.file != "" {
			if data, err = os.ReadFile(c.file); err != nil {
				t.Fatal(err)
			}
		}
		if err := schemacheck.Validate(schemacheck.Load(t, c.schema), data); err != nil {
			t.Errorf("viewer %s: %v", strings.Join(c.args, " "), err)
		}
		// The other outputs are meant to be shared, so their paths are relative to the home folder.
		if c.schema != "list.json" && c.schema != "check.json" {
			continue
		}
		for _, file := range filesIn(t, data) {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("viewer %s names a file that does not exist: %v", strings.Join(c.args, " "), err)
			}
		}
	}
}

func asExit(err error, to **exec.ExitError) bool {
	ended, ok := err.(*exec.ExitError)
	*to = ended
	return ok
}

// findSession returns the path of a session file below a folder.
func findSession(root string) (found string, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(p) == ".jsonl" {
			found = p
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// filesIn returns the values of all members called file.
func filesIn(t *testing.T, data []byte) (files []string) {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if file, ok := v["file"].(string); ok {
				files = append(files, file)
			}
			for name, inner := range v {
				if name != "data" && name != "input" { // which copy the log
					walk(inner)
				}
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(v)
	return files
}
