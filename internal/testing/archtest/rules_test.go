package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// check applies all rules to all packages. Each finding says how to fix it.
func check(packages map[string][]source) []string {
	var findings []string
	find := func(format string, args ...any) { findings = append(findings, fmt.Sprintf(format, args...)) }
	tools := maps.Clone(toolNames)
	maps.Copy(tools, registeredTools(packages["internal/tools"]))
	for word := range ordinaryWords {
		delete(tools, word)
	}

	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		if _, known := allowedFor(folder); !known {
			find("package %s is not in the import table: add it to mayImport in internal/testing/archtest/table_test.go and to ARCHITECTURE.md, or put its files into a package that is there", folder)
		}
		for _, s := range packages[folder] {
			checkImports(s, folder, find)
			checkStatements(s, folder, find)
			if folder == "normalize" && knowsTools[s.path] == "" {
				checkToolNames(s, tools, find)
			}
		}
	}
	return findings
}

// isForTests reports whether a package is not part of the product: a helper of tests, or a separate command.
func isForTests(folder string) bool {
	return strings.HasPrefix(folder, "internal/testing/") || commands[folder]
}

type finder func(format string, args ...any)

func checkImports(s source, folder string, find finder) {
	allowed, _ := allowedFor(folder)
	for _, spec := range s.file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		ours, isOurs := strings.CutPrefix(p, module+"/")
		switch {
		case isOurs && isForTests(ours) && !isForTests(folder):
			find("%s: imports %s: what is in internal/testing is for tests only; import it in a _test.go file", s.at(spec), p)
		case isOurs && !slices.Contains(allowed, ours) && !(folder == sourceList && isSource(ours)):
			find("%s: %s may not import %s: pass what is needed as a value, or change the table in internal/testing/archtest/table_test.go and in ARCHITECTURE.md", s.at(spec), folder, ours)
		case (pure[folder] || isSource(folder)) && impure[p]:
			find("%s: %s is pure and may not import %s: let sitegen do it and pass the result in", s.at(spec), folder, p)
		case p == "golang.org/x/sync/errgroup" && !concurrent[folder]:
			find("%s: %s starts goroutines by %s: only sitegen, watch and serve do", s.at(spec), folder, p)
		}
	}
}

func checkStatements(s source, folder string, find finder) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !concurrent[folder] {
				find("%s: a goroutine in %s: only sitegen, watch and serve start them; give the work to their pool", s.at(n), folder)
			}
		case *ast.SelectorExpr:
			checkMember(s, folder, n, find)
		case *ast.CallExpr:
			checkCall(s, folder, n, find)
		}
		return true
	})
}

func checkMember(s source, folder string, n *ast.SelectorExpr, find finder) {
	pkg, name := s.member(n)
	switch {
	case pkg == "time" && clock[name] && (pure[folder] || isSource(folder)):
		find("%s: time.%s in %s, which is pure: take the time as an argument", s.at(n), name, folder)
	case folder == mayPrint || commands[folder]:
	case pkg == "fmt" && strings.HasPrefix(name, "Print"),
		pkg == "os" && (name == "Stdout" || name == "Stderr" || name == "Exit"),
		pkg == "log":
		find("%s: %s.%s in %s: only %s prints and exits; return a value or an error", s.at(n), pkg, name,
			folder, mayPrint)
	}
}

func checkCall(s source, folder string, n *ast.CallExpr, find finder) {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if (f.Name == "print" || f.Name == "println") && folder != mayPrint && !commands[folder] {
			find("%s: %s in %s: only %s prints", s.at(n), f.Name, folder, mayPrint)
		}
	case *ast.SelectorExpr:
		// Functions like sync.WaitGroup.Go take one function.
		if f.Sel.Name != "Go" || len(n.Args) != 1 || concurrent[folder] {
			return
		}
		if _, ok := n.Args[0].(*ast.FuncLit); ok {
			find("%s: a goroutine in %s: only sitegen, watch and serve start them; give the work to their pool", s.at(n), folder)
		}
	}
}

func checkToolNames(s source, tools map[string]bool, find finder) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && tools[text] {
			find("%s: normalize names the tool %q: what is special to a tool belongs into its file in internal/tools", s.at(lit), text)
		}
		return true
	})
}

// registeredTools returns the names in declarations like _ = register(Tool{Name: "Bash", ...}) and _ = plain("LSP",
// ...), so a new tool needs no change here.
func registeredTools(sources []source) map[string]bool {
	names := map[string]bool{}
	for _, s := range sources {
		for _, d := range s.file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			for _, spec := range vars.Specs {
				if v := spec.(*ast.ValueSpec); v.Names[0].Name == "_" && len(v.Values) == 1 {
					if name := firstText(v.Values[0]); name != "" && !alsoWords[name] {
						names[name] = true
					}
				}
			}
		}
	}
	return names
}

// alsoWords are names of tools that normalize may use, because they have another meaning there.
var alsoWords = map[string]bool{
	// kinds of context; the tools are of Qwen Code, Crush and Hermes Agent
	"agent": true, "diagnostics": true, "memory": true, "terminal": true,
}

func firstText(n ast.Node) (text string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && text == "" {
			text, _ = strconv.Unquote(lit.Value)
		}
		return text == ""
	})
	return text
}
