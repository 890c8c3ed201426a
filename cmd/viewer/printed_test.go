package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"viewer/internal/listing"
	"viewer/internal/testing/attacks"
	"viewer/internal/testing/corpus"
)

// interpreted matches the control sequences that terminals, and the commands that runners of CI services, interpret.
var interpreted = regexp.MustCompile(`(?m)^[\s\p{Z}]*::.*|##[A-Za-z]{0,32}\[.*` +
	`|[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}].*`)

const hostile = "::error::pwned ##[error]pwned ##vso[task.x]pwned \x1b]52;c;cHdu\x07 \x1b[31m \u009b31m\u0085 \u202epwned\u2066\u200f " +
	"</details></summary><script>pwned()</script><!--\n::error::pwned\r::error::pwned\n##[group]pwned"

// blamedFile writes a session that wrote a file, with hostile text in each field.
func blamedFile(t *testing.T, dir, projects string) string {
	t.Helper()
	file := filepath.Join(dir, "blamed")
	write(t, file, hostile)
	quote := func(s string) string {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	text := quote(hostile)
	write(t, filepath.Join(projects, "-blamed", "b1a3ed00-0000-4000-8000-000000000000.jsonl"), fmt.Sprintf(
		`{"type":"user","uuid":"1","sessionId":%s,"cwd":%s,"message":{"content":%[1]s}}
{"type":"assistant","uuid":%[1]s,"message":{"id":%[1]s,"model":%[1]s,"content":[{"type":"tool_use","id":%[1]s,"name":"Write","input":{"file_path":%[3]s,"content":%[1]s}}]}}
{"type":"user","uuid":"3","message":{"content":[{"type":"tool_result","tool_use_id":%[1]s,"content":"x"}]},"toolUseResult":{"type":"create","content":%[1]s}}
`, text, quote(dir), quote(file)))
	return file
}

// TestNothingPrintedIsInterpreted runs each command with sessions that contain text which terminals, runners or
// browsers would interpret. In one session each string is hostile once, one string of a record at a time, so that each
// record keeps its type. In another one all strings are hostile.
func TestNothingPrintedIsInterpreted(t *testing.T) {
	corpus.Long(t)
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	all, err := attacks.Session(hostile)
	if err != nil {
		t.Fatal(err)
	}
	projects, name := filepath.Join(dir, "projects"), "-srv-::error::\x1b[31m##[error]\u202e"
	if runtime.GOOS == "windows" {
		name = "-srv"
	}
	one := filepath.Join(projects, name, "5e551000-0000-4000-8000-000000000000.jsonl")
	each := filepath.Join(projects, name, "5e551000-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(one), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{one: all, each: sessionOfHostileStrings(t)} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	blamed := blamedFile(t, dir, projects)
	commands := [][]string{
		{"blame", blamed, "--source", projects}, {"blame", blamed, "--source", projects, "--color", "always"},
		{"blame", blamed, "--source", projects, "--json"}, {"blame", blamed, "--source", projects, "--export",
			"agent-trace"},
		{"check", projects}, {"check", projects, "--json"},
		{"list", projects}, {"list", projects, "--json"}, {"list", projects, "--color", "always"},
		{"show", each}, {"show", one, "--color", "always"},
		{"diff", one, "--stat"}, {"diff", one, "--color", "always"}, {"open", "5e55", "--source", projects},
		{"open", name},
		{"search", "pwned", "--source", projects, "-n", "1000"},
		{"search", "pwned", "--source", projects, "--color", "always"},
		{"search", "pwned", "--source", projects, "--json", "-n", "1000"},
		{"build", projects, "-o", filepath.Join(dir, "site"), "-v"},
		{"build", projects, "-o", filepath.Join(dir, "site"), "--strict"},
		{"compare", one, each, "-o", filepath.Join(dir, "compared")},
		{"plan", projects, "-o", filepath.Join(dir, "sharded"), "--shards", "1"},
		{"merge", filepath.Join(dir, "sharded")}, // a part is missing
		{"build", projects, "-o", filepath.Join(dir, "sharded"), "--shard", "0/1", "--strict"},
		{"merge", filepath.Join(dir, "sharded"), "--strict"},
		{"archive", projects, "-o", filepath.Join(dir, "archive"), "--machine", "m"},
		{"archive", "verify", filepath.Join(dir, "archive"), projects},
		{"archive", "restore", filepath.Join(dir, "archive"), "-o", filepath.Join(dir, "restored"), "-v"},
		{"list", filepath.Join(dir, "archive")},
		{"publish", filepath.Join(dir, "public"), projects, "--yes", "-v"},
		{"publish", filepath.Join(dir, "public"), "--list"},
		{"report", projects, "--fail-on", "error,denied,problem"}, {"report", one, "--summary", "-", "--json", "-"},
		{"report", projects, "--matrix"},
		{"__complete", "export", "--source", projects, "5"}, {"export", "5e55", "--source", projects},
		{"list", filepath.Join(dir, name)}, {"list", "--project", name, projects},
		{"build", "--config", filepath.Join(dir, name)},
		{name}, {"list", "--" + name}, {"help", name}, {"config", "--config", filepath.Join(dir, name)},
	}
	commands = append(commands, []string{"stats", projects}, []string{"stats", projects, "--json"})
	for _, by := range []string{listing.ByDay, listing.ByProject, listing.ByModel, listing.ByTool, listing.ByBranch} {
		commands = append(commands, []string{"stats", projects, "--by", by})
	}
	for _, format := range formatNames() {
		file := each
		if format == "html" {
			file = one // its page has a tenth of the size
		}
		commands = append(commands, []string{"export", file, "--format", format})
	}
	// These keep running until they are stopped, or print only constant text. Their messages go through the same
	// functions.
	tried := map[string]bool{
		"serve": true, "watch": true, "completion": true, "trust": true, "version": true, "licenses": true,
		"mcp": true, // see TestNothingAnsweredIsInterpreted
	}
	for _, args := range commands {
		tried[args[0]] = true
	}
	for _, c := range newRoot(newUI(io.Discard, io.Discard)).Commands() {
		if !tried[c.Name()] {
			t.Errorf("viewer %s is not tested", c.Name())
		}
	}
	for _, args := range commands {
		printed := runViewer(args)
		if len(printed) == 0 {
			t.Errorf("viewer %q prints nothing, want output to check", args)
		}
		if args[0] != "search" && !slices.Contains(args, "always") {
			checkOutput(t, args, printed)
		}
		checkOutput(t, args, withoutStyles.ReplaceAllString(printed, ""))
		if args[0] == "report" && !slices.Contains(args, "--json") || slices.Contains(args, "md") {
			checkMarkdown(t, args, []byte(printed))
		}
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	for line := range strings.Lines(runViewer([]string{"report", projects, "--fail-on", "error,denied,problem"})) {
		checkOutput(t, []string{"report under GitHub Actions"}, ownCommand.ReplaceAllString(line, ""))
	}
}

var (
	withoutStyles = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33|36|1;31|1;33|1;36)m")
	ownCommand    = regexp.MustCompile(`^::(error|warning) `) // which the runner should interpret
)

func checkOutput(t *testing.T, args []string, printed string) {
	t.Helper()
	for i, at := range interpreted.FindAllStringIndex(printed, 4) {
		before := max(0, at[0]-60)
		t.Errorf("viewer %q prints text that is interpreted (%d): %q",
			args, i, printed[before:min(len(printed), at[0]+60)])
	}
}

var ownTags = regexp.MustCompile(`</?(details|summary|b|code)>|<details open>`)

// checkMarkdown reports HTML that the viewer does not write itself. (The browser tests check it with another parser.)
func checkMarkdown(t *testing.T, args []string, src []byte) {
	t.Helper()
	check := func(lines *text.Segments) {
		if raw := lines.Value(src); bytes.IndexByte(ownTags.ReplaceAll(raw, nil), '<') >= 0 {
			t.Errorf("viewer %q: the Markdown has HTML: %.200q", args, raw)
		}
	}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.RawHTML:
			check(n.Segments)
		case *ast.HTMLBlock:
			check(n.Lines())
		}
		return ast.WalkContinue, nil
	})
}

