package secretgen

import "strings"

// A telling name promises that its value is a secret. Its words are in lower case, with blanks between.
type telling string

// passwords are names of what people choose, keys those of what machines make up.
var (
	passwords = []telling{"password", "db password", "passwd", "user pwd", "secret", "client secret", "passphrase"}
	keys      = []telling{
		"api key", "token", "access token", "secret key", "auth token", "private key", "encryption key",
	}
)

func (n telling) snake() string { return strings.ReplaceAll(string(n), " ", "_") }
func (n telling) kebab() string { return strings.ReplaceAll(string(n), " ", "-") }
func (n telling) upper() string { return strings.ToUpper(n.snake()) }
func (n telling) label() string { return strings.ToUpper(string(n)[:1]) + string(n)[1:] }

func (n telling) pascal() string {
	var b strings.Builder
	for w := range strings.FieldsSeq(string(n)) {
		b.WriteString(title(w))
	}
	return b.String()
}

func (n telling) camel() string {
	p := n.pascal()
	return strings.ToLower(p[:1]) + p[1:]
}
