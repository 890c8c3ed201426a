package sitegen

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
)

// TestNumberedByPeople: records with ids that people numbered by hand are not copies of those with the same ids in
// other files.
func TestNumberedByPeople(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"one", "other"} {
		var lines []byte
		for _, id := range []string{"1", "2", "3", "4"} {
			lines = append(lines, `{"type":"user","uuid":"`+id+`","sessionId":"`+name+`","timestamp":"2026-03-02T09:0`+
				id+`:00Z","cwd":"/w","message":{"role":"user","content":"`+name+" "+id+`"}}`+"\n"...)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), lines, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := buildInto(t, out, dir); r.Totals.Prompts != 8 {
		t.Errorf("%d prompts, want 8: four of each session", r.Totals.Prompts)
	}
}

// TestKeptTranscripts: a transcript that is read to compare it with others is kept until its session is drawn, if
// memory allows.
func TestKeptTranscripts(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 {
		var lines strings.Builder
		for n := range 5 {
			record := fmt.Sprintf("10000000-0000-4000-8000-00000000000%d", n)
			if n == 4 {
				record = fmt.Sprintf("20000000-0000-4000-8000-00000000000%d", i)
			}
			fmt.Fprintf(&lines, `{"type":"user","uuid":%q,"sessionId":"s%d","timestamp":"2026-03-02T09:0%d:00Z",`+
				`"cwd":"/home/mara/w","message":{"role":"user","content":"in /home/mara/w/%d"}}`+"\n", record, i, n, n)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".jsonl")), []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Sources: []string{dir}}
	if err := o.ready(); err != nil {
		t.Fatal(err)
	}
	v, err := findSessions(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	var all []*session
	for _, fo := range v.folders {
		all = append(all, fo.sessions...)
	}
	if len(all) != 2 {
		t.Fatalf("got %d sessions, want 2", len(all))
	}
	f, r := &family{members: all}, &reader{Options: o}
	if err := f.readAll(r); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		kept, ok := f.take(s, r)
		again, _, err := o.readMain(s)
		if err != nil || !ok {
			t.Fatalf("%s: kept %v, error %v; want it kept", s.id, ok, err)
		}
		if diff := cmp.Diff(again.file, kept.file, cmp.AllowUnexported(transcript.File{})); diff != "" {
			t.Errorf("%s (-read +kept):\n%s", s.id, diff)
		}
		if diff := cmp.Diff(again.redactor.Counts(), kept.redactor.Counts(), cmp.AllowUnexported()); diff != "" {
			t.Errorf("%s: redactions (-read +kept):\n%s", s.id, diff)
		}
		if _, ok := f.take(s, r); ok {
			t.Errorf("%s is still kept after it was taken", s.id)
		}
	}
	if n := r.kept.Load(); n != 0 {
		t.Errorf("%d bytes are still kept, want none", n)
	}
	f, r = &family{members: all}, &reader{Options: o}
	r.kept.Store(maxKept)
	if err := f.readAll(r); err != nil || len(f.kept) != 0 || r.kept.Load() != maxKept {
		t.Errorf("kept %d transcripts beyond the limit, want none; error %v", len(f.kept), err)
	}

	// Two goroutines share the reading: each waits with its member until the other has one, too.
	var both, done sync.WaitGroup
	both.Add(2)
	o.probe = func(Stage, string) { both.Done(); both.Wait() }
	f, r = &family{members: all}, &reader{Options: o}
	for range 2 {
		done.Go(func() {
			if err := f.readAll(r); err != nil || len(f.shared) != 1 {
				t.Errorf("%d sessions with records of others, want 1; error %v", len(f.shared), err)
			}
		})
	}
	done.Wait()
}

// TestTitleOfRelated: the page of a session has the titles of those that copied its history. They change with files
// that the user named sessions in, and with agents that reveal a secret in them.
func TestTitleOfRelated(t *testing.T) {
	dir := t.TempDir()
	const prompt = `{"type":"user","uuid":"10000000-0000-4000-8000-00000000000%d","timestamp":"2026-03-02T09:0%d:00Z",` +
		`"cwd":"/w","message":{"role":"user","content":"Prompt %d"}}` + "\n"
	var history []byte
	for i := range 4 {
		history = fmt.Appendf(history, prompt, i, i, i)
	}
	write(t, filepath.Join(dir, "-w", "one.jsonl"), history)
	write(t, filepath.Join(dir, "-w", "copy.jsonl"), fmt.Appendf(history, prompt, 5, 5, 5))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	for _, c := range []struct{ file, text, title string }{
		{"custom-title.json", `{"customTitle":"Wicks of Qmplzz81Arvk"}`, "Wicks of Qmplzz81Arvk"},
		{"subagents/agent-a.jsonl", fmt.Sprintf(`{"type":"user","uuid":"a","isSidechain":true,"message":`+
			`{"role":"user","content":"DB_%s=Qmplzz81Arvk"}}`+"\n", "PASSWORD"), "Wicks of [password 1]"},
	} {
		write(t, filepath.Join(dir, "-w", "copy", c.file), []byte(c.text))
		mustBuild(t, o)
		if page := read(t, filepath.Join(o.Out, "s", "one", "index.html")); !strings.Contains(string(page), c.title) {
			t.Errorf("%s: the page has no link %q", c.file, c.title)
		}
		compareClean(t, o)
	}
}

// TestCopyOfCopy: a page says how many of its first records are in each of the sessions before it, also if it is one.
func TestCopyOfCopy(t *testing.T) {
	dir := t.TempDir()
	var history []byte
	for i, name := range []string{"first", "second", "third"} {
		for range []int{4, 1, 1}[i] {
			n := bytes.Count(history, []byte("\n"))
			history = fmt.Appendf(history, `{"type":"user","uuid":"10000000-0000-4000-8000-00000000000%d",`+
				`"timestamp":"2026-03-02T09:0%[1]d:00Z","cwd":"/w","message":{"role":"user","content":"Prompt %[1]d"}}`+"\n", n)
		}
		write(t, filepath.Join(dir, "-w", name+".jsonl"), history)
	}
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	page := string(read(t, filepath.Join(o.Out, "s", "third", "index.html")))
	for _, want := range []string{"begins with 4 records of", "begins with 1 record of"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}
