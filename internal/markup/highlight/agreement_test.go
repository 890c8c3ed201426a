package highlight

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// An exception is a part of a sample where chroma is wrong about strings or comments, or defines them differently.
type exception struct{ text, why string }

// exceptions are the exceptions of each sample. A text stands for all its occurrences.
var exceptions = map[string][]exception{
	"sample.go": {
		{"/* the end is not closed: \"it's `open`",
			"chroma needs the end of a comment, and takes what is in it for code"},
	},
	"sample.js": {
		{")}", "the end of the code in a template: chroma takes the brace of an object in it for that"},
		{`/^\s*(\/\/|\/\*|#)/`, "chroma knows no regular expression behind an arrow"},
		{"/* not closed \"", "chroma needs the end of a comment"},
	},
	"sample.ts": {
		{"\"the end", "chroma needs the end of a string"},
	},
	"sample.tsx": {
		{`"nothing"`, "text of an element, which chroma takes for code"},
		{"// as text</footer>}", "the same"},
		{`"text"</p>`, "the same"},
	},
	"sample.py": {
		{"#!/usr/bin/env python3", "chroma calls it a comment, and one like it in the shell an instruction"},
		{"%s", "in the string, chroma gives placeholders of this old kind no class"},
	},
	"sample.c": {
		{"// trailing \"comment\"", "chroma takes all that follows #include for the name of a file"},
		{"#if 1", "chroma calls directives instructions where nothing is compiled, too"},
		{"#endif", "the same"},
	},
	"sample.cpp": {
		{`R"(raw "string" with // and \ )"`, "chroma ends a raw string at its first quote"},
		{`R"x(another )" one)x";`, "the same"},
	},
	"sample.rs": {
		{"//! Module docs: \"quotes\", it's fine.", "chroma calls comments that are documentation strings"},
		{"/// A doc comment with \"quotes\" and 'c'.", "the same"},
		{"{}", "a placeholder is text of the string, as it is in C"},
		{"{other:?}", "the same"},
	},
	"sample.kt": {
		{`", ") { "'${label(it)}'" }} of ${rows.size}\n")`, "chroma knows no strings in the code of strings"},
		{`"nobody" }}`, "the same"},
		{"'$'", "the same"},
	},
	"sample.cs": {
		{"{_name}", "chroma does not know that there is code in a string"},
		{"{Max:N2}", "the same"},
		{"raw \"text\" with // slashes\n            and {braces}, it's fine\n            \"\"\";",
			"chroma does not know raw strings"},
	},
	"sample.swift": {
		{"multi \"line\" text", "chroma does not know strings of many lines"},
	},
	"sample.json": {
		{"/* a block \"comment\"\n     of two lines, it's fine */", "chroma does not know comments of many lines"},
	},
	"sample.yaml": {
		{"'release/*', \"x y\"", "chroma takes a list without quotes at its start for one value"},
		{"with: a line", "chroma ends a block of text where a line is less indented than its first"},
		{"\"not closed", "chroma needs the end of a string"},
	},
	"sample.toml": {
		{"multi \"line\" # text", "chroma does not know strings of many lines"},
		{"a \"long\" text", "the same"},
		{`'C:\path\'`, "chroma knows a backslash in a literal string, where there is none"},
	},
	"sample.md": {
		{"``with `ticks` inside`` and \\`escaped", "chroma does not count backticks"},
		{"`--`", "chroma does not look into quotes"},
		{"~~~yaml\nkey: value # comment\n~~~", "chroma does not know this kind of fence"},
	},
	"sample.diff": {
		{`\ No newline at end of file`, "a remark, which chroma gives no class"},
	},
}

// atLeast is the least percentage of characters that must have the class that chroma gives. Other differences are
// harmless mistakes of chroma (unknown numbers, new keywords) or cases where our scanners distinguish more (tables of
// TOML, types of TypeScript).
const atLeast = 95

