package redact

import (
	"bytes"
	"strings"
	"sync"

	"viewer/internal/redact/match"
	"viewer/internal/redact/rules"
)

// isPlaceholder reports whether a value is a placeholder for a secret: ${TOKEN}, <your key>, xxxx, changeme.
func isPlaceholder(v []byte) bool {
	if len(v) == 0 || isMarker(v) || isVariable(v) {
		return true
	}
	v = v[:min(len(v), 96)] // a long random value may contain short words by chance
	found := false
	placeholderWords().Each(v, func(word, at int) {
		found = found || hasFoldAt(v, at, placeholders[word])
	})
	return found || isSequence(v)
}

// isVariable reports whether a value refers to another one: $NAME, ${NAME}, $(command), <name>, %NAME%, %s, {{ name }},
// @NAME@, *****, ...
func isVariable(v []byte) bool {
	if beginsVariable(v) {
		return true
	}
	for i, c := range v {
		switch c {
		case '.', 0xe2, '$', '{', '#', '<':
			if isVariableAt(v, i) {
				return true
			}
		}
	}
	return false
}

// beginsVariable reports whether the beginning of a value makes it a reference to another one.
func beginsVariable(v []byte) bool {
	last := v[len(v)-1]
	switch v[0] {
	case '$':
		return len(v) == 1 || isAll(v[1:], isName) && crossEntropy(v[1:]) < 4.5
	case '<', '(', '[', '{':
		return last == v[0]+2 || last == v[0]+1 || crossEntropy(v) < 4.3
	case '%', '@':
		return len(v) <= 2 || last == v[0] || v[1] == '(' || v[1] == '{'
	case '*', '#', '&':
		return len(v) < 4 || 2*bytes.Count(v, v[:1]) >= len(v) || crossEntropy(v) < 4.6 && !hasDigit(v)
	}
	return false
}

// isVariableAt reports whether the text at i in a value is a reference to another one, or an ellipsis.
func isVariableAt(v []byte, i int) bool {
	rest := v[i:]
	switch v[i] {
	case '.':
		return bytes.HasPrefix(rest, []byte("..."))
	case 0xe2:
		return bytes.HasPrefix(rest, []byte("…"))
	case '<':
		n := bytes.IndexByte(rest, '>')
		return n > 1 && (isLetter(rest[1]) || rest[1] == '/') && crossEntropy(rest[1:n]) < 4.3
	}
	return len(rest) > 2 && (rest[1] == '{' || rest[1] == '(' && v[i] == '$') && opensVariable(rest[1:])
}

// opensVariable reports whether a bracket is closed, or a name follows it.
func opensVariable(v []byte) bool {
	end := byte(')')
	if v[0] == '{' {
		end = '}'
	}
	n := 1
	for n < len(v) && isName(v[n]) {
		n++
	}
	return bytes.IndexByte(v, end) > 0 || n > 4 && crossEntropy(v[1:n]) < 4.5
}

var placeholderWords = sync.OnceValue(func() *match.Finder {
	f := new(match.Finder)
	for i, word := range placeholders {
		f.Add(word, i)
	}
	return f
})

// placeholders are words that replace secrets in examples.
var placeholders = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "change_this", "replace", "redacted", "xxxx",
	"****",
	"your-", "your_", "yourapi", "yourkey", "yourtoken", "yoursecret", "yourpass", "my-secret", "mysecret", "my_secret",
	"dummy", "fake",
	"sample", "insert", "process.env", "os.environ", "getenv", "secrets.", "test-token", "test_token", "testtoken",
	"test-key", "test_key",
	"testkey", "test-secret", "test_secret", "not-a-real", "notreal", "not_real", "invalid", "deadbeef", "abc123",
	"goes-here", "goes_here",
	"undefined", "null", "-here", "_here",
}

