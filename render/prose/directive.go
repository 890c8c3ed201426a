package prose

import (
	"html/template"
	"strconv"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/words"
	"viewer/render/page"
)

// A directive is a note such as ::git-commit{cwd="/tide"}, by which a model tells the window of its agent what it did.
type directive struct {
	name       string
	attributes []attribute
}

type attribute struct{ name, value string }

// A directivesView has directives that follow each other.
type directivesView struct {
	Done     []doneView
	Findings []findingView
}

// A doneView says what a model did.
type doneView struct{ Words, Href string }

// A findingView is a comment on lines of code.
type findingView struct {
	Title, Place string
	Body         template.HTML
}

// maxDirectives is the maximum number of directives of a text that are drawn as notes: each parts the text, and each
// part is parsed on its own.
const maxDirectives = 200

// Answer draws Markdown of a model whose lines of directives are notes. Elements with an id begin with anchor.
func Answer(text, anchor string) (html template.HTML) {
	if !strings.Contains(text, "::") {
		return markup.Answer(text, anchor)
	}
	var said strings.Builder
	var noted directivesView
	count, parts, fence := 0, 0, ""
	draw := func(text string) template.HTML {
		if parts++; parts > 1 {
			return markup.Answer(text, anchor+".d"+strconv.Itoa(parts)) // ids of its footnotes differ
		}
		return markup.Answer(text, anchor)
	}
	end := func() {
		if noted.Done != nil || noted.Findings != nil {
			html += page.Execute("partial/directives", noted)
		}
		if text := said.String(); strings.TrimSpace(text) != "" {
			html += draw(text)
		}
		noted = directivesView{}
		said.Reset()
	}
	for line := range strings.Lines(text) {
		var all []directive
		if fence == "" && count < maxDirectives {
			all = directives(line)
		}
		if all == nil {
			said.WriteString(line)
			fence = fenceAfter(fence, strings.TrimSpace(line))
			continue
		}
		if strings.TrimSpace(said.String()) != "" {
			end()
		}
		count += len(all)
		for i := range all {
			noted.add(&all[i], draw)
		}
	}
	end()
	return html
}

// directives returns the directives of a line that consists of them, none for any other line.
func directives(line string) (all []directive) {
	for rest := strings.TrimSpace(line); rest != ""; {
		var d directive
		var is bool
		if d, rest, is = cutDirective(rest); !is {
			return nil
		}
		all = append(all, d)
		rest = strings.TrimSpace(rest)
	}
	return all
}

// cutDirective reads the directive at the beginning of a line.
func cutDirective(line string) (d directive, rest string, is bool) {
	rest, is = strings.CutPrefix(line, "::")
	if !is {
		return d, line, false
	}
	if d.name, rest, is = strings.Cut(rest, "{"); !is || d.name == "" || !isName(d.name) {
		return d, line, false
	}
	for {
		rest = strings.TrimLeft(rest, " \t,")
		if after, end := strings.CutPrefix(rest, "}"); end {
			return d, after, true
		}
		var a attribute
		if a.name, rest, is = strings.Cut(rest, "="); !is || a.name == "" || !isName(a.name) {
			return d, line, false
		}
		if a.value, rest, is = cutValue(rest); !is {
			return d, line, false
		}
		d.attributes = append(d.attributes, a)
	}
}

func isName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// cutValue reads a value, in quotation marks or without.
func cutValue(s string) (value, rest string, is bool) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t,}")
		if end <= 0 {
			return "", s, false
		}
		return s[:end], s[end:], true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`"\n`, s[i+1]) >= 0:
			if i++; s[i] == 'n' {
				b.WriteByte('\n')
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return "", s, false
}

// doneWords say what directives tell.
var doneWords = map[string]string{
	"git-stage": "staged", "git-commit": "committed", "git-push": "pushed", "git-create-branch": "created the branch",
	"git-create-pr": "opened a pull request", "archive": "archived", "created-thread": "created a thread",
}

// add adds a directive. draw draws Markdown.
func (v *directivesView) add(d *directive, draw func(string) template.HTML) {
	if d.name != "code-comment" || d.get("title")+d.get("body") == "" {
		v.Done = append(v.Done, d.done())
		return
	}
	f := findingView{Title: words.Line(d.get("title"), 200), Place: words.Line(d.get("file"), 400)}
	if start, end := d.get("start"), d.get("end"); f.Place != "" && start != "" {
		f.Place += ":" + start
		if end != "" && end != start {
			f.Place += "–" + end
		}
	}
	if body := d.get("body"); body != "" {
		f.Body = draw(body)
	}
	v.Findings = append(v.Findings, f)
}

// done describes what a directive tells.
func (d *directive) done() (v doneView) {
	said, known := doneWords[d.name]
	v.Words = said
	if !known {
		v.Words = strings.ReplaceAll(d.name, "-", " ")
	}
	for _, a := range d.attributes {
		switch {
		case a.name == "cwd" || a.value == "" || a.name == "isDraft" && a.value != "true":
		case a.name == "isDraft":
			v.Words += ", a draft"
		case a.name == "url" && markup.Link(a.value) != "":
			v.Href = markup.Link(a.value)
		case a.name == "branch" && d.name == "git-create-pr":
			v.Words += " for " + words.Line(a.value, 200)
		case known:
			v.Words += " " + words.Line(a.value, 200)
		default:
			v.Words += " " + a.name + " " + words.Line(a.value, 200)
		}
	}
	return v
}

func (d *directive) get(name string) string {
	for _, a := range d.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}
