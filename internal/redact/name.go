package redact

import (
	"bytes"
	"slices"
	"strings"
)

// A class is how likely the value after a name is a secret.
type class uint8

const (
	noClass      class = iota
	weakName           // auth, access, key: a value that looks random, and like nothing else, is a secret
	keyName            // token, api_key: a value that looks random is a secret
	passwordName       // password, secret: any value except words, calls and placeholders is a secret
	phraseName         // mnemonic: the words of a wallet
	headerName         // Authorization
	cookieName         // Cookie
	accountID          // accountUuid
)

// classOf returns the class of a name by its words: userPassword, DB_PASSWORD, next_page_token.
func classOf(name []byte) class {
	var buffer [80]byte
	if len(name) > 64 {
		name = name[len(name)-64:]
	}
	parts := withoutIdle(split(buffer[:0], name))
	base, last, _ := cutLast(parts)
	_, before, _ := cutLast(base)
	switch s := string(last); {
	case s == "by" && string(before) == "identified": // SQL
		return passwordName
	case isPasswordWord(last, before):
		if inList(before, notPasswordOf) {
			return noClass
		}
		return passwordName
	case s == "authorization":
		return headerName
	case s == "cookie" || s == "cookies":
		return cookieName
	case hasSuffix(s, "secret"), s == "phrase" && string(before) == "pass", s == "ident" && string(before) == "auth":
		return passwordName
	case s == "seed" && inList(before, codeOf), s == "totp", s == "code" && inList(before, codeOf),
		s == "code" && len(before) == 0, s == "verifier" && string(before) == "code",
		hasSuffix(s, "phpsessid", "jsessionid"):
		return keyName
	case s == "secrets":
		return keyName
	case s == "sessionid", s == "pat" && len(before) > 0: // GITHUB_PAT: a personal access token
		return weakName
	case s == "mnemonic" || s == "seed" || s == "phrase" && inList(before, phraseOf):
		return phraseName
	case hasSuffix(s, "token"):
		if inList(before, notTokenOf) || inList(last, notTokenOf) {
			return noClass
		}
		return keyName
	case isKeyWord(s):
		return classOfKey(base, before, last)
	}
	return classInside(base, last)
}

// isPasswordWord reports whether the last word of a name means a password.
func isPasswordWord(last, before []byte) bool {
	switch s := string(last); s {
	case "pass", "passwords":
		return true
	case "pw":
		return len(before) > 0
	default:
		return inList(last, joinedPass) ||
			hasSuffix(s, "password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "psk",
				"requirepass")
	}
}

// withoutIdle removes words without meaning at the end of a name, after the telling word.
func withoutIdle(parts []byte) []byte {
	for {
		base, last, ok := cutLast(parts)
		if !ok || !inList(last, idleWords) && !isNumber(last) {
			return parts
		}
		parts = base
	}
}

// isKeyWord reports whether the last word of a name means a key. Such names are less certain than those of passwords:
// the words before it decide.
func isKeyWord(s string) bool {
	switch s {
	case "key", "keys", "salt", "auth", "access":
		return true
	}
	return hasSuffix(s, "apikey", "secretkey", "privatekey", "accesskey", "authkey", "signingkey", "encryptionkey",
		"masterkey", "accountkey", "credential", "credentials", "creds")
}

// classOfKey returns the class of a name for whose last word isKeyWord is true.
func classOfKey(base, before, last []byte) class {
	switch s := string(last); s {
	case "key":
		switch {
		case inList(before, keyOf) || bytes.HasSuffix(base, []byte("logged in")):
			return keyName
		case inList(before, notKeyOf):
			return noClass
		}
		return weakName
	case "keys":
		if inList(before, keyOf) {
			return keyName
		}
		return weakName
	case "salt":
		if len(before) == 0 {
			return classInside(base, last)
		}
		return keyName
	case "auth", "access":
		return weakName
	}
	return keyName
}

// classInside returns the class of a name with a telling word that is not the last one: todo_secret_do_not_commit.
func classInside(base, last []byte) class {
	for rest := base; len(rest) > 0; {
		var w []byte
		rest, w, _ = cutLast(rest)
		if (string(w) == "secret" || string(w) == "password" || string(w) == "token") && !inList(last, attributes) {
			return weakName
		}
	}
	return noClass
}

// split appends the words of a name in lower case, separated by spaces.
func split(dst, name []byte) []byte {
	for i, c := range name {
		if !isAlnum(c) {
			if len(dst) > 0 && dst[len(dst)-1] != ' ' {
				dst = append(dst, ' ')
			}
			continue
		}
		if i > 0 && beginsPart(name, i) {
			dst = append(dst, ' ')
		}
		dst = append(dst, lower(c))
	}
	return bytes.TrimRight(dst, " ")
}

// beginsPart reports whether a capital or a digit begins a word of a name: getURL2 has three.
func beginsPart(name []byte, i int) bool {
	c, before := name[i], name[i-1]
	if isDigit(c) {
		return isLetter(before)
	}
	return isUpper(c) && (isLower(before) || isDigit(before) ||
		isUpper(before) && i+1 < len(name) && isLower(name[i+1]))
}

func cutLast(parts []byte) (before, last []byte, ok bool) {
	i := bytes.LastIndexByte(parts, ' ')
	if i < 0 {
		return nil, parts, false
	}
	return bytes.TrimRight(parts[:i], " "), parts[i+1:], true
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

func hasSuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

// inList reports whether a word is in a list of words with spaces around each.
func inList(word []byte, list string) bool {
	for i := 0; ; {
		n := strings.Index(list[i:], string(word))
		if n < 0 || len(word) == 0 {
			return false
		}
		i += n
		if i > 0 && i+len(word) < len(list) && list[i-1] == ' ' && list[i+len(word)] == ' ' {
			return true
		}
		i += len(word)
	}
}

const (
	idleWords     = " string value val data base string str raw plain text hex base64 b64 bytes prod production dev development staging live default current old new env var "
	joinedPass    = " dbpass sshpass pgpass userpass sudopass rootpass adminpass loginpass smtppass mailpass ftppass certpass mysqlpass dbpw rootpw userpw adminpw bindpw smtppw mysqlpw "
	notPasswordOf = " forgot reset show hide toggle has no min max require required "
	notTokenOf    = " next page continuation cursor csrf xsrf max min num input output prompt completion cache total count stop eos bos pad unk mask sep special cancellation cancel sync public tokens change resume start end first last key "
	keyOf         = " api secret jwt fernet vapid nonce logged secure private access encryption signing auth master account service license licence admin app application client consumer deploy ssh session storage crypt shared server webhook subscription instrumentation integration write read maps unseal validation decryption deployer wallet signer "
	phraseOf      = " seed recovery backup secret "
	codeOf        = " otp totp hotp mfa string device auth authorization "
	notKeyOf      = " public pub primary foreign sort partition hash range cache object idempotency dedupe dedup group lookup index map dict event press hot arrow unique natural composite row column translation label sequence config field header route query react item metric log state data json attribute meta tag env parent child s 3 blob file bucket issue project kms turkey mon hot registry checkpoint commit session tool entry node edge by of the this a each per same sorted first last next prev socket "
	attributes    = " id ids name names url uri path file dir type kind length len size count limit endpoint header prefix suffix field param params ttl expiry expires expiration exp at hint policy regex pattern format version usage budget index idx provider manager service store storage ref arn set required enabled disabled error errors label placeholder input form page rules test tests count reset used remaining per "
)
