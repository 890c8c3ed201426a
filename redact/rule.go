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

	"generic-api-key":       "assign.go, which knows more names and values; its stop words are used",
	"hashicorp-tf-password": "assign.go",
	"pkcs12-file":           "finds files by name and reads none",
	"private-key":           "pem.go, which also knows keys in JSON, patches and arrays",
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
	Needs   []string `json:"needs,omitempty"`   // of which one stands near the word
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
	data ruleData
	expr func() *regexp.Regexp // Expr, or Value between ^ and $
	name func() *regexp.Regexp
	pass func() []*regexp.Regexp // Allow
}

func newRule(d ruleData) *rule {
	// What gitleaks wants behind a secret, a blank or a quote, is not all that stands there in prose and code.
	expr := strings.ReplaceAll(d.Expr, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:[^\w.+/=-]|\.(?:\W|$)|$)`)
	if expr == "" {
		expr = "^(?:" + d.Value + ")$"
	}
	return &rule{
		id: d.ID, label: labelOf(d.ID), confidence: High, data: d,
		expr: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
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

// labelOf is what the reader sees of a rule: fewer kinds than there are rules.
func labelOf(id string) string {
	switch id {
	case "curl-auth-header":
		return "authorization"
	case "curl-auth-user":
		return "password"
	}
	for _, vendor := range []string{"github", "gitlab", "slack", "anthropic", "openai"} {
		if strings.HasPrefix(id, vendor+"-") {
			return vendor + "-token"
		}
	}
	return id
}
