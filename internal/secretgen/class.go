package secretgen

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Classes are all that is made, in the order of the table.
func Classes() []Class {
	both := map[string][]telling{"password": passwords, "key": keys}
	sure := slices.DeleteFunc(slices.Clone(assignments), func(c context) bool { return !c.sure })
	loose := slices.DeleteFunc(slices.Clone(assignments), func(c context) bool { return c.sure })
	var people, plain []kind
	for _, h := range human {
		people = append(people, assigned(h.name, passwords, assignments, h.of))
	}
	plain = append(plain, assigned("one word", passwords, sure, func(d *rand.Rand) string { return strings.ToLower(word(d) + word(d)) }))
	phrase := assigned("four words and a number", []telling{"password", "passphrase"}, sure, func(d *rand.Rand) string {
		return strings.ToLower(word(d) + " " + word(d) + " " + word(d) + " " + word(d) + " " + number(d, 10, 99))
	})
	return slices.Concat([]Class{
		{"letters and digits behind a telling name", true, each("letters and digits", alnum, both, assignments, 8, 12, 16, 20, 24, 32, 48, 64)},
		{"letters and signs behind a telling name", true, each("letters, digits and signs", symbols, both, assignments, 8, 12, 16, 20, 24, 32, 48, 64)},
		{"hexadecimal numbers behind a telling name", true, each("hexadecimal", hexa, both, assignments, 16, 24, 32, 40, 64, 128)},
		{"base64 behind a telling name", true, append(each("base64", base64, both, assignments, 16, 24, 32, 44, 64, 88), each("base64 for URLs", urlSafe, both, assignments, 16, 22, 32, 43, 86)...)},
		{"base32 behind a telling name", true, each("base32", base32, both, assignments, 16, 26, 32, 52)},
		{"letters behind a telling name", true, append(each("letters", letters, both, assignments, 12, 16, 20, 24, 32), each("lower-case letters", lowers, both, assignments, 12, 16, 20, 24, 32)...)},
		{"digits behind a telling name", true, each("digits", digits, map[string][]telling{"password": passwords}, assignments, 8, 12, 16, 20)},
		{"passwords of people behind a telling name", true, append(people, phrase)},
		{"one word in quotes, or where a shell sets it, behind a telling name", true, plain},
		{"keys of frameworks and tools", true, frameworkKinds()},
		{"keys of services without a name", true, tokens()},
		{"addresses that are secrets", true, webhooks()},
		{"files made for secrets, however they are read", true, files()},
		{"files made for secrets, as commands write them and people paste them", true, writes()},
		{"texts in base64, packed or in UTF-16", true, encodedKinds()},
		{"one word without quotes behind a telling name", false, []kind{assigned("one word", passwords, loose, func(d *rand.Rand) string { return strings.ToLower(word(d) + word(d)) })}},
		{"8 letters behind a telling name", true, slices.Concat(each("letters", letters, both, assignments, 8), each("lower-case letters", lowers, both, assignments, 8))},
	}, commandClasses(), personClasses(), []Class{literalClass()})
}
