package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// Secrets for tests are generated at run time. No file contains one, so nobody has to check whether it is real.

const (
	alnum       = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base64Signs = alnum + "+/"
	hexSigns    = "0123456789abcdef"
)

// fake returns a secret of n bytes of an alphabet. The same seed gives the same secret.
func fake(seed uint64, n int, alphabet string) string {
	for {
		text := randomText(seed, n, alphabet)
		if n < 16 || !isPlaceholder([]byte(text)) && isRandom([]byte(text), 1, 1) {
			return text
		}
		seed += 1 << 32
	}
}

func randomText(seed uint64, n int, alphabet string) string {
	rng := rand.New(rand.NewPCG(seed, 11))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}

// fakeKey returns a private key in PEM, with lines of 64 bytes.
func fakeKey(seed uint64, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN RSA " + "PRIVATE KEY-----\n")
	for i := range lines {
		b.WriteString(fake(seed*100+uint64(i), 64, base64Signs) + "\n")
	}
	b.WriteString("-----END RSA " + "PRIVATE KEY-----\n")
	return b.String()
}

// matchOf returns a random text that an expression matches.
func matchOf(t *testing.T, rng *rand.Rand, expr string) string {
	t.Helper()
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	var b strings.Builder
	write(&b, rng, re)
	return b.String()
}

func write(b *strings.Builder, rng *rand.Rand, re *syntax.Regexp) {
	repeat := func(least, most int) {
		if most < 0 {
			most = least + 10
		}
		for range least + rng.IntN(most-least+1) {
			write(b, rng, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		n := 0
		for i := 0; i < len(re.Rune); i += 2 {
			n += int(min(re.Rune[i+1], 126)-min(re.Rune[i], 127)) + 1
		}
		k := rng.IntN(n)
		for i := 0; i < len(re.Rune); i += 2 {
			width := int(min(re.Rune[i+1], 126)-min(re.Rune[i], 127)) + 1
			if k < width {
				b.WriteRune(re.Rune[i] + rune(k))
				return
			}
			k -= width
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(alnum[rng.IntN(len(alnum))])
	case syntax.OpCapture:
		write(b, rng, re.Sub[0])
	case syntax.OpStar:
		repeat(0, 6)
	case syntax.OpPlus:
		repeat(1, 12)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, rng, sub)
		}
	case syntax.OpAlternate:
		write(b, rng, re.Sub[rng.IntN(len(re.Sub))])
	}
}

func newSession(t testing.TB, o Options) *Session {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Session()
}
