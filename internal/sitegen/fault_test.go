package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"viewer/internal/markup"
	"viewer/internal/program"
	"viewer/internal/testing/scratch"
	"viewer/internal/transcript"
)

// TestMain fails if a panic was contained: a session that is not shown would otherwise go unnoticed.
func TestMain(m *testing.M) {
	scratch.InMemory()
	code := m.Run()
	if n := Faults() + markup.Recovered() + program.Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d panics were contained\n", n)
		code = 1
	}
	os.Exit(code)
}

// expectPanic expects a panic in a test, and removes it from the count of TestMain.
func expectPanic(t *testing.T) {
	before := faults.Load()
	t.Cleanup(func() {
		if faults.Load() == before {
			t.Error("no panic was contained, want one")
		}
		faults.Store(before)
	})
}

// TestFaults has each stage of one session panic. The panic must become a problem and a page that says so, the other
// session must be unaffected, and without the panic the next build must be normal.
func TestFaults(t *testing.T) {
	const bad, good = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463", "8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960"
	for _, stage := range []Stage{StageRead, StageNormalize, StageDraw, StageIndex} {
		t.Run(stage.String(), func(t *testing.T) {
			expectPanic(t)
			source, out := t.TempDir(), t.TempDir()
			line := `{"type":"user","uuid":"%s","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Ask %s"}}` + "\n"
			more := fmt.Sprintf(line, "b", strings.Repeat("more ", 60_000))
			write(t, filepath.Join(source, bad+".jsonl"), []byte(fmt.Sprintf(line, "a", bad)+more))
			write(t, filepath.Join(source, good+".jsonl"), fmt.Appendf(nil, line, "c", good))
			o := Options{Sources: []string{source}, Out: out, Version: "test"}
			var armed atomic.Bool
			armed.Store(true)
			o.probe = func(at Stage, folder string) {
				// Once only: not again while the page of the fault is drawn.
				if at == stage && folder == bad && armed.CompareAndSwap(true, false) {
					var none *session
					none.folder = ""
				}
			}
			r := mustBuild(t, o)
			if got := r.Faults(); len(got) != 1 || got[0].Pos.File != bad+".jsonl" ||
				!strings.Contains(got[0].Text, "nil pointer dereference at internal/sitegen/fault_test.go") {
				t.Errorf("faults %v, want one of %s at this test", got, bad)
			}
			if r.Sessions != 2 {
				t.Errorf("%d sessions, want both", r.Sessions)
			}
			page := func(name string) string { return string(read(t, filepath.Join(out, "s", name, "index.html"))) }
			html := page(bad)
			for _, want := range []string{"The viewer failed on this session", bad + ".jsonl", "nil pointer"} {
				if !strings.Contains(html, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if !strings.Contains(page(good), "Ask "+good) {
				t.Error("the page of the other session lacks its prompt")
			}
			if files, _ := os.ReadDir(filepath.Join(out, "s", bad)); len(files) > 2 {
				t.Errorf("files of the failed session are left: %v", files)
			}
			o.probe = nil
			if r = mustBuild(t, o); len(r.Faults()) != 1 || r.Rendered != 0 {
				t.Errorf("again: %d faults, %d sessions drawn, want 1 and 0",
					len(r.Faults()), r.Rendered)
			}
			write(t, filepath.Join(source, bad+".jsonl"), []byte(fmt.Sprintf(line, "a", bad)))
			if r = mustBuild(t, o); len(r.Faults()) != 0 || !strings.Contains(page(bad), "Ask "+bad) {
				t.Errorf("after the file changed: faults %v, want none and the page of the session", r.Faults())
			}
		})
	}
}

// TestFaultsElsewhere: other operations report the session that they leave out, or fail if nothing receives the report.
func TestFaultsElsewhere(t *testing.T) {
	expectPanic(t)
	source := t.TempDir()
	for _, name := range []string{"bad", "good"} {
		write(t, filepath.Join(source, name+".jsonl"),
			[]byte(`{"type":"user","uuid":"`+name+`","message":{"role":"user","content":"Ask"}}`+"\n"))
	}
	o := Options{Sources: []string{source}, Version: "test", probe: func(_ Stage, folder string) {
		if folder == "bad" {
			panic("broken\nhere")
		}
	}}
	if _, _, err := List(context.Background(), o, ListOptions{}); err == nil || !strings.Contains(err.Error(),
		"reading bad.jsonl: a fault of the viewer, please report it: broken at internal/sitegen/") {
		t.Errorf("list: %v, want the fault", err)
	}
	told := make(chan string, 9)
	o.Fault = func(p transcript.Problem) { told <- p.Pos.File }
	if all, _, err := List(context.Background(), o, ListOptions{}); err != nil || len(all) != 1 ||
		filepath.Base(all[0].File) != "good.jsonl" {
		t.Errorf("list: %v, %v, want only good.jsonl", all, err)
	}
	_, done, err := SearchIndex(context.Background(), o)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	done()
	read := 0
	err = o.EachSession(context.Background(), true, func(s Chosen) error {
		read++
		return nil
	})
	if err != nil || read != 1 {
		t.Errorf("each session: read %d, error %v; want 1", read, err)
	}
	if n := len(told); n != 3 {
		t.Errorf("%d faults were reported, want 3: one for each operation", n)
	}
}

// TestLogVanishes: a log of a folder that is removed after it was found is reported, and the other sessions are read.
// One that was named is an error.
func TestLogVanishes(t *testing.T) {
	source := t.TempDir()
	for _, name := range []string{"brief", "lasting"} {
		write(t, filepath.Join(source, name+".jsonl"),
			[]byte(`{"type":"user","uuid":"`+name+`","message":{"role":"user","content":"Ask"}}`+"\n"))
	}
	brief := filepath.Join(source, "brief.jsonl")
	line := read(t, brief)
	var told, seen []string
	var mu sync.Mutex
	each := func(sources ...string) error {
		write(t, brief, line)
		told, seen = nil, nil
		note := func(to *[]string, text string) {
			mu.Lock()
			defer mu.Unlock()
			*to = append(*to, text)
		}
		o := Options{Sources: sources, Version: "test", Unread: func(err error) { note(&told, err.Error()) }}
		o.probe = func(stage Stage, folder string) {
			if stage == StageRead && folder == "brief" {
				os.Remove(brief)
			}
		}
		return o.EachSession(context.Background(), true, func(s Chosen) error {
			note(&seen, filepath.Base(s.File))
			return nil
		})
	}
	if err := each(source); err != nil || strings.Join(seen, " ") != "lasting.jsonl" || len(told) != 1 ||
		!strings.Contains(told[0], "brief.jsonl: ") {
		t.Errorf("read %v, told %q, error %v; want lasting.jsonl, and that brief.jsonl is gone", seen, told, err)
	}
	if err := each(brief, filepath.Join(source, "lasting.jsonl")); err == nil {
		t.Errorf("no error for a log that was named; read %v, told %q", seen, told)
	}
}
