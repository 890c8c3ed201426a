package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// module is the prefix of the import paths of this module.
const module = "viewer"

// source is one Go file.
type source struct {
	path    string // relative to the root of the module
	text    []byte
	file    *ast.File
	fset    *token.FileSet
	imports map[string]string // name in this file -> import path
	nested  bool              // in a module below this one
}

// parseModule reads the Go files below root, including tests and nested modules. It skips testdata and folders that the
// go command ignores.
func parseModule(root fs.FS) ([]source, error) {
	var sources []source
	fset := token.NewFileSet()
	modules := map[string]bool{} // by folder: whether it is in a nested module
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(name) {
				return fs.SkipDir
			}
			_, err := fs.Stat(root, path.Join(name, "go.mod"))
			modules[name] = name != "." && (err == nil || modules[path.Dir(name)])
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		sources = append(sources, source{name, text, file, fset, importsOf(file), modules[path.Dir(name)]})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the module: %w", err)
	}
	return sources, nil
}

func skipped(folder string) bool {
	base := path.Base(folder)
	return base == "testdata" || base == "vendor" || base == "node_modules" ||
		folder != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
}

// byFolder groups the files of the module itself, without tests, by folder. A folder with only tests has an empty
// entry.
func byFolder(sources []source) map[string][]source {
	packages := map[string][]source{}
	for _, s := range sources {
		folder := path.Dir(s.path)
		switch {
		case s.nested:
		case strings.HasSuffix(s.path, "_test.go"):
			packages[folder] = append(packages[folder], nil...)
		default:
			packages[folder] = append(packages[folder], s)
		}
	}
	return packages
}

func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser accepts only valid paths
		}
		name := path.Base(p)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" {
			name = path.Base(path.Dir(p)) // as in math/rand/v2
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = p
	}
	return imports
}

// at returns the position of a node as file and line.
func (s source) at(n ast.Node) string {
	p := s.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", s.path, p.Line)
}

// member returns the package path and the name in an expression like time.Now.
func (s source) member(e ast.Expr) (pkg, name string) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	return s.imports[id.Name], sel.Sel.Name
}
