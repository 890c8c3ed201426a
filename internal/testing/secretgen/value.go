package secretgen

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	hexa    = "0123456789abcdef"
	letters = lowers + uppers
	alnum   = letters + digits
	base64  = alnum + "+/"
	urlSafe = alnum + "-_"
	base32  = uppers + "234567"
	symbols = alnum + "!@#%^*+-_=.,:?~"
	django  = lowers + digits + "!@#$%^&*(-_=+)"
)

// random returns n bytes of an alphabet, with at least three kinds of characters if the alphabet has as many: services
// do not hand out values with fewer.
func random(rng *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}

// words are words of which people make passwords.
var words = strings.Fields("Sommer Regen Garten Lampe Winter Berlin Laterne Katze Kaffee Fenster " +
	"summer orange tiger window guitar monkey dragon falcon mountain rocket silver purple coffee planet hammer " +
	"soleil jardin fromage bonjour verano zapato camino guerra estrella montana ocean forest castle thunder velvet " +
	"Mara Jonas Emilia Tobias Oliver Sophie Carlos Ingrid")

func word(rng *rand.Rand) string { return words[rng.IntN(len(words))] }

func number(rng *rand.Rand, least, most int) string {
	return strconv.Itoa(least + rng.IntN(most-least+1))
}

func oneOf(rng *rand.Rand, list ...string) string { return list[rng.IntN(len(list))] }

func title(s string) string { return strings.ToUpper(s[:1]) + strings.ToLower(s[1:]) }

// leet writes letters as digits that look like them.
var leet = strings.NewReplacer("a", "4", "e", "3", "i", "1", "o", "0")

// human are the ways in which people make passwords.
var human = []struct {
	name  string
	plain bool // letters and digits only
	of    func(*rand.Rand) string
}{
	{"Wordword99!", false, func(d *rand.Rand) string {
		return title(word(d)+strings.ToLower(word(d))) + number(d, 10, 99) + oneOf(d, "!", "?", "*", "+")
	}},
	{"word-word-99", false, func(d *rand.Rand) string {
		return strings.ToLower(word(d)) + "-" + strings.ToLower(word(d)) + "-" + number(d, 10, 9999)
	}},
	{"Word.1999", false, func(d *rand.Rand) string {
		return title(word(d)) + oneOf(d, ".", "_", "@") + number(d, 1950, 2026)
	}},
	{"W0rdw0rd!", false, func(d *rand.Rand) string {
		return title(leet.Replace(strings.ToLower(word(d)))) + leet.Replace(strings.ToLower(word(d))) +
			oneOf(d, "!", "%", "=")
	}},
	{"wordword99", true, func(d *rand.Rand) string {
		return strings.ToLower(word(d)+word(d)) + number(d, 10, 9999)
	}},
	{"Word1999", true, func(d *rand.Rand) string { return title(word(d)) + number(d, 1950, 2026) }},
	{"!!word99WORD", false, func(d *rand.Rand) string {
		return oneOf(d, "!!", "++", "!?") + strings.ToLower(word(d)) + number(d, 10, 99) + strings.ToUpper(word(d))
	}},
}
