package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
)

// A watched site is built again after each change of its sources.
type watched struct {
	t      *testing.T
	site   *Site
	o      Options
	source string
	file   string // the file of a session
	anew   bool   // each build is a new process
}

// watchFile returns the site of the only source of the options, before its first build. file is the session that
// changes.
func watchFile(t *testing.T, o Options, file string) *watched {
	t.Helper()
	w := &watched{t: t, site: NewSite(o), o: o, source: o.Sources[0], file: file}
	t.Cleanup(func() {
		if err := w.site.Close(); err != nil {
			t.Error(err)
		}
	})
	settle(t, w.source)
	return w
}

func watchCopy(t *testing.T) *watched {
	t.Helper()
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[0]))
	w.build()
	return w
}

func (w *watched) build() Report {
	w.t.Helper()
	if w.anew {
		return mustBuild(w.t, w.site.o)
	}
	r, err := w.site.Build(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// checkSame compares the site with a clean build, see compareClean.
func (w *watched) checkSame(after string) {
	w.t.Helper()
	compareClean(w.t, w.o)
	if w.t.Failed() {
		w.t.Fatalf("after %s the site differs from that of a clean build", after)
	}
}

const line = `{"type":"user","uuid":"%08x-bbbb-4111-8111-111111111111","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"And %d"}}` + "\n"

// TestReadsWhatIsNew appends to a session. From the second append on, only the appended bytes may be read.
func TestReadsWhatIsNew(t *testing.T) {
	w := watchCopy(t)
	info, err := os.Stat(w.file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		text := fmt.Sprintf(line, i, i)
		appendTo(t, w.file, text)
		r := w.build()
		if i == 0 && r.Read < info.Size() || i > 0 && r.Read != int64(len(text)) || r.Rendered != 1 {
			t.Errorf("append %d: rendered %d, read %d bytes; want 1, and %d", i, r.Rendered, r.Read, len(text))
		}
		w.checkSame("an append")
	}
	if r := w.build(); r.Rendered != 0 || r.Read != 0 || r.Written != 0 {
		t.Errorf("without a change: rendered %d, read %d bytes, wrote %d; want none", r.Rendered, r.Read, r.Written)
	}
}

// TestHalfLine writes a record in two halves. The first one waits for the second, and is a problem only if that does
// not come.
func TestHalfLine(t *testing.T) {
	w := watchCopy(t)
	problems := len(w.build().Problems)
	text := fmt.Sprintf(line, 9, 9)
	appendTo(t, w.file, text[:40])
	touch(t, w.file, time.Now().Add(clockSkew/2)) // so that it waits, however slow the machine is
	if r := w.build(); r.Waiting != 1 || len(r.Problems) != problems {
		t.Errorf("the first half: %d waiting, %d problems; want 1, and %d as before",
			r.Waiting, len(r.Problems), problems)
	}
	appendTo(t, w.file, text[40:])
	if r := w.build(); r.Waiting != 0 || r.Rendered != 1 || len(r.Problems) != problems {
		t.Errorf("the other half: %d waiting, rendered %d, %d problems; want none, 1 and as many as before",
			r.Waiting, r.Rendered, len(r.Problems))
	}
	w.checkSame("both halves")
	appendTo(t, w.file, text[:40])
	w.build()
	touch(t, w.file, time.Now().Add(-time.Minute))
	if r := w.build(); r.Waiting != 0 || len(r.Problems) != problems+1 {
		t.Errorf("an incomplete line: %d waiting, %d problems; want none and %d",
			r.Waiting, len(r.Problems), problems+1)
	}
	w.checkSame("an incomplete line")

	// The time of a file that was restored, or written by another machine, may be ahead of the clock.
	touch(t, w.file, time.Now().Add(time.Hour))
	if r := w.build(); r.Waiting != 0 || len(r.Problems) != problems+1 {
		t.Errorf("an incomplete line, and a time in the future: %d waiting, %d problems; want none and %d",
			r.Waiting, len(r.Problems), problems+1)
	}
	w.checkSame("a time in the future")
}

// TestHalfLineStays builds twice while the end of a line is still awaited, and once after that. A build that found
// nothing new must not take the file for one that was read to its end.
func TestHalfLineStays(t *testing.T) {
	t.Parallel()
	w := watchCopy(t)
	problems := len(w.build().Problems)
	appendTo(t, w.file, fmt.Sprintf(line, 9, 9)[:40])
	written := time.Now()
	time.Sleep(100 * time.Millisecond) // its time is not racy any more
	w.build()
	w.build()
	time.Sleep(time.Until(written.Add(tornAge + 100*time.Millisecond)))
	if r := w.build(); r.Waiting != 0 || len(r.Problems) != problems+1 {
		t.Errorf("%d waiting, %d problems; want none and %d", r.Waiting, len(r.Problems), problems+1)
	}
	w.checkSame("half a line")
}

// TestRewrites changes a session in ways other than appending.
func TestRewrites(t *testing.T) {
	w := watchCopy(t)
	whole, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	agent := filepath.Join(w.source, "-home-mara-ovenbell", stem(w.file), "subagents", "agent-0badcafe.jsonl")
	other := bytes.Replace(whole, []byte("hello.sh"), []byte("hallo.sh"), 1)
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"truncated", func() { write(t, w.file, bytes.Join(lines[:len(lines)/2], nil)) }},
		{"grown again", func() { write(t, w.file, whole) }},
		{"a record more", func() { appendTo(t, w.file, fmt.Sprintf(line, 8, 8)) }},
		{"another beginning of the same length", func() {
			write(t, w.file, append(bytes.Clone(other), fmt.Sprintf(line, 8, 8)...))
		}},
		{"grown after that", func() { appendTo(t, w.file, fmt.Sprintf(line, 9, 9)) }},
		{"grown again after that", func() { appendTo(t, w.file, fmt.Sprintf(line, 9, 9)) }},
		{"another beginning of the same length, and grown at once", func() {
			rewriteInPlace(t, w.file, "hallo.sh", "hello.sh")
			appendTo(t, w.file, fmt.Sprintf(line, 10, 10))
		}},
		{"replaced", func() {
			write(t, w.file+".new",
				bytes.Join(append(lines[1:len(lines)/2:len(lines)/2], lines[len(lines)/2+1:]...), nil))
			if err := os.Rename(w.file+".new", w.file); err != nil {
				t.Fatal(err)
			}
		}},
		{"another beginning and longer", func() { write(t, w.file, append(bytes.Clone(lines[2]), whole...)) }},
		{"a new agent", func() { write(t, agent, lines[0]) }},
		{"the agent grows", func() { appendTo(t, agent, fmt.Sprintf(line, 11, 11)) }},
		{"a long agent", func() { write(t, agent, whole) }},
		{"the long agent grows", func() { appendTo(t, agent, fmt.Sprintf(line, 12, 12)) }},
		{"another beginning of the agent", func() {
			write(t, agent, append(bytes.Clone(other), fmt.Sprintf(line, 12, 12)...))
		}},
		{"the agent grows after that", func() { appendTo(t, agent, fmt.Sprintf(line, 13, 13)) }},
		{"the agent grows again", func() { appendTo(t, agent, fmt.Sprintf(line, 13, 13)) }},
		{"another beginning of the agent, and grown at once", func() {
			rewriteInPlace(t, agent, "hallo.sh", "hello.sh")
			appendTo(t, agent, fmt.Sprintf(line, 13, 13))
		}},
		{"a document instead of lines", func() {
			write(t, w.file, []byte("[\n"+string(bytes.TrimSpace(lines[0]))+"\n]\n"))
		}},
		{"deleted", func() { remove(t, w.file) }},
		{"there again", func() { write(t, w.file, whole) }},
	} {
		step.change()
		touchTree(t, w.source)
		w.build()
		w.checkSame(step.name)
	}
}

