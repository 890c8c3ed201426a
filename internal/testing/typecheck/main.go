// Command typecheck type-checks all packages and their tests for other systems, from source. It takes a few seconds for
// each system, while compiling takes a minute. It is never part of the program:
//
//	go run ./internal/testing/typecheck -tags cloud,parquet linux/arm64 windows/amd64
package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("typecheck: ")
	tags := flag.String("tags", "", "build tags, separated by commas")
	flag.Parse()
	root, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	wrong := false
	p := &parsed{root: root, set: token.NewFileSet(), files: make(map[string]file)}
	for _, target := range flag.Args() {
		problems, err := check(p, target, *tags)
		if err != nil {
			log.Fatalf("%s: %v", target, err)
		}
		for _, p := range problems {
			wrong = true
			log.Printf("%s: %s", target, p)
		}
	}
	if wrong {
		os.Exit(1)
	}
}

// check returns the type errors of a module for a target such as "linux/arm64". Errors of other modules and of the
// standard library do not count.
func check(files *parsed, target, tags string) ([]string, error) {
	system, arch, _ := strings.Cut(target, "/")
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes,
		Fset:       files.set,
		Dir:        files.root,
		Env:        append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=" + tags},
		Tests:      true,
		ParseFile:  files.parse,
	}, "./...")
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, p := range all {
		if strings.HasSuffix(p.PkgPath, ".test") {
			continue // generated, and outside of root
		}
		for _, e := range p.Errors {
			problems = append(problems, e.Error())
		}
	}
	return problems, nil
}

// parsed are the files of all targets, each parsed once: targets differ in few files.
type parsed struct {
	root string // of the module
	set  *token.FileSet

	mu    sync.Mutex
	files map[string]file
}

type file struct {
	syntax *ast.File
	err    error
}

// parse parses a file. Files of other modules and of the standard library lose what is not needed for their types.
func (p *parsed) parse(_ *token.FileSet, name string, src []byte) (*ast.File, error) {
	p.mu.Lock()
	f, known := p.files[name]
	p.mu.Unlock()
	if known {
		return f.syntax, f.err
	}
	f.syntax, f.err = parser.ParseFile(p.set, name, src, parser.SkipObjectResolution)
	if f.syntax != nil && !isBelow(p.root, name) {
		dropValues(f.syntax)
	}
	p.mu.Lock()
	p.files[name] = f
	p.mu.Unlock()
	return f.syntax, f.err
}

func isBelow(root, name string) bool {
	return strings.HasPrefix(name, root+string(filepath.Separator))
}

// dropValues removes the bodies of functions and the elements of tables.
func dropValues(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Body = nil
		case *ast.FuncLit:
			n.Body = &ast.BlockStmt{}
		case *ast.CompositeLit:
			if !isCounted(n.Type) {
				n.Elts = nil
			}
		}
		return true
	})
}

// isCounted reports whether a type is an array whose length is the number of its elements.
func isCounted(t ast.Expr) bool {
	array, is := t.(*ast.ArrayType)
	if !is {
		return false
	}
	_, counted := array.Len.(*ast.Ellipsis)
	return counted
}
