package secretgen

import "strings"

// A secretName says that its value is a secret. Its words are in lower case, separated by spaces.
type secretName string

// passwords are names of values that people choose, keys those of generated values.
var (
	passwords = []secretName{"password", "db password", "passwd", "user pwd", "secret", "client secret", "passphrase"}
	keys      = []secretName{
		"api key", "token", "access token", "secret key", "auth token", "private key", "encryption key",
	}
)

func (n secretName) snake() string { return strings.ReplaceAll(string(n), " ", "_") }
func (n secretName) kebab() string { return strings.ReplaceAll(string(n), " ", "-") }
func (n secretName) upper() string { return strings.ToUpper(n.snake()) }
func (n secretName) label() string { return strings.ToUpper(string(n)[:1]) + string(n)[1:] }

func (n secretName) pascal() string {
	var b strings.Builder
	for w := range strings.FieldsSeq(string(n)) {
		b.WriteString(title(w))
	}
	return b.String()
}

func (n secretName) camel() string {
	p := n.pascal()
	return strings.ToLower(p[:1]) + p[1:]
}