// TestRewrittenParts rewrites two places of a large session, at the moment when it grows. Each append reads one part
// again, so the site is that of a clean build after as many appends as the session has parts.
func TestRewrittenParts(t *testing.T) {
	corpus.Long(t)
	w := watchNewest(t)
	n := 0
	grow := func() {
		n++
		appendTo(t, w.file, fmt.Sprintf(line, n, n))
		w.build()
	}
	long := strings.Repeat("a long text ", 10_000)
	var lines strings.Builder
	for lines.Len() < 2*partSize {
		n++
		lines.WriteString(strings.Replace(fmt.Sprintf(line, n, n), "And", "Before "+long+"And", 1))
	}
	appendTo(t, w.file, lines.String())
	w.build()
	grow()
	for _, text := range []string{"And 1\"", "And 10\""} {
		rewriteInPlace(t, w.file, text, strings.Replace(text, "And", "But", 1))
	}
	for range 3 {
		grow()
	}
	w.checkSame("rewriting two records")
}

// touchTree makes all files older than the time for which the reader waits for the end of a last line.
func touchTree(t *testing.T, dir string) {
	t.Helper()
	walkFiles(t, dir, func(path string) { touch(t, path, time.Now().Add(-time.Minute)) })
}

// TestSecondBuilder: a second build of a folder is refused until the first one is closed.
func TestSecondBuilder(t *testing.T) {
	w := watchCopy(t)
	if _, err := Build(context.Background(), w.o); err == nil {
		t.Error("a second build of the same folder succeeds, want an error")
	}
	if err := w.site.Close(); err != nil {
		t.Fatal(err)
	}
	if r := mustBuild(t, w.o); r.Rendered != 0 {
		t.Errorf("after Close another build rendered %d, want none: the state was not saved", r.Rendered)
	}
}

// watchNewest returns a watched site that was not built yet, with the session that changed last.
func watchNewest(t *testing.T) *watched {
	source := copyOf(t, testdata)
	settle(t, source)
	file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[1])
	touch(t, file, time.Now().Add(-2*time.Second))
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
	w := &watched{t: t, site: NewSite(o), o: o, source: source, file: file}
	t.Cleanup(func() { w.site.Close() })
	return w
}

