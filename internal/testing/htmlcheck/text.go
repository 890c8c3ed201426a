package htmlcheck

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// leftovers are texts that are only on a page because of a mistake in our code, as they are after the browser has
// resolved entities once.
var leftovers = []struct {
	has  string // a part of every match, so that most texts need no regular expression
	text *regexp.Regexp
	what string
}{
	{"ZgotmplZ", regexp.MustCompile(`ZgotmplZ`), "html/template refused a value here"},
	{"<no", regexp.MustCompile(`<no value>`), "a template names a key that is not there"},
	{"%!", regexp.MustCompile(`%!(?:[a-zA-Z]\(|\([A-Z])`), "a format verb did not fit its argument"},
	{"&", regexp.MustCompile(`&(?:lt|gt|amp|quot|#3[49]|#x27);`), "escaped twice"},
	{"{{", regexp.MustCompile(`\{\{-?\s*(?:[.$]|/\*|(?:if|else|end|range|with|template|define|block)\b)`), "a template action was not executed"},
}

// These classes and elements contain text of sessions, with Options.TranscriptText.
var (
	saidElements = []string{"pre", "code", "title"}
	saidClasses  = []string{
		"prose", "text", "arg", "note", "cmd", "toc", "crumb", "ti", "probs", "sys", "hook", "fields", "chip", "agents",
	}
)

func saysTranscript(n *html.Node) bool {
	if slices.Contains(saidElements, n.Data) {
		return true
	}
	return slices.ContainsFunc(saidClasses, func(class string) bool { return hasClass(n, class) })
}

func hasClass(n *html.Node, class string) bool {
	classes, _ := attr(n, "class")
	for c := range strings.FieldsSeq(classes) {
		if c == class {
			return true
		}
	}
	return false
}

func (p *page) text(text string, in ancestry) {
	if p.options.TranscriptText && in.inSession {
		return
	}
	p.leftover(text, "", in)
}

// attributeText checks attributes. On pages with sessions of others, only attributes that templates fill without text
// of sessions are checked.
func (p *page) attributeText(n *html.Node, a html.Attribute, in ancestry) {
	if p.options.TranscriptText && !slices.Contains([]string{"class", "href", "src", "id"}, a.Key) {
		return
	}
	if p.options.TranscriptText && n.Data == "a" && in.inSession {
		return
	}
	p.leftover(a.Val, "<"+n.Data+" "+a.Key+">: ", in)
}

func (p *page) leftover(text, where string, in ancestry) {
	if p.options.AnyText {
		return
	}
	for _, l := range leftovers {
		if !strings.Contains(text, l.has) {
			continue
		}
		if at := l.text.FindStringIndex(text); at != nil {
			from, to := max(0, at[0]-30), min(len(text), at[1]+30)
			p.find(in.near, "%s%q: %s", where, strings.ToValidUTF8(text[from:to], ""), l.what)
		}
	}
}
