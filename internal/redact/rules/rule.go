// Package rules has the rules for secrets that are recognized by their form, or by the name of a vendor that they are
// assigned to: those of gitleaks and additional ones. It has only data, and never examines a text.
package rules

import (
	_ "embed"
	"encoding/json"
	"slices"
)

// The rules of gitleaks, written by TestGenerate; see README.md.
var (
	//go:embed gitleaks.json
	gitleaksRules []byte
	//go:embed stopwords.txt
	StopWords string
	//go:embed all.txt
	GitleaksIDs string
)

// Replaced has the rules of gitleaks that detectors of package redact replace, each with the file of the detector.
var Replaced = map[string]string{
	"anthropic-admin-api-key": "our rule anthropic-key, for all keys that begin with sk-ant-",
	"anthropic-api-key":       "our rule anthropic-key",

	"curl-auth-header":       "header.go, wherever headers occur",
	"curl-auth-user":         "command_line.go",
	"jwt":                    "jwt.go, whose expression goes back from the middle",
	"kubernetes-secret-yaml": "kubernetes.go",
	"nuget-config-password":  "assignment.go",
	"generic-api-key":        "assignment.go, which knows more names and values; its stop words are used",
	"hashicorp-tf-password":  "assignment.go",
	"pkcs12-file":            "finds files by name and reads none",
	"private-key":            "key_block.go, which also knows keys in JSON, patches and arrays",
}

// A Rule finds a kind of secret. It has either Expr, for a secret that is recognized by its form, or Name and Value,
// for one that is recognized by the name it is assigned to.
type Rule struct {
	ID      string   `json:"id"`
	Words   []string `json:"words"`             // each match has one, in this case if it has capitals; [a-z] is one byte of these
	Expr    string   `json:"expr,omitempty"`    // of the secret, or of its place, with the secret as a group
	Name    string   `json:"name,omitempty"`    // part of the name
	Value   string   `json:"value,omitempty"`   // the whole value
	Min     int      `json:"min,omitempty"`     // bytes around the word without white space and quotes, at least
	Group   int      `json:"group,omitempty"`   // wholeMatch, or 0 for the first group that matches, if there is one
	Entropy float64  `json:"entropy,omitempty"` // minimum entropy of the secret, in bits a byte
	Allow   []string `json:"allow,omitempty"`   // matches that are not secrets
}

// WholeMatch, as the Group of a rule, means that the whole match is the secret.
const WholeMatch = -1

// All returns the rules: those of gitleaks, and additional ones.
func All() []Rule { return slices.Concat(readGitleaks(), additional, providers) }

func readGitleaks() []Rule {
	var rules []Rule
	if err := json.Unmarshal(gitleaksRules, &rules); err != nil {
		panic("rules: gitleaks.json: " + err.Error())
	}
	return rules
}