func contains(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

func lowered(dst, v []byte) []byte {
	for _, c := range v {
		dst = append(dst, lower(c))
	}
	return dst
}

// isSequence reports whether a value repeats one byte, or counts up: aaaa, 0123456789abcdef.
func isSequence(v []byte) bool {
	if len(v) < 4 {
		return false
	}
	steps := 0
	for i := 1; i < len(v); i++ {
		if d := int(lower(v[i])) - int(lower(v[i-1])); d == 0 || d == 1 || d == -1 {
			steps++
		}
	}
	return steps*4 >= (len(v)-1)*3
}

// isRandom reports whether a value looks generated: letters and digits in random order.
func isRandom(v []byte, least int, bits float64) bool {
	if len(v) < least || !isAll(v, isRandomByte) {
		return false
	}
	n := countBytes(v)
	if n.letters() == 0 || n.digits == 0 && (n.upper == 0 || n.upper == n.letters()) {
		return false
	}
	// Names that people write have few digits, and seldom change case.
	if n.digits*12 < len(v) && kindChanges(v)*4 < len(v) {
		return false
	}
	return entropy(v) > bits && !isWordy(v) && !isSequence(v) && !isVersioned(v)
}

// isRandomByte reports whether c may be part of a generated value.
func isRandomByte(c byte) bool { return isBase64(c) || c == '.' || c == '~' }

// kindChanges returns how often the kind of bytes changes in a value.
func kindChanges(v []byte) int {
	n := 0
	for i := 1; i < len(v); i++ {
		if byteKind(v[i]) != byteKind(v[i-1]) {
			n++
		}
	}
	return n
}

// isVersioned reports whether a value contains a version number: jackson-0.11.2.
func isVersioned(v []byte) bool {
	for i := 1; i+3 < len(v); i++ {
		if v[i] == '.' && isDigit(v[i-1]) && isDigit(v[i+1]) {
			for i++; i < len(v) && isDigit(v[i]); i++ {
			}
			if i+1 < len(v) && v[i] == '.' && isDigit(v[i+1]) {
				return true
			}
		}
	}
	return false
}

// byteKind returns the kind of a byte. Random values mix kinds, words do not.
func byteKind(c byte) int {
	switch {
	case isLower(c):
		return 1
	case isUpper(c):
		return 2
	case isDigit(c):
		return 3
	}
	return 4
}

// isWordy reports whether most of a value consists of words, separated by dashes, dots or slashes, or capitalized:
// my-app-config-v2, src/render/page.go, getUserById2.
func isWordy(v []byte) bool {
	words := 0
	start := 0
	flush := func(end int) {
		if n := end - start; n >= 3 && hasVowel(v[start:end]) {
			words += n
		}
	}
	for i, c := range v {
		switch {
		case !isLetter(c):
			flush(i)
			start = i + 1
		case isUpper(c) && i > 0 && isLower(v[i-1]):
			flush(i)
			start = i
		}
	}
	flush(len(v))
	return words*100 >= len(v)*55
}

// hasVowel reports whether a run of letters is pronounceable: it has vowels, and neither too few nor too many
// consonants in a row.
func hasVowel(word []byte) bool {
	vowels, row, most := 0, 0, 0
	upper, mixed := 0, false
	for i, c := range word {
		if isUpper(c) {
			upper++
			if i > 0 {
				mixed = true
			}
		}
		switch lower(c) {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			row = 0
		default:
			row++
			most = max(most, row)
		}
	}
	if mixed && upper != len(word) {
		return false
	}
	return vowels > 0 && most <= 4
}

// isUUID reports whether a value is a UUID, in any notation.
func isUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

// isSum reports whether a value has the form of a checksum or a commit: a hexadecimal number of one of their lengths,
// or one with the name of its kind.
func isSum(v []byte) bool {
	for _, kind := range []string{"sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:",
		"h1:"} {
		if len(v) > len(kind) && string(v[:len(kind)]) == kind {
			return true
		}
	}
	if len(v) < 7 || len(v) > 40 && len(v) != 56 && len(v) != 64 && len(v) != 96 && len(v) != 128 {
		return false
	}
	return isAll(v, isHex)
}

// isPath reports whether a value is the name of a file or a part of a URL.
func isPath(v []byte) bool {
	switch {
	case v[0] == '/' || v[0] == '.' || v[0] == '~' && (len(v) == 1 || v[1] == '/'):
		return crossEntropy(v) < 4.3
	case contains(v, "://"), contains(v, `:\`), bytes.HasPrefix(v, []byte("arn:")), bytes.HasPrefix(v, []byte("www.")):
		return true
	}
	return contains(v, "./") && crossEntropy(v) < 4.3
}

var stopWordIndex = sync.OnceValue(func() map[string][]string {
	all := make(map[string][]string)
	for w := range strings.FieldsSeq(rules.StopWords) {
		if len(w) >= 4 {
			all[w[:4]] = append(all[w[:4]], w)
		}
	}
	return all
})

// hasStopWord reports whether a value contains a word that is common in names, which random values seldom do. The words
// are those of gitleaks.
func hasStopWord(v []byte) bool {
	var buffer [256]byte
	low := lowered(buffer[:0], v)
	words := stopWordIndex()
	for i := 0; i+4 <= len(low); i++ {
		for _, w := range words[string(low[i:i+4])] {
			if bytes.HasPrefix(low[i:], []byte(w)) {
				return true
			}
		}
	}
	return false
}
