package secretgen

import (
	b64 "encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
)

// Classes returns all classes, in the order of the table in SECURITY.md.
func Classes() []Class {
	both := map[string][]secretName{"password": passwords, "key": keys}
	sure := slices.DeleteFunc(slices.Clone(assignments), func(c context) bool { return !c.sure })
	loose := slices.DeleteFunc(slices.Clone(assignments), func(c context) bool { return c.sure })
	var people, plain []kind
	for _, h := range human {
		people = append(people, assigned(h.name, passwords, assignments, h.of))
	}
	people = append(people, assigned("base64 of Wordword99!", passwords, assignments, func(d *rand.Rand) string {
		return b64.StdEncoding.EncodeToString([]byte(human[0].of(d)))
	}), assigned("base64 of one word", passwords, assignments, func(d *rand.Rand) string {
		return b64.StdEncoding.EncodeToString([]byte(word(d)))
	}))
	plain = append(plain, assigned("one word", passwords, sure, func(d *rand.Rand) string {
		return strings.ToLower(word(d) + word(d))
	}))
	phrase := assigned("four words and a number", []secretName{"password", "passphrase"}, sure, func(
		d *rand.Rand,
	) string {
		return strings.ToLower(word(d) + " " + word(d) + " " + word(d) + " " + word(d) + " " + number(d, 10, 99))
	})
	return slices.Concat([]Class{
		{"letters and digits after a telling name", true, each("letters and digits", alnum, both, assignments, 8, 12, 16, 20, 24, 32, 48, 64)},
		{"letters and signs after a telling name", true, each("letters, digits and signs", symbols, both, assignments, 8, 12, 16, 20, 24, 32, 48, 64)},
		{"hexadecimal numbers after a telling name", true, each("hexadecimal", hexa, both, assignments, 16, 24, 32, 40, 64, 128)},
		{"base64 after a telling name", true, append(each("base64", base64, both, assignments, 16, 24, 32, 44, 64, 88), each("base64 for URLs", urlSafe, both, assignments, 16, 22, 32, 43, 86)...)},
		{"base32 after a telling name", true, each("base32", base32, both, assignments, 16, 26, 32, 52)},
		{"letters after a telling name", true, append(each("letters", letters, both, assignments, 12, 16, 20, 24, 32), each("lower-case letters", lowers, both, assignments, 12, 16, 20, 24, 32)...)},
		{"digits after a telling name", true, each("digits", digits, map[string][]secretName{"password": passwords}, assignments, 8, 12, 16, 20)},
		{"passwords of people after a telling name", true, append(people, phrase)},
		{"one word in quotes, or where a shell sets it, after a telling name", true, plain},
		{"keys of frameworks and tools", true, frameworkKinds()},
		{"keys of services without a name", true, tokens()},
		{"addresses that are secrets", true, webhooks()},
		{"files made for secrets, however they are read", true, files()},
		{"files made for secrets, as commands write them and people paste them", true, writes()},
		{"texts in base64, packed or in UTF-16", true, encodedKinds()},
		{"outputs of tools that keep secrets", true, outputKinds()},
		{"8 letters after a telling name", true, slices.Concat(each("letters", letters, both, assignments, 8), each("lower-case letters", lowers, both, assignments, 8))},
		{"one word without quotes after a telling name", false,
			[]kind{assigned("one word", passwords, loose, func(d *rand.Rand) string {
				return strings.ToLower(word(d) + word(d))
			})}},
		{"6 and 7 letters and digits after a telling name", false, each("letters and digits", alnum, both, assignments, 6, 7)},
		{"random values without a telling name", false, []kind{bareKind("letters and digits 32", "", with(many(32, alnum))), bareKind("hexadecimal 40", "", with(many(40, hexa))), bareKind("letters 24", "", with(many(24, letters)))}},
		{"random values in a table below a telling name", true, []kind{columns()}},
		{"random values in two parts after a telling name", false, []kind{parts()}},
	}, commandClasses(), personClasses(), []Class{literalClass()}, elsewhereClasses())
}

// columns returns a kind: tables with a column named password.
func columns() kind {
	return kind{"tables", func(rng *rand.Rand) []Sample {
		v := random(rng, 20, alnum)
		return []Sample{
			of(rng, "psql", " id | name | password\n----+------+----------\n  1 | app  | "+v+"\n", v),
			of(rng, "CSV", "name,password,since\napp,"+v+",2026\n", v),
			of(rng, "Markdown", "| user | password |\n|---|---|\n| app | "+v+" |\n", v),
		}
	}}
}

// parts returns a kind: values that code concatenates.
func parts() kind {
	return kind{"parts", func(rng *rand.Rand) []Sample {
		v, w := random(rng, 20, alnum), random(rng, 20, alnum)
		return []Sample{
			of(rng, "sum", "password = \""+v+"\" + \""+w+"\"\n", v, w),
			of(rng, "two lines", "password = (\n    \""+v+"\"\n    \""+w+"\"\n)\n", v, w),
			of(rng, "a call", "password = join([\""+v+"\", \""+w+"\"])\n", v, w),
		}
	}}
}
