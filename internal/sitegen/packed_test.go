package sitegen

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPacked builds folders of files that are compressed, by any name, or only named so. The sites are the same.
func TestPacked(t *testing.T) {
	if testing.Short() {
		t.Skip("compares whole sites, and with the race detector TestPackedTwice and TestDamaged do the rest")
	}
	build := func(source string) (Report, string) {
		t.Helper()
		o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
		return mustBuild(t, o), o.Out
	}
	want, site := build("../../testdata/projects")
	pages := make(map[string]string)
	walkFiles(t, site, func(path string) {
		if strings.HasSuffix(path, ".html") {
			rel, err := filepath.Rel(site, path)
			if err != nil {
				t.Fatal(err)
			}
			pages[rel] = string(read(t, path))
		}
	})
	for _, c := range []struct {
		name string
		ext  string // added to the names of logs
		pack func(*testing.T, []byte) []byte
	}{
		{"gzip in .jsonl", "", gzipOf},
		{"zstd in .jsonl", "", zstdOf},
		{"gzip in .jsonl.gz", ".gz", gzipOf},
		{"zstd in .jsonl.zst", ".zst", zstdOf},
		{"zstd in .jsonl.gz", ".gz", zstdOf},
		{"text in .jsonl.gz", ".gz", func(_ *testing.T, data []byte) []byte { return data }},
		{"text in .jsonl.zst", ".zst", func(_ *testing.T, data []byte) []byte { return data }},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := filepath.Join(t.TempDir(), "projects")
			if err := os.CopyFS(source, os.DirFS("../../testdata/projects")); err != nil {
				t.Fatal(err)
			}
			walkFiles(t, source, func(path string) {
				data := read(t, path)
				if filepath.Ext(path) == ".jsonl" {
					remove(t, path)
					path += c.ext
				}
				write(t, path, c.pack(t, data))
			})
			r, site := build(source)
			if r.Sessions != want.Sessions || r.Totals.Agents != want.Totals.Agents {
				t.Errorf("%d sessions with %d agents, want %d with %d",
					r.Sessions, r.Totals.Agents, want.Sessions, want.Totals.Agents)
			}
			for rel, page := range pages {
				got, err := os.ReadFile(filepath.Join(site, rel))
				if err != nil {
					t.Error(err)
				} else if strings.ReplaceAll(string(got), ".jsonl"+c.ext, ".jsonl") != page {
					t.Errorf("%s is another one", rel)
				}
			}
		})
	}
}

// TestPackedTwice: a compressed log next to the same log counts once, also that of an agent.
func TestPackedTwice(t *testing.T) {
	const project = "../../testdata/projects/-srv-nightwatch"
	source := filepath.Join(t.TempDir(), "-srv-nightwatch")
	if err := os.CopyFS(source, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	walkFiles(t, project, func(path string) {
		if filepath.Ext(path) == ".jsonl" {
			rel, err := filepath.Rel(project, path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(source, rel+".gz"), gzipOf(t, read(t, path)))
		}
	})
	want := mustBuild(t, Options{Sources: []string{project}, Out: t.TempDir(), Version: "test"})
	got := mustBuild(t, Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"})
	if got.Sessions != want.Sessions || got.Totals.Agents != want.Totals.Agents {
		t.Errorf("%d sessions with %d agents, want %d with %d",
			got.Sessions, got.Totals.Agents, want.Sessions, want.Totals.Agents)
	}
}

// TestUnreadBeside: a session is drawn although a file next to it cannot be unpacked or unpacks to too much, which is a
// problem.
func TestUnreadBeside(t *testing.T) {
	const id = "d3905c7e-1f68-4a2b-9c04-b7e8a6f2d510"
	random := rand.New(rand.NewPCG(3, 4))
	var tides strings.Builder
	for i := range 9999 {
		fmt.Fprintf(&tides, "tide %d %x\n", i, random.Uint64())
	}
	var bomb []byte
	if !testing.Short() {
		bomb = zstdOf(t, make([]byte, maxSpilled+1))
	}
	for _, c := range []struct {
		name, problem, shown string
		data                 []byte
	}{
		{"truncated at its beginning", "unexpected EOF", "", []byte("\x1f\x8b\x08")},
		{"truncated", "the rest of the file cannot be read: unexpected EOF", "tide 7 ",
			cutOff(gzipOf(t, []byte(tides.String())))},
		{"bomb", "it unpacks to more than 64 MB", "", bomb},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.data == nil {
				t.Skip("takes long with the race detector, and does in parallel what the others do")
			}
			source := filepath.Join(t.TempDir(), "-srv-nightwatch")
			if err := os.CopyFS(source, os.DirFS("../../testdata/projects/-srv-nightwatch")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(source, id, "tool-results", "b2k9x41qz.txt"), c.data)
			o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
			r := mustBuild(t, o)
			page, err := os.ReadFile(filepath.Join(o.Out, "s", id, "index.html"))
			if err != nil || !strings.Contains(string(page), c.shown) {
				t.Errorf("the session has no page with %q, error %v", c.shown, err)
			}
			found := 0
			for _, p := range r.Problems {
				if p.Text == c.problem && strings.HasSuffix(p.Pos.File, "b2k9x41qz.txt") {
					found++
				}
			}
			if found != 1 {
				t.Errorf("%d problems say %q, want one; all: %v", found, c.problem, r.Problems)
			}
		})
	}
}

