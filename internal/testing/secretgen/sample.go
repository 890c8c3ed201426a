package secretgen

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// A Sample is a session that has secrets in it.
type Sample struct {
	Kind, Context string
	Records       []string // JSON values, in the order of the session
	Secrets       []string // as they are and as they are written: nothing of them may be left
}

// A kind makes sessions in which the same sort of secret stands in different places.
type kind struct {
	name string
	make func(*rand.Rand) []Sample
}

// A Class is what SECURITY.md gives a rate of.
type Class struct {
	Name     string
	Promised bool
	kinds    []kind
}

// Samples returns those of one kind after the other, the same for the same seed.
func (c Class) Samples(seed uint64) []Sample {
	var all []Sample
	for _, k := range c.kinds {
		h := fnv.New64a()
		h.Write([]byte(c.Name + "\n" + k.name))
		for _, s := range k.make(rand.New(rand.NewPCG(seed, h.Sum64()))) {
			s.Kind = k.name
			all = append(all, s)
		}
	}
	return all
}

// Kinds returns how many kinds a class has.
func (c Class) Kinds() int { return len(c.kinds) }

// records are the ways in which a text stands in a session: what a tool printed, what somebody wrote, what a tool was
// given, what an editor did.
var records = []func(text string) []string{
	func(text string) []string {
		return []string{`{"type":"user","message":{"role":"user","content":` + quote(text) + `}}`}
	},
	func(text string) []string {
		return []string{
			`{"type":"assistant","message":{"content":[{"type":"text","text":` + quote("Here it is:\n\n"+text) + `}]}}`,
		}
	},
	func(text string) []string {
		return []string{
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":` + quote(text) +
				`}]},"toolUseResult":{"stdout":` + quote(text) + `,"stderr":""}}`,
		}
	},
	func(text string) []string {
		return []string{
			`{"message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/srv/app/notes.txt","content":` + quote(text) + `}}]}}`,
		}
	},
	func(text string) []string {
		return []string{
			`{"message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":` + quote(text) + `}}]}}`,
		}
	},
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return string(b)
}

// of returns a session in which a text stands somewhere.
func of(dice *rand.Rand, context, text string, secrets ...string) Sample {
	return Sample{Context: context, Records: records[dice.IntN(len(records))](text), Secrets: secrets}
}

// marker is what takes the place of a secret.
var marker = regexp.MustCompile(`\[[a-z0-9-]+ \d+\]`)

// Left says whether something of the secrets is left in what became of the records: all of one, or eight bytes of it in
// a row that the text without it has not.
func (s Sample) Left(out []string) bool {
	text := marker.ReplaceAllString(strings.Join(out, "\n"), "")
	plain := marker.ReplaceAllString(textOf(out), "")
	for _, secret := range s.Secrets {
		part := min(len(secret), 8)
		for i := 0; i+part <= len(secret); i++ {
			if w := secret[i : i+part]; strings.Contains(text, w) || strings.Contains(plain, w) {
				return true
			}
		}
	}
	return false
}

// textOf returns the strings of records without their escapes, and what they are the base64 of.
func textOf(records []string) string {
	var b strings.Builder
	for _, r := range records {
		dec := json.NewDecoder(strings.NewReader(r))
		for {
			token, err := dec.Token()
			if err != nil {
				break
			}
			if s, ok := token.(string); ok {
				b.WriteString(s + "\n" + decoded(s) + decoded(";base64,"+s) + "\n")
			}
		}
	}
	return b.String()
}

// assigned returns a kind of value behind all of some names in all contexts that pass.
func assigned(name string, names []telling, in []context, value func(*rand.Rand) string) kind {
	return kind{name, func(dice *rand.Rand) []Sample {
		var all []Sample
		for _, c := range in {
			n := names[dice.IntN(len(names))]
			for range 20 {
				v := value(dice)
				if text, written, ok := c.write(n, v); ok {
					all = append(all, of(dice, c.name, text, v, written))
					break
				}
			}
		}
		return all
	}}
}

// each are kinds for one way to make values, by length, for passwords and keys apart.
func each(what, alphabet string, names map[string][]telling, in []context, lengths ...int) []kind {
	var all []kind
	for _, role := range []string{"password", "key"} {
		for _, n := range lengths {
			if names[role] != nil {
				all = append(all,
					assigned(what+" "+strconv.Itoa(n)+", "+role, names[role], in, func(d *rand.Rand) string {
						return random(d, n, alphabet)
					}))
			}
		}
	}
	return all
}
