package redact

import (
	"bytes"
	"slices"
)

// isNotSecret reports whether a value after the name of a secret is not secret: a placeholder, a path, the name
// itself, a type, a trivial password, an identifier.
func isNotSecret(v []byte, a assignedValue) bool {
	return isPlaceholder(v) || isPath(v) || repeatsName(v, a.name) || isTrivial(v) || isHost(v) || isFormat(v) ||
		isCiphered(v) ||
		!a.quoted && !a.env && (a.nextByte == '(' || a.nextByte == '[') && isAll(v, isName) ||
		isColor(v) ||
		isModel(v)
}

// repeatsName reports whether a value is the name that it is assigned to, in any notation.
func repeatsName(v, name []byte) bool {
	var a, b [80]byte
	if len(v) > 64 || len(name) > 64 {
		return false
	}
	return bytes.Equal(onlyLetters(a[:0], v), onlyLetters(b[:0], name))
}

func onlyLetters(dst, v []byte) []byte {
	for _, c := range v {
		if isAlnum(c) {
			dst = append(dst, lower(c))
		}
	}
	return dst
}

// isTrivial reports whether a value consists of well-known passwords, types, or words about secrets: test123, string,
// my-secret-token.
func isTrivial(v []byte) bool {
	if len(v) > longestWord {
		return false
	}
	var buffer [300]byte
	low := lowered(buffer[:0], v)
	if inList(low, constants) {
		return true
	}
	n := countBytes(v)
	signs := n.signs - bytes.Count(v, []byte(" "))
	if (signs == 0 && n.digits < 4 || signs == 1 && n.digits < 2) && namesSecret(low) && crossEntropy(v) < 4.6 {
		return true
	}
	if len(v) > 40 {
		return false
	}
	var words [300]byte
	rest := split(words[:0], v)
	for len(rest) > 0 {
		w := rest
		if i := bytes.IndexByte(rest, ' '); i >= 0 {
			w, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if !inList(w, trivials) && !(isNumber(w) && len(w) < 5) && !isSequence(w) {
			return false
		}
	}
	return true
}

// namesSecret reports whether a value in lower case contains a word for a secret.
func namesSecret(low []byte) bool {
	return holdsAny(
		low,
		"password",
		"passwd",
		"passphrase",
		"passwort",
		"secret",
		"token",
		"apikey",
		"api_key",
		"api-key",
		"credential",
		"username",
	)
}

// trivials are the most common passwords, and words that are written in place of a password.
const trivials = " password passwd passphrase passcode pass pwd pw secret secrets test tests testing admin administrator postgres postgresql mysql redis root guest default demo mock " +
	"foo bar baz foobar hunter qwerty letmein welcome localhost token user username login my your the a an of some key api auth access db database app name value " +
	"session server client testpass testpassword testuser testkey testtoken mypassword mypass mysecret mytoken mykey minioadmin rabbitmq mongo minio string text none null nil true false " +
	"required optional undefined hidden enabled disabled unknown empty missing invalid wrong bad good new old current confirm confirmation reset changed here dev prod local staging "

// constants are values in code that name kinds, types and states.
const constants = " string number boolean object function symbol bigint undefined null none nil true false required optional hidden text unknown any void never readonly " +
	"integer array bytes bytearray uint32 uint64 int32 int64 float32 float64 secretstr sensitive redacted empty missing invalid same-origin include omit 12345678 123456789 1234567890 " +
	"passw0rd p4ssw0rd p@ssw0rd p@ssword s3cret s3cr3t secr3t hunter2 passwort contraseña contrasena senha wachtwoord motdepasse mot de passe lösenord hasło heslo пароль parola salasana kennwort "

// isHost reports whether a value is the name of a host or of a member: words separated by dots, with or without a port.
func isHost(v []byte) bool {
	host, port, _ := bytes.Cut(v, []byte(":"))
	if len(port) > 5 || len(port) > 0 && !isNumber(port) || len(host) < 3 {
		return false
	}
	isHostLetter := func(c byte) bool { return isLetter(c) || c == '-' || c == '_' || c == '.' }
	if host[0] == '.' || contains(host, "..") || !isAll(host, isHostLetter) {
		return false
	}
	if bytes.IndexByte(host, '.') >= 0 && crossEntropy(host) < 4.3 {
		return true
	}
	return len(port) > 0 && inList(host, " localhost host hostname ")
}

// isFormat reports whether a value is a format for other values, or a piece of code between two quotes: "token=%s",
// "+x+".
func isFormat(v []byte) bool {
	if holdsAny(v, `\w`, `\W`, `\d`, `\s`) { // an expression
		return true
	}
	low := crossEntropy(v)
	switch {
	case low >= 5:
		return false
	case len(v) > 1 && v[0] == '+' && (v[len(v)-1] == '+' || bytes.IndexByte(v, '(') > 0 ||
		bytes.IndexByte(v, ',') > 0):
		return true
	case (len(v) < 8 || low < 4.6) && holdsAny(v, "%s", "%d", "%v", "%q"):
		return true
	case holdsAny(v, "%(", "{}", "{0}", "{{", " = ", "=>", `\u`, `\x`, "[^", ".*"):
		return true
	}
	if open := bytes.IndexByte(v, '{'); open >= 0 {
		n := bytes.IndexByte(v[open:], '}')
		return n > 1 && isAll(v[open+1:open+n], isName) && crossEntropy(v[open+1:open+n]) < 4.5
	}
	return false
}

func holdsAny(v []byte, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return contains(v, part) })
}

// isCiphered reports whether a value is encrypted, or the hash of a file: ENC[...], sops.
func isCiphered(v []byte) bool {
	return bytes.HasPrefix(v, []byte("ENC[")) || bytes.HasPrefix(v, []byte("sha256:")) ||
		bytes.HasPrefix(v, []byte("sha256-")) ||
		bytes.HasPrefix(v, []byte("sha512-"))
}

// isColor reports whether a value is a color: #1f2d3c
func isColor(v []byte) bool {
	return v[0] == '#' && (len(v) == 4 || len(v) == 7 || len(v) == 9) && isAll(v[1:], isHex)
}

// isModel reports whether a value names a model or a version: claude-sonnet-4-5-20250929, gpt-4o-mini, v1.2.3.
func isModel(v []byte) bool {
	return isVersioned(v) && crossEntropy(v) < 4.6
}
