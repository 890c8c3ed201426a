package blame

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"viewer/internal/sitegen"
	"viewer/internal/testing/plaingit"
)

// A call is a call of a tool on the file. Those of a session come one after the other.
type call struct {
	session       int
	id, tool      string
	input, result map[string]any
	failed        bool
}

// edit returns an Edit of a file with some text.
func edit(session int, id, before, old, new string) call {
	texts := map[string]any{"oldString": old, "newString": new, "originalFile": before}
	return call{session, id, "Edit", map[string]any{"old_string": old, "new_string": new}, texts, false}
}

// write returns a Write over a file, with or without its text before.
func write(session int, id string, before any, after string) call {
	texts := map[string]any{"type": "update", "content": after}
	if before != nil {
		texts["originalFile"] = before
	}
	return call{session, id, "Write", map[string]any{"content": after}, texts, false}
}

func failed(c call) call {
	c.failed = true
	return c
}

// began is when the first session began. Each next one began a day later.
var began = time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)

// logs writes the log of each session, and returns their folder.
func logs(t *testing.T, root, file string, calls []call) string {
	t.Helper()
	dir := t.TempDir()
	texts := make(map[int]*strings.Builder)
	records := 0
	record := func(session int, kind string, content, result any) {
		records++
		line, err := json.Marshal(map[string]any{
			"type": kind, "uuid": fmt.Sprintf("%08d-aaaa-4111-8111-111111111111", records), "cwd": root,
			"timestamp": began.AddDate(0, 0, session-1).Add(time.Duration(records) * time.Second),
			"message":   map[string]any{"role": kind, "content": content}, "toolUseResult": result,
		})
		if err != nil {
			t.Fatal(err)
		}
		texts[session].Write(append(line, '\n'))
	}
	for _, c := range calls {
		if texts[c.session] == nil {
			texts[c.session] = new(strings.Builder)
			record(c.session, "user", fmt.Sprint("prompt ", c.session), nil)
		}
		c.input["file_path"], c.result["filePath"] = filepath.Join(root, file), filepath.Join(root, file)
		record(c.session, "assistant", []any{map[string]any{"type": "tool_use", "id": c.id, "name": c.tool,
			"input": c.input}}, nil)
		record(c.session, "user", []any{map[string]any{"type": "tool_result", "tool_use_id": c.id,
			"is_error": c.failed, "content": "done"}}, c.result)
	}
	for session, text := range texts {
		write := filepath.Join(dir, fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", session))
		if err := os.WriteFile(write, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writers returns for each line of a file the prompt and the call that wrote it, "-" for none; in parentheses those of
// a line that was formatted.
func writers(t *testing.T, source, file string) string {
	t.Helper()
	text, err := ReadText(file)
	if err != nil {
		t.Fatal(err)
	}
	o := sitegen.Options{Sources: []string{source}, Version: "test"}
	b, err := File(t.Context(), o, Query{File: file, Text: text})
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, r := range b.Answer().Ranges {
		for range r.To - r.From + 1 {
			switch {
			case r.Call != nil:
				all = append(all, strings.TrimPrefix(r.Call.Asked, "prompt ")+":"+r.Call.ID)
			case r.Formatted != nil:
				all = append(all, "("+r.Formatted.ID+")")
			default:
				all = append(all, "-")
			}
		}
	}
	return strings.Join(all, " ")
}

func TestFile(t *testing.T) {
	const long = "a line that is too long to be equal by chance\n"
	for _, c := range []struct {
		name  string
		calls []call
		text  string // of the file now
		want  string
	}{
		{"one call", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\ntwo\n", "- 1:a"},
		{"two sessions: the later one counts", []call{
			edit(1, "a", "one\n", "one", "one\ntwo"), edit(2, "b", "one\ntwo\n", "two", "Two"),
		}, "one\nTwo\n", "- 2:b"},
		{"a call that failed", []call{
			edit(1, "a", "one\n", "one", "one\ntwo"), failed(edit(1, "b", "one\ntwo\n", "two", "Two")),
		}, "one\nTwo\n", "- -"},
		{"a line of somebody else", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\nmine\ntwo\n", "- - 1:a"},
		{"a line that others changed", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\ntwo, changed\n", "- -"},
		{"a line that others formatted", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\n\ttwo\n", "- (a)"},
		{"a line that others moved", []call{edit(1, "a", "one\n", "one", "one\n"+long+"two")}, long + "one\ntwo\n",
			"1:a - 1:a"},
		{"a whole file", []call{write(1, "a", "one\n", "one\ntwo\n")}, "one\ntwo\n", "- 1:a"},
		{"a whole file, the text before is unknown", []call{write(1, "a", nil, "one\ntwo\n")}, "one\ntwo\n", "- -"},
		{"a whole file, others may have changed it before", []call{
			edit(1, "a", "one\n", "one", "one\ntwo"), write(2, "b", nil, "one\ntwo\nmine\n"),
		}, "one\ntwo\nmine\n", "- 1:a -"},
		{"two sessions whose model numbers calls alike", []call{
			edit(1, "Edit:0", "one\n", "one", "one\ntwo"), edit(2, "Edit:0", "one\ntwo\n", "two", "two\nthree"),
		}, "one\ntwo\nthree\n", "- 1:Edit:0 2:Edit:0"},
		{"a call that was copied into another log", []call{
			edit(1, "a", "one\n", "one", "one\ntwo"), edit(2, "a", "one\n", "one", "one\ntwo"),
		}, "one\ntwo\n", "- 1:a"},
		{"CRLF", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\r\ntwo\r\n", "- 1:a"},
		{"no end of the last line any more", []call{edit(1, "a", "one\n", "one", "one\ntwo")}, "one\ntwo", "- (a)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, "a.go")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := writers(t, logs(t, root, "a.go", c.calls), file); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// utf16File returns a text in UTF-16, little endian.
func utf16File(text string) string {
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	return string(data)
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestCommittedBefore: a line that was committed before a session began is not its, in whatever form the file is.
func TestCommittedBefore(t *testing.T) {
	plaingit.Use(t)
	t.Setenv("GIT_COMMITTER_DATE", "2026-04-01T10:00:00Z")
	for name, c := range map[string]struct {
		file, data    string
		before, after string // as the log has them
	}{
		"UTF-8":                    {"a.go", "two\nx\n", "one\nx\n", "two\nx\n"},
		"byte order mark":          {"a.go", "\ufefftwo\nx\n", "one\nx\n", "two\nx\n"},
		"CRLF":                     {"a.go", "two\r\nx\r\n", "one\nx\n", "two\nx\n"},
		"some CRLF":                {"a.go", "two\r\nx\n", "one\r\nx\n", "two\r\nx\n"},
		"UTF-16":                   {"a.go", utf16File("two\nx\n"), "one\nx\n", "two\nx\n"},
		"UTF-16, no end of line":   {"a.go", utf16File("x\ntwo"), "x\none", "x\ntwo"},
		"Latin-1":                  {"a.go", "two caf\xe9\nx\n", "one\nx\n", "two caf\ufffd\nx\n"},
		"a name with a magic word": {":(top)a.go", "two\nx\n", "one\nx\n", "two\nx\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, c.file)
			if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
				t.Skip(err) // the system has no such names
			}
			source := logs(t, root, c.file, []call{write(1, "a", c.before, c.after)})
			if got := writers(t, source, file); !strings.Contains(got, "1:a") {
				t.Errorf("without git: got %s, want a line of the call", got)
			}
			runGit(t, root, "init", "-q")
			runGit(t, root, "add", "-A")
			runGit(t, root, "commit", "-q", "-m", "x")
			if got, want := writers(t, source, file), "- -"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// TestFormerNames: calls that changed a file under an earlier name count, whatever its characters are.
func TestFormerNames(t *testing.T) {
	plaingit.Use(t)
	t.Setenv("GIT_COMMITTER_DATE", "2026-06-01T10:00:00Z")
	for _, name := range []string{"b.go", "übung.go", "a \"b\".go", "a\tb.go"} {
		for _, to := range []string{"c.go", "[id].go", ":c.go"} {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, name), []byte("one\ntwo\n"), 0o600); err != nil {
				t.Skip(err)
			}
			runGit(t, root, "init", "-q")
			runGit(t, root, "add", "-A")
			runGit(t, root, "commit", "-q", "-m", "x")
			if err := os.Rename(filepath.Join(root, name), filepath.Join(root, to)); err != nil {
				t.Skip(err)
			}
			runGit(t, root, "add", "-A")
			runGit(t, root, "commit", "-q", "-m", "y")
			source := logs(t, root, name, []call{edit(1, "a", "one\n", "one", "one\ntwo")})
			if got, want := writers(t, source, filepath.Join(root, to)), "- 1:a"; got != want {
				t.Errorf("%q, then %q: got %s, want %s", name, to, got, want)
			}
		}
	}
}

// TestRangesOfOneLine: a single line is in the singular.
func TestRangesOfOneLine(t *testing.T) {
	b := &Result{file: "pier.go", lines: []fileLine{{number: 1, text: "package pier"}}}
	if got, want := b.Ranges(), "pier.go: calls wrote 0 of 1 line\n\nline 1: unknown\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
