package highlight

import (
	"path"
	"strings"
	"sync"
)

// scanners are the scanners of this package by the names of languages, which cover nearly all code in sessions. The
// lexers of chroma read the others.
var scanners = map[string]scanner{
	"diff": scanDiff, "patch": scanDiff, "udiff": scanDiff,

	"go":     golang.scanner(),
	"python": python.scanner(),
	"rust":   rust.scanner(),
	"bash":   shell.scanner(),
	"sql":    sql.scanner(),

	"json": scanJSON, "yaml": scanYAML, "toml": toml.scanner(),

	"css": scanCSS, "scss": scanSCSS, "less": scanSCSS,

	"javascript": javascript.scanner(), "jsx": javascript.scanner(), "react": javascript.scanner(),
	"typescript": typescript.scanner(), "tsx": tsx.scanner(),

	"c": c.scanner(), "c++": cpp.scanner(), "cpp": cpp.scanner(),

	"java": java.scanner(), "kotlin": kotlin.scanner(), "c#": csharp.scanner(), "swift": swift.scanner(),
}

// These scanners look up others in the map.
func init() {
	scanners["bash session"] = scanConsole
	scanners["html"] = scanHTML
	scanners["vue"] = scanHTML
	scanners["xml"] = scanXML
	scanners["markdown"] = scanMarkdown
	scanners["svelte"] = scanHTML
	scanners["erb"] = scanHTML
	scanners["go html template"] = scanHTML
	scanners["yaml+jinja"] = scanYAML
}

// aliases are fence words and extensions that chroma does not know or assigns to a rarer language. "" is plain text.
var aliases = map[string]string{
	"text": "", "txt": "", "plain": "", "plaintext": "", "output": "", "log": "", "csv": "", "tsv": "",
	"shell": "bash", "sh": "bash", "zsh": "bash", "shellscript": "bash", "env": "bash", "envrc": "bash",
	"bats": "bash", "command": "bash", "cmd": "batchfile",
	"jsonc": "json", "json5": "json", "jsonl": "json", "ndjson": "json", "webmanifest": "json", "ipynb": "json",
	"js": "javascript", "mjs": "javascript", "cjs": "javascript", "javascriptreact": "javascript",
	"mts": "typescript", "cts": "typescript", "typescriptreact": "tsx",
	"h": "c", "hpp": "cpp", "inc": "cpp", "cu": "cpp", "ino": "cpp",
	"m": "objective-c", "mm": "objective-c", "v": "verilog",
	"phtml": "php", "md": "markdown", "mdx": "markdown", "mdc": "markdown",
	"tmpl": "html", "gohtml": "html", "astro": "html", "ejs": "html", "hbs": "html",
	"xhtml": "html", "htm": "html", "csproj": "xml", "plist": "xml", "xsd": "xml",
	"gotmpl": "go-html-template", "tf": "terraform", "tfvars": "terraform",
	"golang": "go", "go.mod": "gomod", "pl": "perl", "r": "r", "s": "gas", "asm": "nasm",
	"dockerfile": "docker", "containerfile": "docker", "makefile": "make", "gnumakefile": "make", "mk": "make",
	"lock": "toml", "conf": "ini", "cfg": "ini", "editorconfig": "ini", "gitconfig": "ini", "properties": "properties",
	"yarn.lock": "yaml", "package-lock.json": "json", "composer.lock": "json", "poetry.lock": "toml",
	"pyi": "python", "pyw": "python", "pyx": "python", "ts": "typescript", "bas": "vb.net", "sol": "solidity",
	"lisp": "scheme", "cl": "scheme", "common-lisp": "scheme", "el": "scheme", "elisp": "scheme", "emacs": "scheme",
	"emacs-lisp": "scheme",
	"gitignore":  "", "dockerignore": "", "sum": "", "svg": "xml", "http": "", "wat": "",
}

// resolved caches Lookup by name, including unknown names. It is emptied when it is full, since names come from the
// input.
var resolved struct {
	sync.Mutex
	m map[string]*Language
}

// Lookup returns the language for a fence word ("go"), a file name or path ("cmd/main.go") or an extension (".go"), nil
// for none.
func Lookup(name string) *Language {
	if name == "" || len(name) > 4096 {
		return nil
	}
	resolved.Lock()
	language, ok := resolved.m[name]
	resolved.Unlock()
	if ok {
		return language
	}
	if scan := resolve(name); scan != nil {
		language = &Language{scan}
	}
	resolved.Lock()
	if len(resolved.m) >= 4096 || resolved.m == nil {
		resolved.m = make(map[string]*Language)
	}
	resolved.m[name] = language
	resolved.Unlock()
	return language
}

// resolve tries the whole word, then ends of a path, from its base name to its last extension: "a/b.test.ts",
// "b.test.ts", "test.ts", "ts".
func resolve(lang string) scanner {
	name := strings.ToLower(strings.TrimSpace(lang))
	// "{.go}" and "go,ignore" and "go{1-3}" are fence words, too.
	name = strings.TrimLeft(name, "{.")
	if i := strings.IndexAny(name, " \t,{}"); i >= 0 && !strings.ContainsAny(name, `/\`) {
		name = name[:i]
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	for range 8 {
		if scan, ok := named(name); ok {
			return scan
		}
		var more bool
		if _, name, more = strings.Cut(name, "."); !more {
			break
		}
	}
	// "ts:src/a.ts" names its file as well; the base name was tried above.
	if word, _, ok := strings.Cut(strings.ToLower(lang), ":"); ok {
		scan, _ := named(word)
		return scan
	}
	return nil
}

func named(name string) (scan scanner, ok bool) {
	if alias, ok := aliases[name]; ok {
		if alias == "" {
			return nil, true
		}
		name = alias
	}
	if scan := scanners[name]; scan != nil {
		return scan, true
	}
	if l := chromaLanguages()[name]; l != nil {
		if own := l.own(); own != nil {
			return own, true
		}
		return l.scan, true
	}
	return nil, false
}
