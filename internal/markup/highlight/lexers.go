package highlight

import (
	"archive/zip"
	_ "embed"
	"encoding/xml"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// The package of chroma with all lexers decodes their configurations when a program starts, which takes three times as
// long as all other initializers. So TestLexers writes what is needed of them into the folder lexers.

// lexerIndex has a line for each language, with fields that tabs separate: the fields of a chromaLanguage.
//
//go:embed lexers/index.txt
var lexerIndex string

// lexerRules is a zip archive with the rules of each language as XML, in the order of the index. A file is empty if the
// lexer is written in code, or the language has a scanner of this package.
//
//go:embed lexers/rules.zip
var lexerRules string

// A chromaLanguage is a language with a lexer of chroma.
type chromaLanguage struct {
	name     string
	flags    string                  // of its expressions
	ensureNL bool                    // whether its text must end in a line end
	words    []string                // names, aliases, file names and extensions in lower case, of no other language
	states   func() map[string]rules // made on first use
}

// chromaLanguages are the languages by their words.
var chromaLanguages = sync.OnceValue(func() map[string]*chromaLanguage {
	languages := make(map[string]*chromaLanguage, 1<<11)
	for i, line := range strings.Split(strings.TrimSuffix(lexerIndex, "\n"), "\n") {
		field := strings.Split(line, "\t")
		l := &chromaLanguage{name: field[0], flags: field[1], ensureNL: field[2] != "", words: field[3:]}
		l.states = sync.OnceValue(func() map[string]rules { return statesOf(readRules(i), l.flags) })
		for _, word := range l.words {
			languages[word] = l
		}
	}
	return languages
})

// lexerArchive is the archive of rules.
var lexerArchive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(strings.NewReader(lexerRules), int64(len(lexerRules)))
})

// readRules returns the rules of a language by its number in the index, nil for none.
func readRules(i int) chroma.Rules {
	archive, err := lexerArchive()
	if err != nil {
		return nil
	}
	file, err := archive.File[i].Open()
	if err != nil {
		return nil
	}
	defer file.Close()
	var all chroma.Rules
	if err := xml.NewDecoder(file).Decode(&all); err != nil {
		return nil
	}
	return all
}
