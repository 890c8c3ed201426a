package sitegen

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"

	"golang.org/x/net/html"
)

// TestEveryCallOnce counts independently of the reader: each tool_use of a file is on the pages of its session exactly
// once, with a result if the file has one, and with as many hooks as name it.
func TestEveryCallOnce(t *testing.T) {
	out := t.TempDir()
	buildInto(t, out, testdata)
	checkCalls(t, testdata, out, 0)

	dev, reason := corpus.Find(t, "dev/*")
	if reason != "" {
		t.Skip(reason)
	}
	dev = corpus.Share(dev)
	out = t.TempDir()
	buildInto(t, out, dev...)
	if !testing.Short() {
		checkCalls(t, dev[0], out, 3)
	}
}

// A loggedCall is a call as found in a file.
type loggedCall struct {
	anchor   string
	answered bool
	hooks    int
	oldHooks bool // of 1.0.x, which logged two texts for each hook; one is drawn
}

// checkCalls checks the largest sessions of a source, or all of them.
func checkCalls(t *testing.T, source, site string, largest int) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(source, func(path string, d os.DirEntry, err error) error {
		name := d.Name()
		if err == nil && strings.HasSuffix(name, ".jsonl") && !strings.HasPrefix(name, "agent-") &&
			name != "journal.jsonl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d session files (error %v), want some", len(files), err)
	}
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	slices.SortFunc(files, func(a, b string) int { return int(size(b) - size(a)) })
	if largest > 0 {
		files = files[:largest]
	}
	drawn := drawnCalls(t, filepath.Join(site, "s")) // the history of a fork is on the pages of its original
	counted := 0
	for _, file := range files {
		calls, repeated := loggedCalls(t, file)
		if repeated {
			continue // the file contains a copy of its history: see normalize/testdata/group
		}
		for id, call := range calls {
			counted++
			var found []*html.Node
			for anchor, nodes := range drawn {
				if anchor == call.anchor || strings.HasSuffix(anchor, "-"+call.anchor) { // agents have a prefix
					found = append(found, nodes...)
				}
			}
			if len(found) != 1 {
				t.Errorf("%s: call %s (%s) is drawn %d times, want once",
					filepath.Base(file), id, call.anchor, len(found))
				continue
			}
			class := " " + attr(found[0], "class") + " "
			open := strings.Contains(class, " pending ") || strings.Contains(class, " missing ") ||
				strings.Contains(class, " interrupted ")
			if !call.answered && !open {
				t.Errorf("%s: call %s has no result, but is drawn with class %q", filepath.Base(file), id, class)
			}
			if call.answered && (strings.Contains(class, " pending ") || strings.Contains(class, " missing ")) {
				t.Errorf("%s: call %s has a result, but is drawn with class %q", filepath.Base(file), id, class)
			}
			if got := hooksInside(found[0]); got != call.hooks && !call.oldHooks || call.oldHooks && got == 0 {
				t.Errorf("%s: call %s has %d hooks, want %d", filepath.Base(file), id, got, call.hooks)
			}
		}
	}
	if counted == 0 {
		t.Error("no calls were found, want some")
	}
}

// loggedCalls reads a session file without package transcript. It reports whether a call id occurs twice.
func loggedCalls(t *testing.T, path string) (calls map[string]*loggedCall, repeated bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	calls = make(map[string]*loggedCall)
	hooks := make(map[string]int)
	old := make(map[string]bool)
	answered := make(map[string]bool)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r struct {
			Type, UUID, ToolUseID, ParentToolUseID, Subtype string
			Message                                         struct{ Content json.RawMessage }
			Attachment                                      struct{ Type, ToolUseID, HookEvent string }
			Data                                            struct{ Type string }
		}
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue
		}
		var blocks []struct {
			Type, ID  string
			ToolUseID string `json:"tool_use_id"`
		}
		_ = json.Unmarshal(r.Message.Content, &blocks) // a string has no blocks
		for i, b := range blocks {
			switch b.Type {
			case "tool_use":
				repeated = repeated || calls[b.ID] != nil
				calls[b.ID] = &loggedCall{anchor: shortAnchor(r.UUID, i)}
			case "tool_result":
				answered[b.ToolUseID] = !strings.Contains(lines.Text(), "[Tool result missing due to internal error]")
			}
		}
		switch {
		case r.Type == "attachment" && strings.HasPrefix(r.Attachment.Type, "hook_"):
			hooks[r.Attachment.ToolUseID]++
		case r.Type == "progress" && r.Data.Type == "hook_progress":
			hooks[r.ParentToolUseID]++
		case r.Type == "system" && r.Subtype == "":
			old[r.ToolUseID] = true
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for id, c := range calls {
		c.answered, c.hooks, c.oldHooks = answered[id], hooks[id], old[id]
		if id == "" {
			delete(calls, id)
		}
	}
	return calls, repeated
}

// shortAnchor is Claude Code's deriveShortMessageId, followed by the part.
func shortAnchor(uuid string, part int) string {
	hex := strings.ReplaceAll(uuid, "-", "")
	if len(hex) < 10 {
		return "?"
	}
	n, err := strconv.ParseUint(hex[:10], 16, 64)
	if err != nil {
		return "?"
	}
	s := strconv.FormatUint(n, 36)
	s = s[:min(6, len(s))]
	if part > 0 {
		s += "." + strconv.Itoa(part)
	}
	return s
}

// drawnCalls finds the calls on all pages of a site by their anchors.
func drawnCalls(t *testing.T, dir string) map[string][]*html.Node {
	t.Helper()
	all := make(map[string][]*html.Node)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		root, err := html.Parse(f)
		if err != nil {
			return err
		}
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && hasClass(n, "tool") {
				all[attr(n, "id")] = append(all[attr(n, "id")], n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hooksInside counts the hooks of a call, without those of calls inside it.
func hooksInside(n *html.Node) int {
	count := 0
	for child := range n.ChildNodes() {
		switch {
		case child.Type != html.ElementNode || hasClass(child, "tool"):
		case hasClass(child, "hook"):
			count++
		default:
			count += hooksInside(child)
		}
	}
	return count
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
