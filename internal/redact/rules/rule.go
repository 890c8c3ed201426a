// Package rules has the rules for secrets that are recognized by their form, or by the name of a vendor that they are
// assigned to: those of gitleaks and additional ones. It has only data, and never examines a text.
package rules

import (
	_ "embed"
	"slices"
)

// Data of gitleaks besides its rules, written by TestGenerate; see README.md.
var (
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
	ID      string
	Words   []string // each match has one, in this case if it has capitals; [a-z] is one byte of these
	Expr    string   // of the secret, or of its place, with the secret as a group
	Name    string   // part of the name
	Value   string   // the whole value
	Min     int      // bytes around the word without white space and quotes, at least
	Group   int      // wholeMatch, or 0 for the first group that matches, if there is one
	Entropy float64  // minimum entropy of the secret, in bits a byte
	Allow   []string // matches that are not secrets
}

// WholeMatch, as the Group of a rule, means that the whole match is the secret.
const WholeMatch = -1

// All returns the rules: those of gitleaks, and additional ones.
func All() []Rule { return slices.Concat(gitleaks, additional, providers) }
