package prose

import (
	"slices"
	"strings"

	"viewer/render/page"
)

// A text with at least this number and this share of pasted lines is not drawn as Markdown.
const (
	pastedLines = 3
	pastedPart  = 3 // a third
)

// pastedLine matches lines that nobody writes by hand: of logs, traces, patches, tables of programs, code.
var pastedLine = page.Expression(`^(` + strings.Join([]string{
	`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, `\[?\d\d:\d\d:\d\d\b`, // times
	`\[?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[\]:\s|]`,
	`\s+at \S.*[:(]`, `\s*File ".*", line \d`, `Traceback \(`, `goroutine \d+ \[`, `\S+\.\w+:\d+(:\d+)?[:\s]`, // traces
	`diff --git `, `@@ -\d`, `(\+\+\+|---) \S`, `index [0-9a-f]{7}`, // patches
	`[$%] \S`, `\S+@\S+[:~].*[$#] `, `>>> `, `(npm|yarn) (ERR!|error|warn)`, // terminals
	`(import|export|from|func|function|def|class|const|let|var|package|return|public|private|static|type|struct|interface|fn|use|async) .*[({=;:'"]`,
	`#include\b`, `#!`, `</?[a-zA-Z][\w-]*[^<>]*>`, // code
	`( {4}|\t)\s*[^\s\d*+-]`, // indented, but not a list
}, `|`) + `)`)

// pastedWords are the words that pastedLine finds at the start of a line.
var pastedWords = []string{
	"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "File ", "Traceback ", "goroutine ",
	"diff ", "index ", "npm ", "yarn ", "import ", "export ", "from ", "func ", "function ",
	"def ", "class ", "const ", "let ", "var ", "package ", "return ", "public ", "private ",
	"static ", "type ", "struct ", "interface ", "fn ", "use ", "async ",
}

// mayBePasted is a fast filter before pastedLine: it returns false for most lines that pastedLine does not match.
func mayBePasted(line string) bool {
	if line == "" {
		return false
	}
	if strings.IndexByte("[0123456789 \t\n\f\r@+-$%>#<", line[0]) >= 0 || strings.IndexByte(line, '@') >= 0 {
		return true
	}
	for rest := line; ; { // a position in a file: "a.go:12:"
		at := strings.IndexByte(rest, ':')
		if at < 0 || at+1 == len(rest) {
			break
		}
		if rest = rest[at+1:]; rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return slices.ContainsFunc(pastedWords, func(word string) bool { return strings.HasPrefix(line, word) })
}

// endsLikeCode reports whether code ends like a line.
func endsLikeCode(line string) bool {
	line = strings.TrimRight(line, " \t\n\f\r")
	if line == "" {
		return false
	}
	switch line[len(line)-1] {
	case ';', '{', '}', ')':
		return true
	}
	return strings.HasSuffix(line, "},") || strings.HasSuffix(line, "],") || strings.HasSuffix(line, "=>")
}

// isPasted reports whether a large part of a text is a log, a trace, a patch or code outside of fences.
func isPasted(text string) bool {
	pasted, all, fence := 0, 0, ""
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		switch mark := fenceMark(words); {
		case mark != "" && fence == "":
			fence = mark
			continue
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
			continue
		case words == "":
			continue
		}
		all++
		if len(line) > 400 {
			line = line[:400]
		}
		if line = strings.TrimRight(line, "\r\n"); endsLikeCode(line) && !isWritten(line) ||
			mayBePasted(line) && pastedLine().MatchString(line) {
			pasted++
		}
	}
	return pasted >= pastedLines && pasted*pastedPart >= all
}

// isWritten reports whether a line that ends like code is one of a list or a sentence: "- look at f(x)".
func isWritten(line string) bool {
	return startsItem(strings.TrimLeft(line, " \t")) || strings.HasSuffix(line, ")") && strings.Count(line, " ") > 3
}
