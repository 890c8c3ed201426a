package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/sitegen/output"
)

// TestReadsNothingOutside has links and paths in a folder and a log that lead out of the source. No page may contain
// what is outside.
func TestReadsNothingOutside(t *testing.T) {
	base := t.TempDir()
	source, outside := filepath.Join(base, "projects"), filepath.Join(base, "outside")
	const private = "what lies outside is nobody's business"
	session := func(name, more string) []byte {
		return []byte(`{"type":"user","uuid":"` + name + `-aaaa-4111-8111-111111111111","sessionId":"` + name +
			`","message":{"role":"user","content":"Inside ` + name + `"}}` + "\n" + more)
	}
	write(t, filepath.Join(outside, "-w", "99999999.jsonl"),
		session("99999999", `{"type":"custom-title","customTitle":"`+private+`"}`+"\n"))
	write(t, filepath.Join(outside, "secret.txt"), []byte(strings.Repeat(private+"\n", 40)))
	write(t, filepath.Join(outside, "agent-b2.jsonl"),
		session("22222222", `{"type":"user","isSidechain":true,"agentId":"b2","message":{"role":"user","content":"`+
			private+`"}}`+"\n"))

	own := filepath.Join(source, "-w", "11111111")
	var results strings.Builder
	for i, path := range []string{
		filepath.Join(outside, "secret.txt"), "../../../outside/secret.txt", "/etc/passwd", `..\..\outside\secret.txt`,
		"tool-results/../../../outside/secret.txt", "link.txt", "linked/secret.txt",
	} {
		fmt.Fprintf(&results, `{"type":"assistant","uuid":"0000000%d-aaaa-4111-8111-111111111111","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"cat"}}]}}`+"\n", i, i, i)
		fmt.Fprintf(&results,
			`{"type":"user","uuid":"1000000%d-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"<persisted-output>\nOutput too large (40KB). Full output saved to: %s\n\nPreview (first 2KB):\nabc\n</persisted-output>"}]},"toolUseResult":{"persistedOutputPath":%q,"stdout":"abc"}}`+"\n",
			i, i, strings.ReplaceAll(path, `\`, `\\`), path)
	}
	write(t, own+".jsonl", session("11111111", results.String()))
	for link, target := range map[string]string{
		filepath.Join(source, "-w", "33333333.jsonl"):           filepath.Join(outside, "-w", "99999999.jsonl"),
		filepath.Join(source, "-linked"):                        filepath.Join(outside, "-w"),
		filepath.Join(own, "tool-results", "link.txt"):          filepath.Join(outside, "secret.txt"),
		filepath.Join(own, "tool-results", "linked"):            outside,
		filepath.Join(own, "subagents", "agent-b2.jsonl"):       filepath.Join(outside, "agent-b2.jsonl"),
		filepath.Join(own, "custom-title.json"):                 filepath.Join(outside, "secret.txt"),
		filepath.Join(source, "-w", "44444444", "subagents"):    outside,
		filepath.Join(source, "-w", "44444444", "workflows"):    outside,
		filepath.Join(source, "-w", "44444444", "tool-results"): outside,
		filepath.Join(source, "-w", "agent-c3.jsonl"):           filepath.Join(outside, "agent-b2.jsonl"),
	} {
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Skipf("this system has no symbolic links: %v", err)
		}
	}
	write(t, filepath.Join(source, "-w", "44444444.jsonl"), session("44444444", ""))

	out := t.TempDir()
	r := mustBuild(t, Options{Sources: []string{source}, Out: out, Version: "test"})
	if r.Sessions != 2 {
		t.Errorf("%d sessions, want the 2 inside the source", r.Sessions)
	}
	err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(private)) || bytes.Contains(data, []byte("root:x:0")) {
			t.Errorf("%s contains text from outside", strings.TrimPrefix(path, out))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, p := range r.Problems {
		named = append(named, p.Pos.File)
	}
	for _, want := range []string{"-w/33333333.jsonl", "-linked", "-w/agent-c3.jsonl"} {
		if !strings.Contains(strings.Join(named, "\n"), want) {
			t.Errorf("no problem says that %s was not followed: %q", want, named)
		}
	}
}

// TestWritesNothingOutside builds into a site in which folders were replaced by links. Their targets must stay
// unchanged.
func TestWritesNothingOutside(t *testing.T) {
	for _, folder := range []string{"s", "assets", "p", output.StateDir} {
		source, outside, out := copyOf(t, testdata), t.TempDir(), t.TempDir()
		o := Options{Sources: []string{source}, Out: out, Version: "test"}
		mustBuild(t, o)
		if err := os.RemoveAll(filepath.Join(out, folder)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(out, folder)); err != nil {
			t.Skipf("this system has no symbolic links: %v", err)
		}
		_, err := Build(context.Background(), o)
		if err == nil || !strings.Contains(err.Error(), out) {
			t.Errorf("%s links to outside of the site: error %v, want one that names it", folder, err)
		}
		if entries, _ := os.ReadDir(outside); len(entries) > 0 {
			t.Errorf("%s: %s was written outside of the site", folder, entries[0].Name())
		}
	}
}
