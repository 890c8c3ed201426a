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
	"viewer/internal/testing/schemacheck"
)

// A history is a repository, what sessions logged of their work in it, and who wrote each line of its file.
type history struct {
	t        *testing.T
	random   *rand.Rand
	root     string
	projects string
	file     string // its name now
	lines    []written
	now      time.Time
	marks    int
	log      strings.Builder // of the session that runs
	session  int
	calls    int
}

// A written line says who wrote it: the id of a call, or a name of somebody else; words is who wrote it but for its
// blanks.
type written struct{ text, by, words string }

func (h *history) text() string {
	var b strings.Builder
	for _, l := range h.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// block is a function of a writer, or a statement for the inside of one.
func (h *history) block(by string, whole bool) []written {
	h.marks++
	lines := []string{fmt.Sprintf("return of(%q, %d)", by, h.marks)}
	if whole {
		lines = []string{fmt.Sprintf("func number%d() {", h.marks)}
		for i := range 2 + h.random.IntN(4) {
			lines = append(lines, fmt.Sprintf("call(%d, %d)", h.marks, i))
		}
		lines = append(lines, "}", "")
	}
	all := make([]written, len(lines))
	for i, l := range lines {
		all[i] = written{l, by, by}
	}
	return all
}

// between is a place between two functions.
func (h *history) between() int {
	var places []int
	for i, l := range h.lines {
		if strings.HasPrefix(l.text, "func") {
			places = append(places, i)
		}
	}
	return append(places, len(h.lines))[h.random.IntN(len(places)+1)]
}

// inside is a line of a function, of which no other reads the same.
func (h *history) inside() (int, bool) {
	for range 20 {
		if at := h.random.IntN(len(h.lines)); strings.HasSuffix(h.lines[at].text, ")") && strings.Count(h.text(),
			h.lines[at].text) == 1 {
			return at, true
		}
	}
	return 0, false
}

// record writes a record of the log.
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

// call logs a call and its result.
func (h *history) call(id, tool string, in, result map[string]any) {
	h.record("assistant", "", []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": in}})
	structured, err := json.Marshal(result)
	if err != nil {
		h.t.Fatal(err)
	}
	h.record("user", `"toolUseResult":`+string(structured)+`,`, []any{map[string]any{"type": "tool_result",
		"tool_use_id": id, "content": "ok"}})
}

// edit lets a call of the session write.
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
	case 0: // all of it
		h.lines = slices.Insert(h.lines, h.between(), h.block(id, true)...)
		write()
		return
	case 1: // a function goes elsewhere
		if h.move() {
			write()
			return
		}
	}
	at, ok := h.inside()
	if !ok {
		return
	}
	old := h.lines[at].text
	lines := h.block(id, h.random.IntN(2) == 0)
	if len(lines) > 1 { // a function in the place of a statement is none, but a call may write anything
		lines = lines[1 : len(lines)-2]
	}
	if h.random.IntN(2) == 0 {
		lines = append([]written{h.lines[at]}, lines...)
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

// move puts a function elsewhere.
func (h *history) move() bool {
	from := h.between()
	if from == len(h.lines) {
		return false
	}
	to := from + slices.IndexFunc(h.lines[from:], func(l written) bool { return l.text == "" }) + 1
	block := slices.Clone(h.lines[from:to])
	h.lines = slices.Delete(h.lines, from, to)
	h.lines = slices.Insert(h.lines, h.between(), block...)
	return true
}

// others lets somebody else write: a person, a command, a formatter.
func (h *history) others() {
	h.now = h.now.Add(time.Minute)
	switch h.random.IntN(5) {
	case 0:
		for i, l := range h.lines {
			if strings.HasPrefix(l.text, "return") || strings.HasPrefix(l.text, "call") {
				h.lines[i] = written{"\t" + l.text, "formatter", l.words}
			}
		}
	case 1:
		h.move()
	case 2:
		h.lines = slices.Insert(h.lines, h.between(), h.block("person", true)...)
	default:
		if at, ok := h.inside(); ok {
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
	c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example", "-c",
		"commit.gpgsign=false", "-c", "init.defaultBranch=main"}, args...)...)
	c.Dir = h.root
	at := h.now.Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (h *history) commit(args ...string) {
	write(h.t, filepath.Join(h.root, h.file), h.text())
	h.git("add", "-A")
	h.git(append([]string{"commit", "-q", "--allow-empty", "-m", "x"}, args...)...)
}

// run is one session.
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
			h.others() // a command or a hook
			if h.random.IntN(2) == 0 {
				h.read()
			}
		}
		h.edit()
	}
	write(h.t, filepath.Join(h.projects, "-w", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", h.session)),
		h.log.String())
}

// TestBlame lets 40 sessions, people, formatters and git work on one file, and asks who wrote each of its lines.
func TestBlame(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there:", err)
	}
	right, all := 0, 0
	for seed := range uint64(3) {
		dir := t.TempDir()
		h := &history{
			t: t, random: rand.New(rand.NewPCG(seed, 9)), root: filepath.Join(dir, "w"), projects: filepath.Join(dir,
				"projects"),
			file: "a.go", now: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC),
		}
		if err := os.MkdirAll(h.root, 0o755); err != nil {
			t.Fatal(err)
		}
		h.git("init", "-q")
		for range 4 {
			h.lines = append(h.lines, h.block("begin", true)...)
		}
		h.commit()
		for i := range 40 {
			h.run()
			if h.random.IntN(3) == 0 {
				h.others()
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
	t.Logf("of %d lines of calls %d are named after the right one", all, right)
	if right*100 < all*95 {
		t.Errorf("of %d lines of calls only %d are named after the right one", all, right)
	}
}

// check asks the program. No line of others may be named after a call, nor one of a call after another.
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
		h.t.Errorf("%d lines, want %d", got.Lines, len(h.lines))
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
				h.t.Errorf("line %q of %s is named after %s", l.text, l.by, r.Call.ID)
			case r.Formatted != nil && r.Formatted.ID != l.words:
				h.t.Errorf("the words of line %q, of %s, are named after %s", l.text, l.words, r.Formatted.ID)
			}
		}
	}
	return right, all
}
