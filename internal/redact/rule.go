package redact

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// gitleaks' rules, rewritten by TestGenerate; see rules/README.md.
var (
	//go:embed rules/gitleaks.json
	gitleaksRules []byte
	//go:embed rules/stopwords.txt
	stopWords string
	//go:embed rules/all.txt
	allRules string
)

// covered are the rules of gitleaks that detectors of our own take the place of.
var covered = map[string]string{
	"anthropic-admin-api-key": "own rule anthropic-key, for all keys that begin with sk-ant-",
	"anthropic-api-key":       "own rule anthropic-key",

	"curl-auth-header":       "header.go, wherever headers stand",
	"curl-auth-user":         "command.go",
	"jwt":                    "jwt.go, whose expression goes back from the middle",
	"kubernetes-secret-yaml": "command.go",
	"nuget-config-password":  "assign.go",
	"generic-api-key":        "assign.go, which knows more names and values; its stop words are used",
	"hashicorp-tf-password":  "assign.go",
	"pkcs12-file":            "finds files by name and reads none",
	"private-key":            "pem.go, which also knows keys in JSON, patches and arrays",
}

// ruleData is a rule as it stands in rules/gitleaks.json. It has either Expr, for a secret that is known by its
// own shape, or Name and Value, for one that is known by what it is assigned to.
type ruleData struct {
	ID      string   `json:"id"`
	Words   []string `json:"words"`             // each match holds one, with capitals in this case, else in any; [a-z] is one byte of these
	Expr    string   `json:"expr,omitempty"`    // of the secret, or of the place of which a group is the secret
	Name    string   `json:"name,omitempty"`    // what is somewhere in the name
	Value   string   `json:"value,omitempty"`   // the whole value
	Min     int      `json:"min,omitempty"`     // bytes without white space and quotes that a match has around the word
	Group   int      `json:"group,omitempty"`   // wholeMatch, or 0 for the first group that matches, if there is one
	Entropy float64  `json:"entropy,omitempty"` // in bits a byte, which the secret exceeds
	Allow   []string `json:"allow,omitempty"`   // secrets that are none
}

// wholeMatch, as the Group of a rule, says that its groups mean nothing.
const wholeMatch = -1

func readRules() []ruleData {
	var rules []ruleData
	if err := json.Unmarshal(gitleaksRules, &rules); err != nil {
		panic("redact: rules/gitleaks.json: " + err.Error())
	}
	return rules
}

// A rule is what counts and labels tell apart.
type rule struct {
	id         string
	label      string // in the text: [label 1]
	confidence Confidence

	// For rules of ruleData. Expressions are compiled when they are first needed: most never are.
	data   ruleData
	expr   func() *regexp.Regexp // Expr, or Value between ^ and $
	shapes func() []shape        // of Expr, or of Value; nil when it has none
	name   func() *regexp.Regexp
	pass   func() []*regexp.Regexp // Allow
}

func newRule(d ruleData) *rule {
	expr := loosened(d.Expr)
	if expr == "" {
		expr = "^(?:" + d.Value + ")$"
	}
	return &rule{
		id: d.ID, label: labelOf(d.ID), confidence: High, data: d,
		expr: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		shapes: sync.OnceValue(func() []shape {
			if d.Group == wholeMatch { // its groups are parts of the secret
				return nil
			}
			return shapesOf(loosened(d.Expr) + d.Value)
		}),
		name: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(d.Name) }),
		pass: sync.OnceValue(func() []*regexp.Regexp {
			all := make([]*regexp.Regexp, len(d.Allow))
			for i, a := range d.Allow {
				all[i] = regexp.MustCompile(a)
			}
			return all
		}),
	}
}

// loosened lets more stand behind a secret than gitleaks does, which wants a blank or a quote: what stands there in prose
// and code, but not what may be more of it.
func loosened(expr string) string {
	return strings.ReplaceAll(expr, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:[^\w.+/=-]|\.(?:\W|$)|$)`)
}

// labelOf is what the reader sees of a rule: fewer kinds than there are rules.
func labelOf(id string) string {
	for _, vendor := range []string{"github", "gitlab", "slack", "anthropic", "openai"} {
		if strings.HasPrefix(id, vendor+"-") {
			return vendor + "-token"
		}
	}
	return id
}
