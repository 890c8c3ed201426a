//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
)

// TestDocs runs the commands that the pages in docs show: each block of code with the language console, in the order of
// the page, in a folder and a home that have sessions.
//
// A line that begins with "$ " is a command. The lines up to the next command are what it prints, on both channels. "…"
// stands for any words, and on a line of its own for any lines. A block that ends in "^C" shows a program that keeps
// running: it is stopped when it has printed the lines before.
//
// A block with a path after its language is a file, which is written there.
func TestDocs(t *testing.T) {
	pages := slices.DeleteFunc(golden.Glob(t, "../../docs/*.md"), func(page string) bool {
		return filepath.Base(page) == "extending.md"
	})
	runPages(t, append(pages, "../../README.md"))
}

// TestExtending does the same with extending.md. Its commands run in a copy of the source tree and compile the program
// there.
func TestExtending(t *testing.T) {
	if !corpus.Full() {
		t.Skip("compiles the program again; make test runs it, or set " + corpus.All + "=all")
	}
	runPages(t, []string{"../../docs/extending.md"})
}

func runPages(t *testing.T, pages []string) {
	dir := t.TempDir()
	blocks := make(map[string][]docCommand)
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks[name] = docCommands(string(text))
		if len(blocks[name]) == 0 {
			if name != "README" {
				t.Errorf("%s shows no command", page)
			}
			continue
		}
		var script strings.Builder
		for i := range blocks[name] {
			fmt.Fprintf(&script, "console %s %d\n", name, i)
		}
		write(t, filepath.Join(dir, name+".txtar"), script.String())
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("TZ", "UTC")
			for from, to := range map[string]string{
				"../../testdata/projects": "home/.claude/projects", "testdata/docs": ".",
			} {
				if err := os.CopyFS(filepath.Join(e.WorkDir, to), os.DirFS(from)); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"console": func(ts *testscript.TestScript, _ bool, args []string) {
				i, err := strconv.Atoi(args[1])
				ts.Check(err)
				dir := ts.Getenv("WORK")
				if args[0] == "extending" {
					dir = filepath.Join(dir, "tree")
					if i == 0 {
						copyTree(ts, dir)
					}
				}
				blocks[args[0]][i].run(ts, dir)
			},
		},
	})
}

// A docCommand is one command of a page with the output that the page shows, or a file of it.
type docCommand struct {
	line    string
	want    []string
	stopped bool

	file, text string
}

var fenced = regexp.MustCompile("(?ms)^ *```(console|[a-z]+ ([^\\s`]+))\n(.*?)^ *```$")

func docCommands(page string) []docCommand {
	var all []docCommand
	for _, block := range fenced.FindAllStringSubmatch(page, -1) {
		if block[2] != "" {
			all = append(all, docCommand{file: block[2], text: block[3]})
			continue
		}
		for line := range strings.Lines(block[3]) {
			line = strings.TrimSuffix(line, "\n")
			words, isCommand := strings.CutPrefix(line, "$ ")
			switch {
			case isCommand:
				all = append(all, docCommand{line: words})
			case line == "^C":
				all[len(all)-1].stopped = true
			default:
				last := &all[len(all)-1]
				last.want = append(last.want, line)
			}
		}
	}
	return all
}

// pattern returns a pattern that the output must match.
func (c docCommand) pattern() *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for _, line := range c.want {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " ")), "…", `[^\n]*`) + ` *\n`)
	}
	if !c.stopped {
		b.WriteString(`\z`)
	}
	return regexp.MustCompile(b.String())
}

// copyTree copies the module without its pages and browser tests.
func copyTree(ts *testscript.TestScript, dir string) {
	ts.Check(filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case d.IsDir() && (name == "e2e" || name == "docs" || name != "../.." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	}))
}

// goFolders returns settings of the go command. Its caches would otherwise be in the temporary home of a page.
var goFolders = sync.OnceValue(func() []string {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	folders := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(folders) != 2 {
		return nil
	}
	// With -trimpath, packages that did not change are compiled once, wherever the copy is.
	return []string{"GOCACHE=" + folders[0], "GOMODCACHE=" + folders[1], "GOFLAGS=-trimpath -vet=off -ldflags=-w"}
})

func (c docCommand) run(ts *testscript.TestScript, dir string) {
	if c.file != "" {
		path := filepath.Join(dir, filepath.FromSlash(c.file))
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
		ts.Check(os.WriteFile(path, []byte(c.text), 0o666))
		return
	}
	cmd := exec.Command("bash", "-c", c.line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "PATH="+ts.Getenv("PATH"), "TZ=UTC", "CI=",
		"GITHUB_ACTIONS=", "LC_ALL=C", "CLAUDE_CONFIG_DIR=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME="+
			filepath.Join(ts.Getenv("WORK"), "cache"))
	// The tests of a copy run as go test does without settings: make test runs all of each test in the tree itself.
	cmd.Env = append(cmd.Env, corpus.All+"=")
	if strings.HasPrefix(c.line, "go ") {
		cmd.Env = append(cmd.Env, goFolders()...)
	}
	out := new(lockedBuffer)
	cmd.Stdout, cmd.Stderr = out, out
	var err error
	if c.stopped {
		cmd.Args = []string{"bash", "-c", "exec " + c.line} // so that the signal reaches the program, not a shell
		ts.Check(cmd.Start())
		for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if c.pattern().MatchString(out.String()) {
				break
			}
		}
		ts.Check(cmd.Process.Signal(os.Interrupt))
		err = cmd.Wait()
		if cmd.ProcessState.ExitCode() == exitInterrupted {
			err = nil
		}
	} else {
		err = cmd.Run()
	}
	ts.Logf("$ %s\n%s", c.line, out)
	shown := slices.ContainsFunc(c.want, func(line string) bool { return strings.HasPrefix(line, "viewer: error: ") })
	// A command may exit with 3: it worked and found problems.
	if code := cmd.ProcessState.ExitCode(); err != nil && code != exitProblems && !(code == exitFailed && shown) {
		ts.Fatalf("%v", err)
	}
	if !c.pattern().MatchString(out.String()) {
		ts.Fatalf("the output differs from that of the page:\n%s", strings.Join(c.want, "\n"))
	}
}

// lockedBuffer is a buffer that standard output and standard error write to at the same time.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDocLinks checks that the targets of relative links in the pages exist.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	code := regexp.MustCompile("`[^`\n]*`") // text in which links do not count
	for _, page := range append(golden.Glob(t, "../../docs/*.md"), golden.Glob(t, "../../*.md")...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), "`"), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			}
		}
	}
}
