package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/blame"
	"viewer/internal/testing/plaingit"
	"viewer/internal/testing/schemacheck"
)

// A history is a repository with one file, the logs of sessions that worked in it, and the author of each line of the
// file.
type history struct {
	t        *testing.T
	random   *rand.Rand
	root     string
	projects string
	file     string // its current name
	lines    []writtenLine
	now      time.Time
	marks    int
	log      strings.Builder // of the current session
	session  int
	calls    int
}

// A writtenLine is a line and its author: the id of a call, or another name. words is the author of the text, ignoring
// later changes of white space.
type writtenLine struct{ text, by, words string }

func (h *history) text() string {
	var b strings.Builder
	for _, l := range h.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// block returns a new function (whole) or a new statement, written by an author.
func (h *history) block(by string, whole bool) []writtenLine {
	h.marks++
	lines := []string{fmt.Sprintf("return of(%q, %d)", by, h.marks)}
	if whole {
		lines = []string{fmt.Sprintf("func number%d() {", h.marks)}
		for i := range 2 + h.random.IntN(4) {
			lines = append(lines, fmt.Sprintf("call(%d, %d)", h.marks, i))
		}
		lines = append(lines, "}", "")
	}
	all := make([]writtenLine, len(lines))
	for i, l := range lines {
		all[i] = writtenLine{l, by, by}
	}
	return all
}

// insertionPoint returns the index of a random place between two functions.
func (h *history) insertionPoint() int {
	var places []int
	for i, l := range h.lines {
		if strings.HasPrefix(l.text, "func") {
			places = append(places, i)
		}
	}
	return append(places, len(h.lines))[h.random.IntN(len(places)+1)]
}

// randomStatement returns the index of a random statement whose text is unique in the file.
func (h *history) randomStatement() (int, bool) {
	for range 20 {
		if at := h.random.IntN(len(h.lines)); strings.HasSuffix(h.lines[at].text, ")") && strings.Count(h.text(),
			h.lines[at].text) == 1 {
			return at, true
		}
	}
	return 0, false
}

// record appends a record to the log.
func (h *history) record(kind, more string, content any) {
	h.now = h.now.Add(time.Second)
	data, err := json.Marshal(content)
	if err != nil {
		h.t.Fatal(err)
	}
	h.calls++
	fmt.Fprintf(&h.log,
		`{"type":%q,"uuid":"%08d-aaaa-4111-8111-111111111111","timestamp":%q,"cwd":%q,%s"message":{"id":"m%d","role":%q,"content":%s}}`+"\n",
		kind, h.calls, h.now.Format("2006-01-02T15:04:05.000Z"), h.root, more, h.calls, kind, data)
}

// call appends a call and its result to the log.
func (h *history) call(id, tool string, in, result map[string]any) {
	h.record("assistant", "", []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": in}})
	structured, err := json.Marshal(result)
	if err != nil {
		h.t.Fatal(err)
	}
	h.record("user", `"toolUseResult":`+string(structured)+`,`, []any{map[string]any{"type": "tool_result",
		"tool_use_id": id, "content": "ok"}})
}

// edit changes the file in one of several ways by a call of the session.
func (h *history) edit() {
	id := fmt.Sprintf("t%d-%d", h.session, h.calls)
	path := filepath.Join(h.root, h.file)
	before := h.text()
	write := func() {
		h.call(id, "Write", map[string]any{"file_path": path, "content": h.text()}, map[string]any{
			"type": "update", "filePath": path, "content": h.text(), "originalFile": before, "structuredPatch": []any{},
		})
	}
	switch h.random.IntN(5) {
	case 0: // Write adds a function
		h.lines = slices.Insert(h.lines, h.insertionPoint(), h.block(id, true)...)
		write()
		return
	case 1: // Write moves a function
		if h.move() {
			write()
			return
		}
	}
	at, ok := h.randomStatement()
	if !ok {
		return
	}
	old := h.lines[at].text
	lines := h.block(id, h.random.IntN(2) == 0)
	if len(lines) > 1 { // this puts a function inside a function, but a call may write anything
		lines = lines[1 : len(lines)-2]
	}
	if h.random.IntN(2) == 0 {
		lines = append([]writtenLine{h.lines[at]}, lines...)
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	in := map[string]any{"file_path": path, "old_string": old, "new_string": strings.Join(texts, "\n")}
	result := map[string]any{"filePath": path, "oldString": old, "newString": in["new_string"],
		"structuredPatch": []any{}}
	if h.random.IntN(3) > 0 {
		result["originalFile"] = before
	}
	h.lines = slices.Replace(h.lines, at, at+1, lines...)
	h.call(id, "Edit", in, result)
}

// move moves a function to another place.
func (h *history) move() bool {
	from := h.insertionPoint()
	if from == len(h.lines) {
		return false
	}
	to := from + slices.IndexFunc(h.lines[from:], func(l writtenLine) bool { return l.text == "" }) + 1
	block := slices.Clone(h.lines[from:to])
	h.lines = slices.Delete(h.lines, from, to)
	h.lines = slices.Insert(h.lines, h.insertionPoint(), block...)
	return true
}

// editByOthers changes the file without a call, as a person, a command or a formatter would.
func (h *history) editByOthers() {
	h.now = h.now.Add(time.Minute)
	switch h.random.IntN(5) {
	case 0:
		for i, l := range h.lines {
			if strings.HasPrefix(l.text, "return") || strings.HasPrefix(l.text, "call") {
				h.lines[i] = writtenLine{"\t" + l.text, "formatter", l.words}
			}
		}
	case 1:
		h.move()
	case 2:
		h.lines = slices.Insert(h.lines, h.insertionPoint(), h.block("person", true)...)
	default:
		if at, ok := h.randomStatement(); ok {
			h.lines = slices.Replace(h.lines, at, at+h.random.IntN(2), h.block("person", false)...)
		}
	}
}

func (h *history) read() {
	path := filepath.Join(h.root, h.file)
	n := len(h.lines) + 1
	h.call(fmt.Sprintf("t%d-%d", h.session, h.calls), "Read", map[string]any{"file_path": path},
		map[string]any{"type": "text", "file": map[string]any{"filePath": path, "content": h.text(), "numLines": n,
			"startLine": 1, "totalLines": n}})
}

func (h *history) git(args ...string) {
	h.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = h.root
	at := h.now.Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	if out, err := c.CombinedOutput(); err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (h *history) commit(args ...string) {
	write(h.t, filepath.Join(h.root, h.file), h.text())
	h.git("add", "-A")
	h.git(append([]string{"commit", "-q", "--allow-empty", "-m", "x"}, args...)...)
}

// run writes the log of one session.
func (h *history) run() {
	h.session++
	h.log.Reset()
	h.now = h.now.Add(time.Hour)
	h.record("user", "", fmt.Sprintf("prompt of session %d", h.session))
	if h.random.IntN(3) > 0 {
		h.read()
	}
	for range 1 + h.random.IntN(4) {
		if h.random.IntN(4) == 0 {
			h.editByOthers() // a command or a hook
			if h.random.IntN(2) == 0 {
				h.read()
			}
		}
		h.edit()
	}
	write(h.t, filepath.Join(h.projects, "-w", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", h.session)),
		h.log.String())
}

// TestBlame has 40 sessions, people, formatters and git change one file, and checks the author that viewer blame
// reports for each line.
func TestBlame(t *testing.T) {
	plaingit.Use(t)
	right, all := 0, 0
	for seed := range uint64(3) {
		dir := t.TempDir()
		if link := filepath.Join(dir, "link"); seed == 1 && os.Symlink(dir, link) == nil {
			dir = link // as the temporary folder of macOS, which git reports without the link
		}
		h := &history{
			t: t, random: rand.New(rand.NewPCG(seed, 9)), root: filepath.Join(dir, "w"), projects: filepath.Join(dir,
				"projects"),
			file: "a.go", now: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC),
		}
		if err := os.MkdirAll(h.root, 0o755); err != nil {
			t.Fatal(err)
		}
		h.git("init", "-q", "-b", "main")
		for range 4 {
			h.lines = append(h.lines, h.block("begin", true)...)
		}
		h.commit()
		for i := range 40 {
			h.run()
			if h.random.IntN(3) == 0 {
				h.editByOthers()
			}
			switch {
			case i == 20:
				h.commit()
				h.git("mv", "a.go", "b.go")
				h.file = "b.go"
				h.commit()
			case i%8 == 3:
				h.commit()
			case i == 30:
				h.git("checkout", "-q", "--", ".")
				h.commit("--amend")
				h.git("rebase", "-q", "--root", "--force-rebase")
			}
		}
		write(t, filepath.Join(h.root, h.file), h.text())
		r, a := h.check()
		right, all = right+r, all+a
	}
	t.Logf("of %d lines that calls wrote, %d have the right call", all, right)
	if right*100 < all*95 {
		t.Errorf("of %d lines that calls wrote, %d have the right call, want at least 95 %%", all, right)
	}
}

// check runs viewer blame. No line may have a wrong call; a line that a call wrote may have none. It returns how many
// lines of calls have the right one, and how many there are.
func (h *history) check() (right, all int) {
	c := exec.Command("viewer", "blame", filepath.Join(h.root, h.file), "--source", h.projects, "--json")
	c.Env = append(os.Environ(), "HOME="+h.root, "VIEWER_CONFIG=none")
	out, err := c.Output()
	if err != nil {
		h.t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	if err := schemacheck.Validate(schemacheck.Load(h.t, "blame.json"), out); err != nil {
		h.t.Error(err)
	}
	var got blame.Answer
	if err := json.Unmarshal(out, &got); err != nil {
		h.t.Fatal(err)
	}
	if got.Lines != len(h.lines) {
		h.t.Errorf("blame has %d lines, want %d", got.Lines, len(h.lines))
	}
	for _, r := range got.Ranges {
		for _, l := range h.lines[r.From-1 : r.To] {
			byCall := strings.HasPrefix(l.by, "t")
			if byCall {
				all++
			}
			switch {
			case r.Call != nil && r.Call.ID == l.by:
				right++
			case r.Call != nil:
				h.t.Errorf("line %q has call %s, want %s", l.text, r.Call.ID, l.by)
			case r.Formatted != nil && r.Formatted.ID != l.words:
				h.t.Errorf("line %q was formatted from call %s, want %s", l.text, r.Formatted.ID, l.words)
			}
		}
	}
	return right, all
}
