package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"viewer/internal/markup"
	"viewer/internal/program"
	"viewer/internal/testing/scratch"
	"viewer/internal/transcript"
)

// A session that is not shown is what a panic costs, and no way to pass a test.
func TestMain(m *testing.M) {
	scratch.InMemory()
	code := m.Run()
	if n := Faults() + markup.Recovered() + program.Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d panics were contained\n", n)
		code = 1
	}
	os.Exit(code)
}

// forgiven takes the panics of a test that wants them from those that fail the tests.
func forgiven(t *testing.T) {
	before := faults.Load()
	t.Cleanup(func() {
		if faults.Load() == before {
			t.Error("no panic was contained")
		}
		faults.Store(before)
	})
}

// TestFaults has each stage of one session panic: it becomes a problem and a page that says so, the
// other session is as without it, and nothing of it stays when the fault is gone.
func TestFaults(t *testing.T) {
	const bad, good = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463", "8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960"
	for _, stage := range []Stage{StageRead, StageNormalize, StageDraw, StageIndex} {
		t.Run(stage.String(), func(t *testing.T) {
			forgiven(t)
			source, out := t.TempDir(), t.TempDir()
			line := `{"type":"user","uuid":"%s","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Ask %s"}}` + "\n"
			more := fmt.Sprintf(line, "b", strings.Repeat("more ", 60_000))
			write(t, filepath.Join(source, bad+".jsonl"), []byte(fmt.Sprintf(line, "a", bad)+more))
			write(t, filepath.Join(source, good+".jsonl"), fmt.Appendf(nil, line, "c", good))
			o := Options{Sources: []string{source}, Out: out, Version: "test"}
			var armed atomic.Bool
			armed.Store(true)
			o.probe = func(at Stage, folder string) {
				// and not on the page that says so
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
			said := page(bad)
			for _, want := range []string{"The viewer failed on this session", bad + ".jsonl", "nil pointer"} {
				if !strings.Contains(said, want) {
					t.Errorf("the page does not say %q", want)
				}
			}
			if !strings.Contains(page(good), "Ask "+good) {
				t.Error("the other session is not shown")
			}
			if files, _ := os.ReadDir(filepath.Join(out, "s", bad)); len(files) > 2 {
				t.Errorf("left beside the page: %v", files)
			}
			o.probe = nil
			if r = mustBuild(t, o); len(r.Faults()) != 1 || r.Rendered != 0 {
				t.Errorf("again: %d faults, %d sessions drawn, want the fault told and nothing done",
					len(r.Faults()), r.Rendered)
			}
			write(t, filepath.Join(source, bad+".jsonl"), []byte(fmt.Sprintf(line, "a", bad)))
			if r = mustBuild(t, o); len(r.Faults()) != 0 || !strings.Contains(page(bad), "Ask "+bad) {
				t.Errorf("the file is another: faults %v", r.Faults())
			}
		})
	}
}

// TestFaultsElsewhere: what is no build says which session it leaves out, and fails when nobody asks.
func TestFaultsElsewhere(t *testing.T) {
	forgiven(t)
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
	if _, _, err := List(context.Background(), o, Listing{}); err == nil || !strings.Contains(err.Error(),
		"reading bad.jsonl: a fault of the viewer, please report it: broken at internal/sitegen/") {
		t.Errorf("list: %v, want the fault", err)
	}
	told := make(chan string, 9)
	o.Fault = func(p transcript.Problem) { told <- p.Pos.File }
	if all, _, err := List(context.Background(), o, Listing{}); err != nil || len(all) != 1 ||
		filepath.Base(all[0].File) != "good.jsonl" {
		t.Errorf("list: %v, %v, want the good one", all, err)
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
		t.Errorf("each session: %d, %v", read, err)
	}
	if n := len(told); n != 3 {
		t.Errorf("told of %d faults, want one each", n)
	}
}
