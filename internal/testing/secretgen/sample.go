package secretgen

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// A Sample is a session with secrets.
type Sample struct {
	Kind, Context string
	Records       []string // JSON values, in the order of the session
	Secrets       []string // both unescaped and as written; no part of them may remain
}

// A kind makes sessions with the same kind of secret in different places.
type kind struct {
	name string
	make func(*rand.Rand) []Sample
}

// A Class is a row of the table in SECURITY.md, which gives its rate of missed secrets.
type Class struct {
	Name     string
	Promised bool
	kinds    []kind
}

// Samples returns the samples of each kind in turn. The same seed gives the same samples.
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

// records are the ways in which a text occurs in a session: in the output of a tool, in a message, in the input of a
// tool, in the change of an editor.
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

// of returns a session with a text in a random kind of record.
func of(rng *rand.Rand, context, text string, secrets ...string) Sample {
	return Sample{Context: context, Records: records[rng.IntN(len(records))](text), Secrets: secrets}
}

// marker matches the replacement of a secret.
var marker = regexp.MustCompile(`\[[a-z0-9-]+ \d+\]`)

// Left reports whether the redacted records still contain a part of the secrets: a short one entirely, or eight bytes
// in a row that the text without the secret does not have.
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

// textOf returns the strings of records, unescaped, and also base64-decoded.
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

// assigned returns a kind of value after one of some names, in all contexts that can hold it.
func assigned(name string, names []secretName, in []context, value func(*rand.Rand) string) kind {
	return kind{name, func(rng *rand.Rand) []Sample {
		var all []Sample
		for _, c := range in {
			n := names[rng.IntN(len(names))]
			for range 20 {
				v := value(rng)
				if text, written, ok := c.write(n, v); ok {
					all = append(all, of(rng, c.name, text, v, written))
					break
				}
			}
		}
		return all
	}}
}

// each returns kinds for one way to make values, by length, separately for passwords and keys.
func each(what, alphabet string, names map[string][]secretName, in []context, lengths ...int) []kind {
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