// TestDamaged: of a compressed log that is cut off, what comes before is drawn. A session is drawn without a log of an
// agent that cannot be read at all.
func TestDamaged(t *testing.T) {
	const id = "11111111-2222-4333-8444-555555555555"
	record := func(n int, text, more string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","sessionId":"%s",`+
			`"timestamp":"2026-01-01T10:00:00Z",%s"message":{"role":"user","content":"%s"}}`+"\n", n, id, more, text)
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(from int, more string) string { // in several blocks of zstd
		var lines strings.Builder
		for i := range 2000 {
			text := fmt.Sprintf("wick %d %x%x", from+i, random.Uint64(), random.Uint64())
			lines.WriteString(record(from+i, text, more))
		}
		return lines.String()
	}
	of := `"isSidechain":true,"agentId":"abc",`
	for _, c := range []struct {
		name        string
		main, agent []byte
		has         []string
	}{
		{"the log", cutOff(gzipOf(t, []byte(noise(1, "")))), nil, []string{"wick 1 "}},
		{"the log, with zstd", cutOff(zstdOf(t, []byte(noise(1, "")))), nil, []string{"wick 1 "}},
		{"the log of an agent", []byte(record(1, "trim the lamp", "")), cutOff(gzipOf(t, []byte(noise(2, of)))),
			[]string{"trim the lamp", "wick 2 "}},
		{"the log of an agent, from its beginning", []byte(record(1, "trim the lamp", "")), []byte("\x1f\x8b\x08"),
			[]string{"trim the lamp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, out := t.TempDir(), t.TempDir()
			write(t, filepath.Join(source, "-w", id+".jsonl"), c.main)
			if c.agent != nil {
				write(t, filepath.Join(source, "-w", id, "subagents", "agent-abc.jsonl"), c.agent)
			}
			o := Options{Sources: []string{source}, Out: out, Version: "test"}
			r := mustBuild(t, o)
			if len(r.Problems) != 1 || !r.Ledger.Balanced() {
				t.Errorf("got the problems %+v, want one; the ledger is %+v", r.Problems, r.Ledger)
			}
			var all strings.Builder
			walkFiles(t, out, func(path string) {
				if strings.HasSuffix(path, ".html") {
					all.Write(read(t, path))
				}
			})
			for _, text := range c.has {
				if !strings.Contains(all.String(), text) {
					t.Errorf("no page has %q", text)
				}
			}
			if again := mustBuild(t, o); len(again.Problems) != 1 || again.Drawn != 0 {
				t.Errorf("another build has %d problems and draws %d pages, want 1 and none", len(again.Problems),
					again.Drawn)
			}
		})
	}
}

// TestDamagedLater appends to compressed logs what cannot be decompressed. Their records stay the same, but the next
// build reports it.
func TestDamagedLater(t *testing.T) {
	source := t.TempDir()
	own := filepath.Join(source, "-w", "11111111-2222-4333-8444-555555555555")
	logs := []string{own + ".jsonl", filepath.Join(own, "subagents", "agent-abc.jsonl")}
	for i, log := range logs {
		write(t, log, gzipOf(t, fmt.Appendf(nil, `{"type":"user","uuid":"%d","timestamp":"2026-01-01T10:00:00Z",`+
			`"message":{"role":"user","content":"Trim the lamp"}}`+"\n", i)))
	}
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	for i, log := range logs {
		appendTo(t, log, "oil")
		if r := mustBuild(t, o); len(r.Problems) != i+1 {
			t.Errorf("%d damaged logs: got the problems %v", i+1, r.Problems)
		}
		compareClean(t, o)
	}
}

func cutOff(data []byte) []byte { return data[:len(data)*3/4] }
