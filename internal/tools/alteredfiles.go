package tools

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"viewer/internal/words"
)

// everywhere is the path of an AlterFile that may have changed any file.
const everywhere = "/"

// altered returns the files that the command may have changed, if its words do not tell how.
func (c fileCommand) altered() []FileOp {
	options, names := c.split(1)
	has := func(all ...string) bool {
		return slices.ContainsFunc(all, func(o string) bool { return slices.Contains(options, o) })
	}
	var ops []FileOp
	switch name := c.Words[0]; name {
	case "sed", "perl", "ruby":
		if slices.ContainsFunc(options, isInPlace) {
			files := withoutScripts(c.Words[1:])
			if ops = c.alterEach(files); slices.ContainsFunc(files, isOfShell) {
				ops = append(ops, c.wide(everywhere)...)
			}
		}
	case "cp", "mv", "install", "rsync", "ln":
		if n := len(names) - 1; n > 0 {
			ops = c.alterEach(names[n:])
			for _, from := range names[:n] {
				ops = append(ops, c.alterEach([]string{names[n] + "/" + path.Base(from)})...)
			}
			if name == "mv" {
				ops = append(ops, c.alterEach(names[:n])...)
			}
		}
	case "tee", "truncate", "rm", "unlink", "shred", "touch":
		if name != "touch" || len(options) > 0 {
			ops = c.alterEach(names)
		}
	case "sort":
		if has("-o") {
			ops = c.alterEach(names)
		}
	case "patch":
		ops = c.wide(c.repository())
	case "find", "xargs":
		if has("-delete") || c.inner().mayChange() {
			p, _ := c.path(".")
			ops = c.wide(p)
		}
	case "git":
		ops = c.alteredByGit(options, names)
	case "python", "python3", "node", "bun", "deno", "php", "uv":
		ops = c.alterEach(writtenByScript(c.script()))
	default:
		if ending, ok := formats(c.Words, options); ok {
			ops = c.formatted(names, ending)
		}
	}
	for _, d := range c.Redirections {
		if d.Writes() && !strings.HasPrefix(d.To, "/dev/") {
			ops = append(ops, c.alterEach([]string{d.To})...)
		}
	}
	return ops
}

// alterEach returns an operation on each of some files and folders.
func (c fileCommand) alterEach(names []string) []FileOp {
	var ops []FileOp
	for _, name := range names {
		p, ok := c.path(name)
		switch i := strings.IndexAny(name, "$`*?[{"); {
		case ok:
			ops = append(ops, FileOp{Kind: AlterFile, Path: p})
		case c.lost || i < 0 || isOfShell(name): // mostly scratch files
		default: // one of the files in a folder
			p, _ = c.path(path.Dir(name[:i] + "x"))
			ops = append(ops, c.wide(p)...)
		}
	}
	return ops
}

// isOfShell reports whether only the shell knows a name.
func isOfShell(name string) bool { return strings.ContainsAny(name, "$`") }

// wide returns an operation on the files in a folder that other calls touched.
func (c fileCommand) wide(folder string) []FileOp {
	if c.lost {
		return nil
	}
	return []FileOp{{Kind: AlterFile, Path: folder, IfKnown: true}}
}

// repository returns a folder that contains the files which git may change: any, unless the command went elsewhere.
func (c fileCommand) repository() string {
	if strings.HasPrefix(c.folder+"/", strings.TrimSuffix(c.start, "/")+"/") {
		return everywhere
	}
	return c.folder
}

// formatted returns what a program did that formats files or folders.
func (c fileCommand) formatted(names []string, ending string) []FileOp {
	var ops []FileOp
	for _, name := range names {
		name = strings.TrimSuffix(name, "/...")
		if p, ok := c.path(name); ok && name != "" && (path.Ext(name) != "" || strings.ContainsAny(name, "/")) {
			ops = append(ops, FileOp{Kind: AlterFile, Path: p, IfKnown: len(path.Ext(name)) < 2})
		}
	}
	if ops == nil {
		p, _ := c.path(".")
		ops = c.wide(p)
	}
	for i := range ops {
		ops[i].Formats, ops[i].Ending = true, ending
	}
	return ops
}

