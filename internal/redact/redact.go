package redact

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Options control what to replace besides the matches of the rules, and what to keep.
type Options struct {
	Patterns []Pattern        // expressions of the user
	Literals []string         // texts that are always replaced, see literalSet
	Allow    []*regexp.Regexp // a match of one of these is not a secret
	Names    []string         // user names of this machine, besides those in the session
}

// A Pattern is an expression with the name of its replacements and counts.
type Pattern struct {
	Name string
	Expr *regexp.Regexp
}

// ParsePattern reads NAME=REGEXP, or REGEXP, whose name is "custom". A name is lower-case letters, digits and
// dashes.
func ParsePattern(s string) (Pattern, error) {
	name, expr, ok := strings.Cut(s, "=")
	if !ok || !isLabel(name) {
		name, expr = "custom", s
	}
	re, err := parseExpression(expr)
	return Pattern{name, re}, err
}

// parseExpression reads an expression, which must not match any text.
func parseExpression(expr string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", expr, err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("%q: matches the empty text, which is everywhere", expr)
	}
	return re, nil
}

func isLabel(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isLower(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// ParseLiterals reads a list of texts, one a line. Empty lines are ignored, and so are spaces around a text. Texts in
// another encoding than UTF-8 are an error, because they would never be found.
func ParseLiterals(data []byte) ([]string, error) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("it is not text in UTF-8")
	}
	var all []string
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if utf8.RuneCountInString(line) < shortestLiteral {
			return nil, fmt.Errorf("line %d: a text of fewer than %d characters would be found everywhere", n,
				shortestLiteral)
		}
		all = append(all, line)
	}
	return all, nil
}

// shortestLiteral is the minimum length of a text that is always replaced, in characters.
const shortestLiteral = 4

// ParseAllow reads an expression for texts that are not secrets.
func ParseAllow(s string) (*regexp.Regexp, error) { return parseExpression(s) }

// A Redactor has the rules. It is compiled once and is safe for concurrent use.
type Redactor struct {
	words    words
	patterns []Pattern
	rules    []*rule // of patterns
	allow    []*regexp.Regexp
	names    []string
	literals *literalSet // nil for none

	namedLock sync.Mutex
	named     map[string]words // with the words of a user name
}

// New returns a Redactor with the rules and the options.
func New(o Options) (*Redactor, error) {
	r := &Redactor{words: builtin().clone(), patterns: o.Patterns, allow: o.Allow, names: o.Names}
	for _, p := range o.Patterns {
		r.rules = append(r.rules, &rule{id: p.Name, label: p.Name, confidence: Likely})
	}
	var err error
	if r.literals, err = newLiterals(o.Literals); err != nil {
		return nil, err
	}
	return r, nil
}
