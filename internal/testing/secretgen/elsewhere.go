package secretgen

import (
	"math/rand/v2"
	"strings"
)

// places are texts in which nothing marks a value, {v}, as a secret.
var places = []string{
	"{v}",
	"then I tried {v} and it worked",
	"It is {v}.",
	"- `{v}` of the shop",
	"lamps (\"{v}\") of May",
	"left: '{v}', right: ''",
	"https://lampen.dev/list?q={v}&page=2",
	"| ops | {v} | 3 |",
	"line one\n{v}\nline three",
	"{\\\"a\\\": \\\"{v}\\\"}",
}

// elsewhere returns a kind of value that follows its name in one record, and has no name in the records before and
// after it.
func elsewhere(name string, names []secretName, value func(*rand.Rand) string) kind {
	return kind{name, func(rng *rand.Rand) []Sample {
		var all []Sample
		for _, place := range places {
			for n := 0; n < 4; {
				v := value(rng)
				text, written, ok := assignments[rng.IntN(len(assignments))].write(names[rng.IntN(len(names))], v)
				if !ok || written != v {
					continue
				}
				bare := func() string {
					return records[rng.IntN(len(records))](strings.ReplaceAll(place, "{v}", v))[0]
				}
				all = append(all, Sample{
					Context: place,
					Records: []string{bare(), records[rng.IntN(len(records))](text)[0], bare()},
					Secrets: []string{v},
				})
				n++
			}
		}
		return all
	}}
}

// elsewhereClasses returns values that one named place reveals in all others.
func elsewhereClasses() []Class {
	var people []kind
	for _, h := range human {
		people = append(people, elsewhere(h.name, passwords, h.of))
	}
	var made []kind
	for _, m := range []struct {
		name, alphabet string
		n              int
	}{
		{"letters and digits 16", alnum, 16}, {"letters and digits 32", alnum, 32},
		{"letters, digits and signs 16", symbols, 16},
		{"letters, digits and signs 32", symbols, 32}, {"hexadecimal 32", hexa, 32}, {"base64 44", base64, 44},
		{"letters 24", letters, 24},
	} {
		made = append(made, elsewhere(m.name, keys, func(d *rand.Rand) string { return random(d, m.n, m.alphabet) }))
	}
	return []Class{
		{"random values before and after the place that reveals them", true, made},
		{"passwords of people before and after the place that reveals them", true, people},
		{"one word before and after the place that reveals it", false,
			[]kind{elsewhere("one word", passwords, func(d *rand.Rand) string {
				return strings.ToLower(word(d) + word(d))
			})}},
	}
}
