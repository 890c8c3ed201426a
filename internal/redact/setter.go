package redact

import "bytes"

// setters are words before a name whose value follows without an operator.
var setters = []string{
	"#define",
	"ENV",
	"ARG",
	"setx",
	"setx /m",
	"set -gx",
	"set -x",
	"set -Ux",
	"set -xg",
	"set -g",
	"setenv",
	"configure set",
	"config set",
	"secret set",
	"secrets set",
	"env set",
	"env:set",
	"variable set",
	"identified by",
	"encrypted",
	"with",
	"(setq",
	"(def",
}

const setterEnds = " #define env arg setx /m -gx -x -ux -xg -g setenv set env:set by encrypted with (setq (def "

// setsNext reports whether one of the setters precedes a name.
func (s *scan) setsNext(from int) bool {
	line := s.text[max(0, from-40):from]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	}
	line = bytes.TrimRight(line, " \t\"'/:")
	if i := bytes.LastIndexByte(line, ' '); i >= 0 &&
		bytes.Contains(line[i:], []byte("//")) { // npm config set //registry/:_authToken
		line = line[:i]
	}
	last := line
	if i := bytes.LastIndexByte(line, ' '); i >= 0 {
		last = line[i+1:]
	}
	var buffer [40]byte
	if !inList(lowered(buffer[:0], last), setterEnds) {
		return false
	}
	for _, word := range setters {
		if len(line) >= len(word) && hasFoldAt(line, len(line)-len(word), asciiLower(word)) &&
			(len(line) == len(word) || !isName(line[len(line)-len(word)-1])) {
			return true
		}
	}
	return false
}

// takesValue reports whether a name before a bracket is a call with the value as its argument: .password("..."),
// setPassword("..."), SecretStr("..."); getPassword("...") is not.
func (s *scan) takesValue(from, to int) bool {
	name := s.text[from:to]
	if dot := bytes.LastIndexByte(name, '.'); dot >= 0 {
		name = name[dot+1:]
	} else if !isUpper(name[0]) && !hasPrefixFold(name, "set") && !hasPrefixFold(name, "with") {
		return false
	}
	var buffer [80]byte
	words := split(buffer[:0], name[:min(len(name), 64)])
	first, _, _ := bytes.Cut(words, []byte(" "))
	return !inList(first, readingVerbs)
}

// isSetter reports whether a name in quotes is the first argument of a call that sets something by it.
func (s *scan) isSetter(from int) bool {
	i := from
	for i > 0 && from-i < 8 && (isQuote(s.text[i-1]) || s.text[i-1] == '\\' || s.text[i-1] == ' ') {
		i--
	}
	if i == 0 || s.text[i-1] != '(' {
		return false
	}
	end := i - 1
	for i = end; i > 0 && end-i < 32 && isAlnum(s.text[i-1]); i-- {
	}
	for _, verb := range []string{"set", "put", "add", "with", "define", "insert", "env", "export", "append", "store",
		"save"} {
		if hasPrefixFold(s.text[i:end], verb) {
			return true
		}
	}
	return false
}

// readingVerbs are the first words of calls that read a value by its name.
const readingVerbs = " get has is find read load fetch check validate verify delete remove parse next expect match lookup assert on use create make generate new test require compare hash encode decode describe list not no invalid missing handle update forgot reset "

func hasPrefixFold(b []byte, prefix string) bool { return hasFoldAt(b, 0, prefix) }
