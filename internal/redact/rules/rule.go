// Package rules has the rules for secrets that are recognized by their form, or by the name of a vendor that they are
// assigned to: those of gitleaks and additional ones. It has only data, and never examines a text.
package rules

import (
	_ "embed"
	"slices"
)

// StopWords are those of gitleaks, written by TestGenerate; see README.md.
//
//go:embed stopwords.txt
var StopWords string

// A Rule finds a kind of secret. It has either Expr, for a secret that is recognized by its form, or Name and Value,
// for one that is recognized by the name it is assigned to.
type Rule struct {
	ID      string
	Words   []string // each match has one, in this case if it has capitals; [a-z] is one byte of these
	Expr    string   // of the secret, or of its place, with the secret as a group
	Name    string   // part of the name
	Value   string   // the whole value
	Min     int      // bytes around the word without white space and quotes, at least
	Group   int      // WholeMatch, or 0 for the first group that matches, if there is one
	Entropy float64  // minimum entropy of the secret, in bits a byte
	Allow   []string // matches that are not secrets
}

// WholeMatch, as the Group of a rule, means that the whole match is the secret.
const WholeMatch = -1

// All returns the rules: those of gitleaks, and additional ones.
func All() []Rule { return slices.Concat(gitleaks, additional, providers) }
