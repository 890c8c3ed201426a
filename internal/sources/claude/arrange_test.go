package claude

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sources"
)

// TestArrange: a folder of Claude Code, and the role of each of its files.
func TestArrange(t *testing.T) {
	files := map[string]string{
		"-w-tides/s1.jsonl":                                 "",
		"-w-tides/s1/custom-title.json":                     "",
		"-w-tides/s1/nested.jsonl":                          "",
		"-w-tides/s1/run.json":                              `[{"type":"system","session_id":"x"}]`,
		"-w-tides/s1/subagents/agent-a1.jsonl":              "",
		"-w-tides/s1/subagents/agent-a1.meta.json":          "",
		"-w-tides/s1/subagents/workflows/r1/agent-a2.jsonl": "",
		"-w-tides/s1/subagents/workflows/r1/journal.jsonl":  "",
		"-w-tides/s1/tool-results/out.txt":                  "",
		"-w-tides/s1/workflows/r1.json":                     "",
		"-w-tides/agent-a3.jsonl":                           "",
		"-w-tides/gone/subagents/agent-a4.jsonl":            "",
		"-w-tides/gone/subagents/other.jsonl":               "", // of another program
		"subagents/agent-a5.jsonl":                          "", // without the folder of its session
		"ci/out.json":                                       "[ {\n \"type\" : \"system\",\n \"session_id\" : \"x\"",
		"ci/marked.json":                                    "\ufeff" + `[{"type":"system","session_id":"y"}]`,
		"ci/settings.json":                                  `{"type":"module"}`,
		"tool-results/out.json":                             `[{"type":"system","session_id":"x"}]`,
	}
	tree := sources.Tree{Base: "projects", Head: func(p string) []byte { return []byte(files[p]) }}
	for p := range files {
		tree.Paths = append(tree.Paths, p)
	}
	slices.Sort(tree.Paths)
	var got []string
	for _, fo := range (Source{}).Arrange(&tree) {
		got = append(got, fmt.Sprint("folder ", fo.Name, " of path ", fo.OfPath))
		for _, s := range fo.Sessions {
			got = append(got, fmt.Sprint("session ", s.ID, " ", s.Path, " there ", s.Log >= 0))
			for _, a := range s.Agents {
				got = append(got, fmt.Sprint("  agent ", a.ID, " run ", a.Run, " described ", a.Meta >= 0))
			}
			for _, i := range s.Beside {
				role, name := Source{}.Role(s.Path, tree.Paths[i])
				got = append(got, fmt.Sprint("  ", tree.Paths[i], " ", role, " ", name))
			}
		}
		for _, a := range fo.Loose {
			got = append(got, "loose "+a.ID)
		}
	}
	want := `folder -w-tides of path true
session s1 -w-tides/s1.jsonl there true
  agent a1 run  described true
  agent a2 run r1 described false
  -w-tides/s1/custom-title.json 1 
  -w-tides/s1/run.json 0 
  -w-tides/s1/subagents/workflows/r1/journal.jsonl 0 
  -w-tides/s1/tool-results/out.txt 3 out.txt
  -w-tides/s1/workflows/r1.json 2 r1
session gone -w-tides/gone.jsonl there false
  agent a4 run  described false
loose a3
folder subagents of path false
session other -w-tides/gone/subagents/other.jsonl there true
folder s1 of path false
session nested -w-tides/s1/nested.jsonl there true
folder ci of path false
session marked ci/marked.json there true
session out ci/out.json there true
folder subagents of path false
loose a5`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	tree.Only = "ci/settings.json" // a file that is given is a session, whatever it contains
	if got := (Source{}).Arrange(&tree); len(got) != 1 || got[0].Sessions[0].ID != "settings" {
		t.Errorf("one file: got %+v, want a session settings", got)
	}
}
