package redact

import "bytes"

// isExpression reports whether a value without quotes is an expression in code: names with operators between them.
// Secrets differ: they have numbers of two or more digits, and characters that no name has.
func isExpression(v []byte) bool {
	if len(v) > 0 && isCall(v) {
		return true
	}
	named := false
	for i := 0; i < len(v); {
		if !isAlnum(v[i]) && v[i] != '_' {
			if i > 0 &&
				bytes.IndexByte([]byte("#^~%"), v[i]) >= 0 { // not operators without blanks
				return false
			}
			i++
			continue
		}
		start := i
		for i < len(v) && (isAlnum(v[i]) || v[i] == '_') {
			i++
		}
		if !isOperand(v[start:i]) {
			return false
		}
		named = named || i-start > 2
	}
	return named || len(v) < minKey
}

// isOperand reports whether letters and digits may be a name or a number in an expression.
func isOperand(piece []byte) bool {
	switch {
	case len(piece) > 1 && isNumber(piece):
		return false
	case len(piece) <= 2:
		return true
	case hasNumber(piece) && !inList(lowered(nil, piece), technical) && !isTechnical(piece):
		return false
	}
	return crossEntropy(piece) <= 4.7
}

// isCall reports whether a value is a call or an index: Errno(169), keys[32]
func isCall(v []byte) bool {
	open, last := bytes.IndexAny(v, "(["), v[len(v)-1]
	return open > 2 && (last == ')' || last == ']') && (isLetter(v[0]) || v[0] == '_') && isAll(v[:open], isName)
}

// hasNumber reports whether a name contains a number of two digits.
func hasNumber(piece []byte) bool {
	for i := 1; i < len(piece); i++ {
		if isDigit(piece[i]) && isDigit(piece[i-1]) {
			return true
		}
	}
	return false
}

// isTechnical reports whether the number in a name is that of a kind or a method: b64decode, Uint8Array,
// RSA2048PrivateKey.
func isTechnical(piece []byte) bool {
	var buffer [80]byte
	low := lowered(buffer[:0], piece[:min(len(piece), 80)])
	for i := 0; i < len(low); i++ {
		if !isDigit(low[i]) {
			continue
		}
		end := i
		for end < len(low) && isDigit(low[end]) {
			end++
		}
		word := i
		for word > 0 && isLetter(low[word-1]) {
			word--
		}
		if !inList(low[i:end], kindNumbers) || end == len(low) && !inList(low[word:i], kinds) {
			return false
		}
		i = end
	}
	return true
}

const (
	kinds       = " int uint float base sha utf b i u f c v p md aes rsa ed ecdsa x pkcs ec curve hmac win arm amd mips ppc to "
	technical   = " x509 pkcs12 "
	kindNumbers = " 1 2 3 4 5 6 7 8 9 0 16 32 64 128 256 384 512 1024 2048 4096 8192 25519 224 521 "
)
