package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxComplexity = 30
	maxColumns    = 120
	columnsPerTab = 4

	// A line may be too long if it has a string of at least longText columns and at most besideText other columns.
	longText   = 80
	besideText = 40
)

// checkReadable checks the functions and lines of all Go files, including tests, against their limits.
func checkReadable(sources []source) []string {
	var findings []string
	find := func(format string, args ...any) { findings = append(findings, fmt.Sprintf(format, args...)) }
	for _, s := range sources {
		for _, d := range s.file.Decls {
			if n := complexity(d); n > maxComplexity {
				find("%s: %s has a cyclomatic complexity of %d, over %d: cut it into functions that each do one thing",
					s.at(d), declName(d), n, maxComplexity)
			}
		}
		for _, line := range longLines(s) {
			find("%s:%d: over %d columns: wrap the line, or put the text it holds on a line of its own",
				s.path, line, maxColumns)
		}
	}
	return findings
}

// declName returns the name of a function, after its receiver type if it has one, or the keyword of another
// declaration.
func declName(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return d.(*ast.GenDecl).Tok.String()
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// complexity returns the cyclomatic complexity of a declaration: one, plus one for each branch, loop, case and logical
// operator. Functions inside it are included.
func complexity(d ast.Decl) int {
	n := 1
	ast.Inspect(d, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// longLines returns the numbers of lines over maxColumns. Lines of data may be longer: lines of a multi-line string, a
// line with a long string and little else, an element of a composite literal that is alone on its line and holds a
// string and no function, the tag of a field, the path of an import, and compiler directives.
func longLines(s source) []int {
	var long []int
	for i, line := range bytes.Split(s.text, []byte("\n")) {
		if utf8.RuneCount(line)+bytes.Count(line, []byte("\t"))*(columnsPerTab-1) > maxColumns {
			long = append(long, i+1)
		}
	}
	if long == nil {
		return nil
	}
	data := dataLines(s)
	return slices.DeleteFunc(long, func(line int) bool { return data[line] })
}

func dataLines(s source) map[int]bool {
	data := map[int]bool{}
	lines := bytes.Split(s.text, []byte("\n"))
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			data[s.line(n.Pos())] = true
		case *ast.Field:
			if n.Tag != nil {
				data[s.line(n.Tag.Pos())] = true
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				markString(s, n, lines, data)
			}
		case *ast.CompositeLit:
			for _, row := range n.Elts {
				if isText(row) && s.fills(row, lines) {
					data[s.line(row.Pos())] = true
				}
			}
		}
		return true
	})
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") {
				data[s.line(c.Pos())] = true
			}
		}
	}
	return data
}

func markString(s source, n *ast.BasicLit, lines [][]byte, data map[int]bool) {
	first, last := s.line(n.Pos()), s.line(n.End())
	if first == last {
		rest := utf8.RuneCount(bytes.TrimSpace(lines[first-1])) - utf8.RuneCountInString(n.Value)
		if utf8.RuneCountInString(n.Value) >= longText && rest <= besideText {
			data[first] = true
		}
		return
	}
	for line := first; line <= last; line++ {
		data[line] = true
	}
}

// isText reports whether an element of a composite literal holds a string and no function.
func isText(row ast.Expr) bool {
	text, code := false, false
	ast.Inspect(row, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			text = text || n.Kind == token.STRING
		case *ast.FuncLit:
			code = true
		}
		return true
	})
	return text && !code
}

func (s source) line(p token.Pos) int { return s.fset.Position(p).Line }

// fills reports whether a node is on one line, with nothing but punctuation beside it.
func (s source) fills(n ast.Node, lines [][]byte) bool {
	from, to := s.fset.Position(n.Pos()), s.fset.Position(n.End())
	if from.Line != to.Line {
		return false
	}
	line := lines[from.Line-1]
	return len(bytes.TrimSpace(line[:from.Column-1])) == 0 && len(bytes.Trim(line[to.Column-1:], ",})")) == 0
}
