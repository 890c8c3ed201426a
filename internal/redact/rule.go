package redact

import (
	"regexp"
	"strings"
	"sync"

	"viewer/internal/redact/match"
	"viewer/internal/redact/rules"
)

// A rule is the unit of counts and labels.
type rule struct {
	id         string
	label      string // in the redacted text: [label 1]
	confidence Confidence

	// For rules of package rules. Expressions are compiled on first use: most are never used.
	data   rules.Rule
	expr   func() *regexp.Regexp // Expr, or Value between ^ and $
	shapes func() []match.Shape  // of Expr, or of Value; nil when it has none
	name   func() *regexp.Regexp
	pass   func() []*regexp.Regexp // Allow
}

func newRule(d rules.Rule) *rule {
	expr := loosened(d.Expr)
	if expr == "" {
		expr = "^(?:" + d.Value + ")$"
	}
	return &rule{
		id: d.ID, label: labelOf(d.ID), confidence: High, data: d,
		expr: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		shapes: sync.OnceValue(func() []match.Shape {
			if d.Group == rules.WholeMatch { // its groups are parts of the secret
				return nil
			}
			return match.Shapes(loosened(d.Expr) + d.Value)
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

// loosened lets more characters follow a secret than gitleaks, which wants a blank or a quote: those that follow in
// prose and code, but not those that may be part of it.
func loosened(expr string) string {
	return strings.ReplaceAll(expr, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:[^\w.+/=-]|\.(?:\W|$)|$)`)
}

// labelOf returns the label that readers see: several rules share one.
func labelOf(id string) string {
	for _, vendor := range []string{"github", "gitlab", "slack", "anthropic", "openai"} {
		if strings.HasPrefix(id, vendor+"-") {
			return vendor + "-token"
		}
	}
	return id
}