// TestPrefetchFirst appends to the session that changed last, before the site is built for the first time. Nothing of
// that session may be read twice.
func TestPrefetchFirst(t *testing.T) {
	w := watchNewest(t)
	w.build()
	text := fmt.Sprintf(line, 1, 1)
	appendTo(t, w.file, text)
	if r := w.build(); r.Read != int64(len(text)) || r.Rendered != 1 {
		t.Errorf("the first append: rendered %d, read %d bytes; want 1, and %d", r.Rendered, r.Read, len(text))
	}
	w.checkSame("the first append")
}

// TestPrefetch continues with the site of an earlier process. After Prefetch, nothing of the session that changed last
// may be read twice.
func TestPrefetch(t *testing.T) {
	w := watchNewest(t)
	mustBuild(t, w.o)
	if r := w.build(); r.Rendered != 0 {
		t.Errorf("the first build rendered %d, want 0", r.Rendered)
	}
	w.site.Prefetch()
	if r := w.build(); r.Rendered != 1 || r.Written != 0 {
		t.Errorf("prefetch: rendered %d, wrote %d; want 1 and 0", r.Rendered, r.Written)
	}
	for i := range 2 {
		text := fmt.Sprintf(line, i, i)
		appendTo(t, w.file, text)
		if r := w.build(); r.Read != int64(len(text)) || r.Rendered != 1 {
			t.Errorf("append %d: rendered %d, read %d bytes; want 1, and %d", i, r.Rendered, r.Read, len(text))
		}
	}
	w.checkSame("two appends")
	touch(t, w.file, time.Now().Add(-time.Minute)) // the contents do not change
	w.build()
	appendTo(t, w.file, "\n")
	if r := w.build(); r.Read != 1 {
		t.Errorf("after a touch: read %d bytes, want 1", r.Read)
	}
}

// TestPrefetchHalfLine: if the session that changed last has an incomplete last line, a first build and a prefetch give
// what a clean build gives.
func TestPrefetchHalfLine(t *testing.T) {
	w := watchNewest(t)
	appendTo(t, w.file, strings.TrimSuffix(fmt.Sprintf(line, 1, 1), "\n"))
	w.build()
	w.checkSame("the first build")
	w.site.Prefetch()
	if r := w.build(); r.Written != 0 || r.Waiting != 0 {
		t.Errorf("prefetch wrote %d files, %d lines wait; want none", r.Written, r.Waiting)
	}
	w.checkSame("getting ready")
	appendTo(t, w.file, "\n"+fmt.Sprintf(line, 2, 2))
	w.build()
	w.checkSame("an append")
}

// TestLargeOutputRewritten gives a long output of the same length to a call, in a file with the same time.
func TestLargeOutputRewritten(t *testing.T) {
	source := t.TempDir()
	log := filepath.Join(source, "-w", "11111111-2222-4333-8444-555555555555.jsonl")
	output := filepath.Join(strings.TrimSuffix(log, ".jsonl"), "tool-results", "long.txt")
	write(t, log, []byte(`{"type":"assistant","uuid":"a","message":{"role":"assistant","content":[{"type":"tool_use",`+
		`"id":"toolu_1","name":"Bash","input":{"command":"make"}}]}}`+"\n"+
		`{"type":"user","uuid":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",`+
		`"content":"<persisted-output>\nFull output saved to: /x/tool-results/long.txt\n</persisted-output>"}]}}`+"\n"))
	write(t, output, bytes.Repeat([]byte("candle\n"), maxHashedSide/7+1))
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	rewriteInPlace(t, output, "candle", "kindle")
	if r := mustBuild(t, o); r.Rendered != 1 {
		t.Errorf("rendered %d sessions, want 1", r.Rendered)
	}
	compareClean(t, o)
}

// TestOneLine writes sessions of one line without an end: rows of a database, and the first record of a log. They stay
// on the site, because nothing more of the line can follow.
func TestOneLine(t *testing.T) {
	dir := t.TempDir()
	database, log := filepath.Join(dir, "data.sqlite3"), filepath.Join(dir, "-w", "c1.jsonl")
	write(t, database, readFile(t, "../sources/kiro/testdata/data.sqlite3"))
	write(t, log, []byte(strings.TrimSuffix(fmt.Sprintf(line, 1, 1), "\n")))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	w := &watched{t: t, site: NewSite(o), o: o, source: dir}
	defer func() { w.site.Close() }()
	all := w.build().Sessions
	for _, file := range []string{database, log} {
		touch(t, file, time.Now().Add(clockSkew/2)) // so that a line that lacks more would be awaited
	}
	if r := w.build(); r.Sessions != all || r.Waiting != 0 || all != 3 {
		t.Errorf("got %d sessions, then %d, and %d are waiting; want 3, 3 and none", all, r.Sessions, r.Waiting)
	}
	w.checkSame("the end of the line is missing")
}
