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
	for _, target := range flag.Args() {
		problems, err := check(root, target, *tags)
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

// check returns the type errors of the module at root for a target such as "linux/arm64". Other modules and the
// standard library are parsed without the bodies of their functions, and their errors do not count.
func check(root, target, tags string) ([]string, error) {
	system, arch, _ := strings.Cut(target, "/")
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes,
		Dir:        root,
		Env:        append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=" + tags},
		Tests:      true,
		ParseFile: func(files *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
			if f != nil && !isBelow(root, name) {
				dropBodies(f)
			}
			return f, err
		},
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

func isBelow(root, name string) bool {
	return strings.HasPrefix(name, root+string(filepath.Separator))
}

func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}
