package markup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An exception is a part of a sample where the two engines may differ about
// what is a string or a comment.
type exception struct{ text, why string }

// exceptions are for each sample; a text stands for all its occurrences.
var exceptions = map[string][]exception{
	"sample.go": {
		{"/* the end is not closed: \"it's `open`", "chroma needs the end of a comment, and takes what is in it for code"},
	},
	"sample.js": {
		{")}", "the end of the code in a template: chroma takes the brace of an object in it for that"},
		{"/* not closed \"", "chroma needs the end of a comment"},
	},
	"sample.py": {
		{"#!/usr/bin/env python3", "chroma calls it a comment, and one like it in the shell an instruction"},
		{":>10.2f}", "a format is text of the string, with what ends it"},
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
	},
	"sample.kt": {
		{"$name", "a variable in a string is text of it here, as in Go and in C a format is"},
	},
	"sample.cs": {
		{"{_name}", "chroma does not know that there is code in a string"},
		{"{Max:N2}", "the same; the format is text of the string"},
	},
	"sample.swift": {
		{"multi \"line\" text", "chroma does not know strings of many lines"},
	},
	"sample.php": {
		{"/**\n * Docs with \"quotes\".\n */", "chroma calls comments that are documentation strings"},
		{"$name and", "a variable in a string is text of it here"},
	},
	"sample.rb": {
		{"<<~TEXT\n  heredoc \"text\" # none\nTEXT", "chroma does not know this kind"},
	},
	"sample.yaml": {
		{"'release/*', \"x y\"", "chroma takes a list without quotes at its start for one value"},
		{"\"not closed", "chroma needs the end of a string"},
	},
	"sample.toml": {
		{"multi \"line\" # text", "chroma does not know strings of many lines"},
	},
	"sample.ini": {
		{"	filemode =", "git indents its keys; chroma takes them for the rest of the value before"},
		{"	fetch =", "the same"},
	},
	"sample.md": {
		{"``with `ticks` inside`` and \\`escaped", "chroma does not count backticks"},
	},
	"sample.ts": {
		{"\"the end", "chroma needs the end of a string"},
	},
}

// TestAgreement compares our scanners with chroma on the samples: how many
// characters have the same class, and whether each character that one calls
// string or comment is one for the other, too.
func TestAgreement(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples")
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := string(text)
			ours := classOf(src, language(name))
			theirs := classOf(src, chromaFor(name))
			excepted := make([]bool, len(src))
			for _, e := range exceptions[name] {
				found := false
				for from := 0; ; {
					i := strings.Index(src[from:], e.text)
					if i < 0 {
						break
					}
					found = true
					for k := range len(e.text) {
						excepted[from+i+k] = true
					}
					from += i + len(e.text)
				}
				if !found {
					t.Errorf("exception for %q, which is not in the sample", e.text)
				}
			}
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
					t.Logf("%d: %q is %s, of chroma %s", line+1, src[i:end], show(ours[i]), show(theirs[i]))
				}
				if !excepted[i] && (boundary(ours[i]) || boundary(theirs[i])) {
					differ = append(differ, fmt.Sprintf("%d: %q", line+1, src[i]))
				}
			}
			if len(differ) > 0 {
				t.Errorf("strings or comments differ at %d characters: %s", len(differ), strings.Join(differ[:min(len(differ), 10)], " "))
			}
			share := float64(same) / float64(all)
			t.Logf("%-14s %5.1f %% of %d characters", name, 100*share, all)
			if share < 0.9 {
				t.Errorf("only %.1f %% of the characters have the class that chroma gives", 100*share)
			}
		})
	}
}

// chromaFor is the scanner of chroma for a language that has one of ours.
func chromaFor(lang string) scanner {
	ext := strings.TrimPrefix(filepath.Ext(lang), ".")
	if ext == "vue" {
		ext = "html" // chroma's lexer for Vue knows neither comments nor scripts
		lang = ""
	}
	for _, name := range []string{lang, ext, aliases[lang], aliases[ext]} {
		if l := names()[strings.ToLower(name)]; l != nil && name != "" {
			return chromaScanner(l)
		}
	}
	return nil
}

// classOf tells the class of each byte.
func classOf(src string, scan scanner) []byte {
	all := make([]byte, 0, len(src))
	for _, s := range highlight(src, scan) {
		for len(all) < s.end {
			all = append(all, s.class)
		}
	}
	return all
}

func boundary(class byte) bool { return class == 's' || class == 'c' }

func show(class byte) string {
	if class == 0 {
		return "-"
	}
	return string(class)
}
