package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"viewer/internal/testing/corpus"
)

// TestPlacesAgree: lists, sites, reports and exports say the same about a session.
func TestPlacesAgree(t *testing.T) {
	corpus.Long(t)
	dir := t.TempDir()
	const source = "../../testdata/projects"
	const continued = "e04d9b36-51fa-4c87-b2a6-7d18f3c05e9a" // begins with the records of another session
	site, report := filepath.Join(dir, "site"), filepath.Join(dir, "report.json")
	viewer := func(args ...string) []byte {
		t.Helper()
		c := exec.Command("viewer", args...)
		c.Env = append(os.Environ(), "HOME="+dir, "VIEWER_CONFIG=none")
		out, err := c.Output()
		if err != nil {
			t.Fatalf("viewer %s: %v", args, err)
		}
		return out
	}
	objects := func(data []byte) map[string]map[string]any {
		t.Helper()
		var all []map[string]any
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		byID := make(map[string]map[string]any)
		for _, s := range all {
			byID[s["id"].(string)] = s
		}
		return byID
	}
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	viewer("build", source, "-o", site)
	viewer("report", source, "--json", report, "-o", filepath.Join(dir, "report.html"))
	var reported struct {
		Runs json.RawMessage `json:"runs"`
	}
	if err := json.Unmarshal(read(report), &reported); err != nil {
		t.Fatal(err)
	}
	runs, pages := objects(reported.Runs), objects(read(filepath.Join(site, "sessions.json")))
	listed := objects(viewer("list", source, "--json"))
	for id, want := range listed {
		var exported, totals map[string]any
		if id != continued { // an export has all records of its session, see docs/formats.md
			data := viewer("export", id, "--source", source, "--format", "json")
			if err := json.Unmarshal(data, &exported); err != nil {
				t.Fatal(err)
			}
			totals = exported["totals"].(map[string]any)
		}
		for name, got := range map[string]map[string]any{
			"sessions.json": pages[id], "the report": runs[id], "the export": exported,
			"the totals of the export": totals,
		} {
			for _, member := range []string{
				"title", "project", "agent", "start", "end", "seconds", "models", "prompts", "calls", "failed",
				"agents", "tokens", "costUSD", "listPrice", "unpricedTokens", "netFiles", "netAdded", "netRemoved",
				"unknownAdded", "unknownRemoved",
			} {
				_, isList := got[member].([]any)
				if member == "agents" && isList {
					continue // the agents themselves
				}
				if v, ok := got[member]; ok && !reflect.DeepEqual(v, want[member]) {
					t.Errorf("%s of %s is %v in the list, and %v in %s", member, id, want[member], v, name)
				}
			}
		}
	}
	if len(listed) < 8 {
		t.Errorf("got %d sessions, want at least 8", len(listed))
	}
}