// TestAgreement compares our scanners with chroma on the samples: the percentage of characters with the same class, and
// whether each string and comment of one is also that of the other.
func TestAgreement(t *testing.T) {
	for _, file := range samples(t) {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			src := read(t, file)
			ours := classOf(src, Lookup(name).scan)
			theirs := classOf(src, chromaFor(t, name))
			excepted := exceptedIn(t, name, src)
			var same, all, line int
			var differ []string
			for i := range len(src) {
				if src[i] == '\n' {
					line++
				}
				if src[i] <= ' ' {
					continue
				}
				all++
				if ours[i] == theirs[i] {
					same++
					continue
				}
				if testing.Verbose() && (i == 0 || ours[i-1] != ours[i] || theirs[i-1] != theirs[i]) {
					end := i
					for end < len(src) && src[end] != '\n' && ours[end] == ours[i] && theirs[end] == theirs[i] {
						end++
					}
					t.Logf("%d: %q is %s, in chroma %s", line+1, src[i:end], show(ours[i]), show(theirs[i]))
				}
				if !excepted[i] && (boundary(ours[i]) || boundary(theirs[i])) {
					differ = append(differ, fmt.Sprintf("%d: %q", line+1, src[i]))
				}
			}
			if len(differ) > 0 {
				t.Errorf("strings or comments differ at %d characters: %s", len(differ),
					strings.Join(differ[:min(len(differ), 10)], " "))
			}
			share := 100 * float64(same) / float64(all)
			t.Logf("%-17s %5.1f %% of %d characters", name, share, all)
			if share < atLeast {
				t.Errorf("%.1f %% of the characters have the class that chroma gives, want at least %d", share, atLeast)
			}
		})
	}
}

// TestSamplesAreLong: the languages of most code in transcripts have long samples.
func TestSamplesAreLong(t *testing.T) {
	for _, ext := range strings.Fields("go py js jsx ts tsx rs c cpp java kt cs sh json yaml toml html xml css " +
		"sql md diff") {
		src := read(t, "testdata/samples/sample."+ext)
		if n := strings.Count(src, "\n"); n < 60 {
			t.Errorf("sample.%s has %d lines, want at least 60", ext, n)
		}
	}
}

// exceptedIn marks the bytes of the exceptions in a sample.
func exceptedIn(t *testing.T, name, src string) []bool {
	t.Helper()
	excepted := make([]bool, len(src))
	for _, e := range exceptions[name] {
		n := strings.Count(src, e.text)
		if n == 0 {
			t.Errorf("the sample lacks the exception %q", e.text)
		}
		for from := 0; n > 0; n-- {
			i := from + strings.Index(src[from:], e.text)
			from = i + len(e.text)
			for k := i; k < from; k++ {
				excepted[k] = true
			}
		}
	}
	return excepted
}

// chromaFor returns a scanner that uses chroma's own engine.
func chromaFor(t *testing.T, file string) scanner {
	t.Helper()
	lexer := chromaLexer(file)
	if lexer == nil {
		t.Fatalf("chroma has no lexer for %s", file)
	}
	return func(src string, emit func(class byte, end int)) { tokenise(lexer, src, emit) }
}

// tokenise runs chroma itself. It stops if the tokens no longer match the source, which some lexers rewrite.
func tokenise(lexer chroma.Lexer, src string, emit func(class byte, end int)) {
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", Nested: true}, src)
	if err != nil {
		return
	}
	pos := 0
	for t := tokens(); t != chroma.EOF && strings.HasPrefix(src[pos:], t.Value); t = tokens() {
		pos += len(t.Value)
		if blank(t.Value) {
			emit(0, pos)
		} else {
			emit(classOfType(t.Type), pos)
		}
	}
}

// chromaLexer returns chroma's lexer for a language of one of our scanners.
func chromaLexer(lang string) chroma.Lexer {
	ext := strings.TrimPrefix(filepath.Ext(lang), ".")
	if ext == "vue" {
		ext = "html" // chroma's lexer for Vue supports neither comments nor scripts
		lang = ""
	}
	for _, name := range []string{aliases[lang], aliases[ext], lang, ext} {
		if l := chromaLanguages()[strings.ToLower(name)]; l != nil {
			return lexers.Get(l.name)
		}
	}
	return nil
}

// classOf returns the class of each byte.
func classOf(src string, scan scanner) []byte {
	all := make([]byte, len(src))
	done := 0
	scan(src, func(class byte, end int) {
		for ; done < min(end, len(src)); done++ {
			all[done] = class
		}
	})
	return all
}

func boundary(class byte) bool { return class == 's' || class == 'c' }

func show(class byte) string {
	if class == 0 {
		return "-"
	}
	return string(class)
}
