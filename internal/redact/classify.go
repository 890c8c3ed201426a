package redact

import "bytes"

// The shortest and the longest value that may be a secret, in bytes.
const (
	minValue     = 6
	minKey       = 8 // of generated values
	longestValue = 8 << 10
	longestWord  = 256 // of what people choose
)

// judge decides whether a value is a secret, by the class of its name. After the name of a password every value is a
// secret, except for known placeholders.
func judge(c class, v []byte, a assignedValue) *rule {
	if len(v) < minValue || len(v) > longestValue {
		return nil
	}
	secret := false
	switch c {
	case weakName:
		secret = isRandom(v, 16, 3.5) && !isPath(v) && !isUUID(v) && !isSum(v) && !isCode(v, a) && !hasStopWord(v) &&
			!isPlaceholder(v)
	case keyName:
		secret = looksGenerated(v, a) && !isNotSecret(v, a)
	case phraseName:
		secret = isPhrase(v)
	case passwordName:
		secret = (looksGenerated(v, a) || looksChosen(v, a)) && !isNotSecret(v, a)
	}
	if !secret {
		return nil
	}
	if name := lowered(nil, a.name); c == passwordName && (contains(name, "pass") || contains(name, "pwd")) {
		return passwordRule
	}
	return secretRule
}

// isPhrase reports whether a value is twelve or more lower-case words of three to eight letters, as wallets have them.
func isPhrase(v []byte) bool {
	words, letters := 0, 0
	for i, c := range v {
		switch {
		case isLower(c):
			letters++
		case c != ' ':
			return false
		}
		if c == ' ' || i == len(v)-1 {
			if letters > 0 && (letters < 3 || letters > 8) {
				return false
			}
			words += min(letters, 1)
			letters = 0
		}
	}
	return words >= 12
}

// looksGenerated reports whether a value looks as if a program had generated it.
func looksGenerated(v []byte, a assignedValue) bool {
	sure := a.sure()
	switch {
	case len(v) < minKey:
		return false
	case bytes.IndexByte(v, ' ') >= 0: // the salts of WordPress have blanks
		return a.quoted && sure && len(v) >= 32 && isText(v) && crossEntropy(v) >= 5
	case isNumber(v):
		return sure || a.op == equals || a.op == colon || a.op == option || a.op == verb
	case (isHexadecimal(v) || isRandom(v, 16, 3.0)) && (sure || !isCode(v, a) && !isExpression(v)):
		return true
	}
	return crossEntropy(v) >= leastCrossEntropy(v, sure) && (sure || !isExpression(v))
}

// leastCrossEntropy returns the minimum cross-entropy of a secret. It is higher for values with less other evidence.
func leastCrossEntropy(v []byte, sure bool) float64 {
	switch {
	case !sure && !isSingle(v):
		return 4.9
	case len(v) < 12 || !sure:
		return 4.6
	}
	return 4.3
}

// isSingle reports whether a value has no characters that join names in code.
func isSingle(v []byte) bool {
	return !bytes.ContainsAny(v, "&|?=()[]{}<>;,*")
}

// isHexadecimal reports whether a value is a hexadecimal number that is too long for a word.
func isHexadecimal(v []byte) bool {
	if len(v) > 18 && v[0] == '0' && lower(v[1]) == 'x' {
		v = v[2:]
	}
	if len(v) < 16 {
		return false
	}
	digits := 0
	for _, c := range v {
		if !isHex(c) {
			return false
		}
		if isDigit(c) {
			digits++
		}
	}
	return digits > 0 && digits < len(v) && !isSequence(v)
}

// looksChosen reports whether a value may be a password that people choose.
func looksChosen(v []byte, a assignedValue) bool {
	if len(v) > longestWord || !isText(v) {
		return false
	}
	n := countBytes(v)
	blanks := bytes.Count(v, []byte(" "))
	signs := n.signs - blanks - countBeyondASCII(v)
	switch {
	case blanks > 0: // without a number it is a sentence
		return a.sure() && n.digits > 1 && countNumbers(v) == 1 && signs == 0 && blanks < 8
	case n.digits == 0 && signs == 0: // a word
		return a.sure() && !a.soft() && (isPlainWord(v) || crossEntropy(v) > 4.2)
	case a.sure() || a.op == option:
		return n.digits > 0 && !isLiteral(v) || !isExpression(v) && !isIdentifier(v)
	}
	return n.digits > 1 && !isExpression(v) && !isLiteral(v)
}

// countNumbers returns the number of runs of digits in a value.
func countNumbers(v []byte) int {
	n := 0
	for i, c := range v {
		if isDigit(c) && (i == 0 || !isDigit(v[i-1])) {
			n++
		}
	}
	return n
}

// countBeyondASCII returns the number of bytes of a value beyond ASCII.
func countBeyondASCII(v []byte) int {
	n := 0
	for _, c := range v {
		if c >= 0x80 {
			n++
		}
	}
	return n
}

// isLiteral reports whether a value is a number as code writes it.
func isLiteral(v []byte) bool {
	if len(v) > 34 || !isDigit(v[0]) {
		return false
	}
	of := isDigit
	if len(v) > 2 && v[0] == '0' && lower(v[1]) == 'x' {
		v, of = v[2:], isHex
	}
	for _, c := range v {
		if !of(c) && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// soft reports whether a name also has an ordinary meaning in code, such as a compiler pass.
func (a *assignedValue) soft() bool {
	var buffer [80]byte
	_, last, _ := cutLast(split(buffer[:0], a.name[:min(len(a.name), 64)]))
	return string(last) == "pass"
}

func isAll(v []byte, of func(byte) bool) bool {
	for _, c := range v {
		if !of(c) {
			return false
		}
	}
	return len(v) > 0
}

// isPlainWord reports whether a value is one word of one case, or words with dashes between. Names in code are words,
// too.
func isPlainWord(v []byte) bool {
	for i, c := range v {
		if c == '_' || c == '.' || isUpper(c) && i > 0 {
			return false
		}
	}
	return true
}

// isIdentifier reports whether a value is a name in code.
func isIdentifier(v []byte) bool {
	for _, c := range v {
		if !isAlnum(c) && c != '_' && c != '.' && c != '-' && c != '$' {
			return false
		}
	}
	return true
}

func isText(v []byte) bool {
	for _, c := range v {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// isCode reports whether a value is an expression: a name, a call, an index, a number.
func isCode(v []byte, a assignedValue) bool {
	switch {
	case a.quoted:
		return contains(v, `\u`) || contains(v, `\x`)
	case isLiteral(v):
		return true
	case a.env:
		return false
	case a.nextByte == '(' || a.nextByte == '[' || a.nextByte == '{':
		return true
	}
	isCodeByte := func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' }
	return isAll(v, isCodeByte) && isLetter(v[0]) && countNumbers(v) < 2
}