// isInPlace reports whether an option of sed, perl or ruby makes it change files.
func isInPlace(o string) bool {
	if strings.HasPrefix(o, "--") {
		return strings.HasPrefix(o, "--in-place")
	}
	before, _, is := strings.Cut(o, "i")
	return is && strings.Trim(before, "-Enrspalw0") == ""
}

// withoutScripts returns the files that sed, perl or ruby change.
func withoutScripts(args []string) []string {
	var files []string
	script := false // one was given by an option
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-e" || a == "-f" || a == "-E" && i > 0 && args[i-1] == "-i" ||
			strings.HasPrefix(a, "-") && !isInPlace(a) && strings.HasSuffix(a, "e"),
			strings.HasPrefix(a, "-") && strings.HasSuffix(a, "ie"):
			script = true
			i++
		case strings.HasPrefix(a, "--expression") || strings.HasPrefix(a, "--file"):
			script = true
		case a == "" || strings.HasPrefix(a, "-"): // sed -i '' of BSD
		default:
			files = append(files, a)
		}
	}
	if !script && len(files) > 0 {
		files = files[1:]
	}
	return files
}

// inner returns the command that find or xargs runs for files.
func (c fileCommand) inner() fileCommand {
	at := 1
	if c.Words[0] == "find" {
		if at = slices.IndexFunc(c.Words, func(w string) bool { return strings.HasPrefix(w, "-exec") }) + 1; at == 0 {
			return fileCommand{}
		}
	}
	for at < len(c.Words) && !innerPrograms[c.Words[at]] {
		at++
	}
	if at == len(c.Words) {
		return fileCommand{}
	}
	s := *c.Simple
	s.Words, s.Redirections = append(slices.Clone(c.Words[at:]), "file", "file.x"), nil
	return fileCommand{&s, c.start, c.folder, c.lost}
}

var innerPrograms = words.Set(`sed perl rm mv cp gofmt goimports prettier black ruff eslint`)

// mayChange reports whether the command may change files.
func (c fileCommand) mayChange() bool { return c.Simple != nil && len(c.altered()) > 0 }

// alteredByGit returns what git did to files of the work tree.
func (c fileCommand) alteredByGit(options, names []string) []FileOp {
	if len(c.Words) < 2 {
		return nil
	}
	has := func(all string) bool {
		return slices.ContainsFunc(strings.Fields(all), func(o string) bool { return slices.Contains(options, o) })
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == c.Words[1] })
	at := slices.Index(c.Words, "--")
	switch c.Words[1] {
	case "checkout":
		switch {
		case at >= 0:
			return c.alterEach(c.Words[at+1:])
		case has("-b -B --orphan") && len(names) < 2, len(names) == 0, slices.Equal(names, []string{"HEAD"}):
			return nil
		case len(names) > 1 || path.Ext(names[0]) != "":
			return c.alterEach(names)
		}
		return c.wide(c.repository())
	case "restore":
		if !has("--staged -S") || has("--worktree -W") {
			return c.alterEach(names)
		}
	case "reset":
		if has("--hard --merge --keep") {
			return c.wide(c.repository())
		}
	case "stash":
		if len(names) == 0 || !harmlessStash[names[0]] {
			return c.wide(c.repository())
		}
	case "switch":
		if !has("-c -C --create --orphan") || len(names) > 1 {
			return c.wide(c.repository())
		}
	case "apply":
		if !has("--check --stat --numstat --summary --cached") {
			return c.wide(c.repository())
		}
	case "merge", "pull", "rebase", "cherry-pick", "revert", "am", "clean":
		return c.wide(c.repository())
	case "rm":
		if !has("--cached") {
			return c.alterEach(names)
		}
	case "mv":
		return c.alterEach(names)
	}
	return nil
}

var harmlessStash = words.Set("list show drop clear create store")

// script returns the script that an interpreter is given, "" for none or one in a file.
func (c fileCommand) script() string {
	if c.Document != nil {
		return *c.Document
	}
	for i, w := range c.Words[:len(c.Words)-1] {
		if w == "-c" || w == "-e" {
			return c.Words[i+1]
		}
	}
	return ""
}