// runViewer runs a command and returns all that it prints.
func runViewer(args []string) string {
	var out bytes.Buffer
	u := newUI(&out, &out)
	root := newRoot(u)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(context.Background())
	u.command = c
	u.fail(err)
	return out.String()
}

// sessionOfHostileStrings returns a session with the records of each place of attacks, repeated so that each string is
// hostile once. A string at the same path of a record of the same kind is not repeated.
func sessionOfHostileStrings(t *testing.T) []byte {
	places, err := attacks.Places()
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	tried := make(map[string]bool)
	for _, p := range places {
		for turn := 0; ; turn++ {
			w := stringReplacer{left: turn, tried: tried}
			var group []byte
			for i, raw := range p.Records {
				var r map[string]any
				if err := json.Unmarshal(raw, &r); err != nil {
					t.Fatal(err)
				}
				for name, value := range map[string]string{"uuid": fmt.Sprintf("%08x-%04x-4000-8000-000000000001",
					len(out), i), "cwd": "/srv/w",
					"sessionId": "5e551000-0000-4000-8000-000000000001", "timestamp": "2026-06-01T08:00:00.000Z",
					"gitBranch": "main", "version": "2.1.0"} {
					if r[name] == nil {
						r[name] = value
					}
				}
				data, err := json.Marshal(w.replace(r, kindOf(r)))
				if err != nil {
					t.Fatal(err)
				}
				group = append(append(group, data...), '\n')
			}
			if w.left >= 0 {
				break // there are no more strings
			}
			if w.again {
				continue
			}
			for i, id := range []string{"%I", "%J", "%K", "%L"} {
				group = bytes.ReplaceAll(group, []byte(id), fmt.Appendf(nil, "%08x%d", len(out), i))
			}
			out = append(out, bytes.ReplaceAll(group, []byte("%T"), []byte("some words"))...)
		}
	}
	if n := len(tried); n < 300 {
		t.Errorf("%d strings are hostile, want at least 300", n)
	}
	return out
}

// kindOf returns the kind of a record, to compare paths of strings only within a kind.
func kindOf(r map[string]any) string {
	kind := fmt.Sprint(r["type"], r["subtype"])
	if a, ok := r["attachment"].(map[string]any); ok {
		kind += fmt.Sprint(a["type"])
	}
	return kind
}

// stringReplacer makes one of the strings of some values hostile.
type stringReplacer struct {
	left  int // strings before that one; negative when it is replaced
	tried map[string]bool
	again bool // its path was tested before
}

func (w *stringReplacer) replace(v any, path string) any {
	switch v := v.(type) {
	case string:
		if w.left--; w.left == -1 {
			w.again = w.tried[path]
			w.tried[path] = true
			return hostile
		}
	case []any:
		for i := range v {
			v[i] = w.replace(v[i], path+"[]")
		}
	case map[string]any:
		if kind, ok := v["type"].(string); ok {
			path += " " + kind
		}
		if name, ok := v["name"].(string); ok && v["input"] != nil {
			path += " " + name
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = w.replace(v[name], path+"."+name)
		}
	}
	return v
}
