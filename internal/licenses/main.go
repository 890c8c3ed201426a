// Command licenses writes the licences of everything that viewer contains, for "viewer licenses", archives and
// images. It is never part of the program:
//
//	go run ./internal/licenses
//
// They are the licences of the modules that are linked on any system of a release, of Go itself, and of data in the
// tree that comes from other projects. A test checks that the file is up to date.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// file is the file that the command embeds, relative to the root of the module.
const file = "cmd/viewer/licenses.txt"

// systems are those that the program is released for, which link different modules.
var systems = []string{"linux", "darwin", "windows"}

// data has the licence files of data in the tree that comes from other projects, with their folders.
var data = map[string]string{
	"internal/markup/highlight/lexers": "lexers of chroma (https://github.com/alecthomas/chroma), rewritten",

	"internal/redact/rules": "rules for secrets of gitleaks v8.30.1 (https://github.com/gitleaks/gitleaks), rewritten",
}

func main() {
	text, err := collect(".")
	if err == nil {
		err = os.WriteFile(file, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// A part is a component of the program.
type part struct {
	name  string
	files []string // with its terms
}

// collect returns the text for the module in a folder.
func collect(root string) ([]byte, error) {
	parts, err := modules(root)
	if err != nil {
		return nil, err
	}
	own, err := inTree(root)
	if err != nil {
		return nil, err
	}
	goroot, err := output(root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	standard, err := terms(strings.TrimSpace(goroot))
	if err != nil || len(standard) == 0 {
		return nil, fmt.Errorf("no licence of Go in %s: %w", strings.TrimSpace(goroot),
			errors.Join(err, fs.ErrNotExist))
	}
	parts = append([]part{
		{"Go, its runtime and standard library (https://go.dev)", standard},
	}, append(own, parts...)...)

	var b bytes.Buffer
	b.WriteString("viewer\n\n")
	if err := add(&b, filepath.Join(root, "LICENSE")); err != nil {
		return nil, err
	}
	b.WriteString("\nIt contains work of others, some only when built with the tags cloud and parquet as\nreleased programs are, under the terms that follow:\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "  %s\n", p.name)
	}
	var texts []string
	names := make(map[string][]string) // by text: many parts have the same
	for _, p := range parts {
		text, err := p.text()
		if err != nil {
			return nil, err
		}
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], p.name)
	}
	for _, text := range texts {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s", strings.Repeat("=", 78), strings.Join(names[text], "\n"), text)
	}
	return b.Bytes(), nil
}

// text returns the terms of a part.
func (p *part) text() (string, error) {
	var b bytes.Buffer
	for i, f := range p.files {
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := add(&b, f); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// add adds a file, with the line ends of this system.
func add(b *bytes.Buffer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	b.Write(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))))
	b.WriteByte('\n')
	return nil
}

// modules returns the linked modules, sorted by name.
func modules(root string) ([]part, error) {
	found := make(map[string]map[string]bool) // files by module
	for _, system := range systems {
		list, err := output(root, []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"},
			"list", "-tags=cloud,parquet,disable_grpc_modules", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/viewer")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			field := strings.Split(strings.TrimSpace(line), "\t")
			if len(field) != 3 {
				continue
			}
			name, top, dir := field[0], field[1], field[2]
			if found[name] == nil {
				found[name] = make(map[string]bool)
			}
			for { // a package may have its own terms
				files, err := terms(dir)
				if err != nil {
					return nil, err
				}
				for _, f := range files {
					found[name][f] = true
				}
				if dir == top || !strings.HasPrefix(dir, top) {
					break
				}
				dir = filepath.Dir(dir)
			}
		}
	}
	var parts []part
	for name, files := range found {
		p := part{name: name}
		for f := range files {
			p.files = append(p.files, f)
		}
		if len(p.files) == 0 {
			return nil, fmt.Errorf("%s has no file with its licence", name)
		}
		slices.SortFunc(p.files, func(a, b string) int { // those of the module before those of its packages
			return strings.Compare(filepath.Dir(a)+"\x00"+filepath.Base(a), filepath.Dir(b)+"\x00"+filepath.Base(b))
		})
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

// inTree returns the licences of data in the tree. A licence file that is not in the list is an error, and so is an
// entry without a file.
func inTree(root string) ([]part, error) {
	var parts []part
	seen := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if name := d.Name(); rel != "." &&
			(strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata") {
			return fs.SkipDir
		}
		files, err := terms(p)
		if err != nil || len(files) == 0 || rel == "." {
			return err
		}
		name, known := data[filepath.ToSlash(rel)]
		if !known {
			return fmt.Errorf("%s has a licence of its own: say what of, in internal/licenses", rel)
		}
		seen++
		parts = append(parts, part{name, files})
		return nil
	})
	if err == nil && seen < len(data) {
		err = fmt.Errorf("licences of %d folders are in the list, of %d in the tree", len(data), seen)
	}
	return parts, err
}

var isTerms = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents|copyright|attrib)([-.].*)?$`)

// terms returns the licence files of a folder.
func terms(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && isTerms.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// output runs the go command.
func output(dir string, env []string, args ...string) (string, error) {
	c := exec.Command("go", args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	var wrong bytes.Buffer
	c.Stderr = &wrong
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, wrong.Bytes())
	}
	return string(out), nil
}