// writtenByScript returns the texts in a script that may be names of files, if it may write some.
func writtenByScript(script string) []string {
	if !slices.ContainsFunc(signsOfWriting, func(s string) bool { return strings.Contains(script, s) }) {
		return nil
	}
	var names []string
	for _, m := range quotedName().FindAllStringSubmatch(script, -1) {
		names = append(names, m[1])
	}
	return names
}

var signsOfWriting = []string{
	"write", `'w'`, `"w"`, `'a'`, `"a"`, `'r+'`, `"r+"`, "remove", "unlink", "rename", "shutil", "fs.",
}

var quotedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`['"]([\w./~ @+-]*[./]\w[\w. +-]*)['"]`)
})

// formats reports whether a command formats files, and which ending they have, "" for any.
func formats(words, options []string) (ending string, ok bool) {
	has := func(all ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool {
			return slices.ContainsFunc(all, func(a string) bool { return o == a || strings.HasPrefix(o, a+"=") })
		})
	}
	if has("--check", "--diff", "--dry-run", "--list-different", "--version", "--help") {
		return "", false
	}
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch words[0] {
	case "gofmt", "goimports", "gofumpt":
		return ".go", has("-w")
	case "go":
		return ".go", second == "fmt" || second == "fix"
	case "golangci-lint":
		return ".go", second == "fmt" || has("--fix")
	case "black", "isort":
		return ".py", true
	case "ruff":
		return ".py", second == "format" || has("--fix")
	case "yapf", "autopep8":
		return ".py", has("-i", "--in-place")
	case "rustfmt":
		return ".rs", true
	case "cargo":
		return ".rs", second == "fmt" || second == "fix" || has("--fix")
	case "prettier":
		return "", has("--write", "-w")
	case "eslint", "stylelint", "oxlint", "biome":
		return "", has("--fix", "--write", "--apply")
	case "rubocop":
		return ".rb", has("-a", "-A", "--autocorrect", "--auto-correct")
	case "clang-format":
		return "", has("-i")
	case "shfmt":
		return "", has("-w")
	case "terraform", "tofu", "dprint":
		return "", second == "fmt"
	case "mix", "dart":
		return "", second == "format"
	case "swiftformat", "lint-staged", "pre-commit":
		return "", true
	case "npm", "pnpm", "yarn", "bun", "make", "just", "task", "mise":
		return "", slices.ContainsFunc(words[1:], formattingTask().MatchString)
	}
	return "", false
}

// formattingTask matches the names that tasks have which format files.
var formattingTask = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([\w-]+:)?(fmt|format|fix|prettier|lint[:-]?fix|(fmt|format)[:-](all|fix|write))$`)
})

// alteredByPowerShell returns the files that commands of PowerShell name and may have changed.
func alteredByPowerShell(text, folder string) []FileOp {
	lower := strings.ToLower(text)
	isIn := func(sign string) bool { return strings.Contains(lower, sign) }
	if !slices.ContainsFunc(signsOfPowerShell, isIn) || !powerShellChange().MatchString(lower) {
		return nil
	}
	var ops []FileOp
	for _, w := range powerShellWord().FindAllString(text, -1) {
		name := strings.Trim(w, `"'`)
		if strings.HasPrefix(name, "-") || strings.ContainsAny(name, "$*?") || !strings.ContainsAny(name, `.\/`) {
			continue
		}
		ops = append(ops, FileOp{Kind: AlterFile, Path: inFolder(name, folder)})
	}
	return ops
}

// Each match of powerShellChange contains one of these texts, which are found much faster.
var signsOfPowerShell = []string{"-content", "out-file", "-item", "io.file"}

var powerShellChange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:(?:set|add|clear)-content|out-file|(?:remove|move|copy|rename|new)-item)\b|` +
		`\[(?:system\.)?io\.file\]::(?:write|append|delete|move|copy|replace)`)
})

var powerShellWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'[^'\n]*'|"[^"\n]*"|[^\s;|,()]+`)
})

// inFolder returns the path of a file that a command names and that runs in a folder.
func inFolder(name, folder string) string {
	if folder == "" || strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' {
		return name
	}
	return strings.TrimSuffix(folder, "/") + "/" + strings.ReplaceAll(name, `\`, "/")
}
