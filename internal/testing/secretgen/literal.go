package secretgen

import (
	"math/rand/v2"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Literals are texts that a user wants redacted, as in a file of them. TestMissed passes them to the redactor that it
// measures.
var Literals = []string{
	"Projekt Leuchtturm Nord", "Zoë Brontë-Ångström", "Grüße & Söhne GmbH", "Operation Sturmvogel",
	"Łukasz Wiśniewski", "株式会社灯台 東京",
}

var respelled = []struct {
	name string
	of   func(string) string
}{
	{"as it is", func(s string) string { return s }},
	{"capitals", strings.ToUpper},
	{"small letters", strings.ToLower},
	{"NFD", norm.NFD.String},
	{"NFD, capitals", func(s string) string { return norm.NFD.String(strings.ToUpper(s)) }},
	{"two blanks", blanks("  ")},
	{"a no-break space", blanks("\u00a0")},
	{"a narrow one", blanks("\u202f")},
	{"a tab", blanks("\t")},
	{"lines", blanks("\n")},
	{"lines of Windows", blanks("\r\n")},
	{"lines, set in", blanks("\n    ")},
	{"no blank", blanks("")},
	{"colours between", blanks("\x1b[0m \x1b[1;31m")},
	{"colours within", within("\x1b[31m")},
	{"a soft hyphen", within("\u00ad")},
	{"a joiner", func(s string) string { return s + "\u200b" }},
}

func blanks(with string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, " ", with) }
}

func within(sign string) func(string) string {
	return func(s string) string {
		runes := []rune(s)
		return string(runes[:3]) + sign + string(runes[3:])
	}
}

// literalClass returns the class of texts that the user lists.
func literalClass() Class {
	var all []kind
	for _, r := range respelled {
		all = append(all, kind{r.name, func(rng *rand.Rand) []Sample {
			var samples []Sample
			for _, text := range Literals {
				text = r.of(text)
				samples = append(samples, of(rng, "a sentence", "It is for "+text+", as said.", text))
			}
			return samples
		}})
	}
	return Class{"texts of --redact-file", true, all}
}
