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

	data               rules.Rule // for rules of package rules
	lazyExpr, lazyName lazy[*regexp.Regexp]
	lazyShapes         lazy[[]match.Shape]
	lazyPass           lazy[[]*regexp.Regexp]
}

func newRule(d rules.Rule) *rule {
	return &rule{id: d.ID, label: labelOf(d.ID), confidence: High, data: d}
}

// A lazy value is made when it is first used: most rules never are.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(of *rule, get func(*rule) T) T {
	l.once.Do(func() { l.value = get(of) })
	return l.value
}

// expr returns Expr, or Value between ^ and $.
func (r *rule) expr() *regexp.Regexp {
	return r.lazyExpr.get(r, func(r *rule) *regexp.Regexp {
		if r.data.Expr == "" {
			return regexp.MustCompile("^(?:" + r.data.Value + ")$")
		}
		return regexp.MustCompile(loosened(r.data.Expr))
	})
}

// shapes returns the shapes of Expr, or of Value; nil when it has none.
func (r *rule) shapes() []match.Shape {
	return r.lazyShapes.get(r, func(r *rule) []match.Shape {
		if r.data.Group == rules.WholeMatch { // its groups are parts of the secret
			return nil
		}
		return match.Shapes(loosened(r.data.Expr) + r.data.Value)
	})
}

func (r *rule) name() *regexp.Regexp {
	return r.lazyName.get(r, func(r *rule) *regexp.Regexp { return regexp.MustCompile(r.data.Name) })
}

// pass returns the expressions of Allow.
func (r *rule) pass() []*regexp.Regexp {
	return r.lazyPass.get(r, func(r *rule) []*regexp.Regexp {
		all := make([]*regexp.Regexp, len(r.data.Allow))
		for i, a := range r.data.Allow {
			all[i] = regexp.MustCompile(a)
		}
		return all
	})
}

// loosened lets more characters follow a secret than gitleaks, which wants a blank or a quote: those that follow in
// prose, code, addresses and names of files, but not those that may be part of it.
func loosened(expr string) string {
	return strings.ReplaceAll(expr, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:[^\w+=-]|$)`)
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
