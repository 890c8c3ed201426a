package report

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"viewer/internal/export"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// An Annotation is a remark that a forge shows beside a line of a file, or for the whole job.
type Annotation struct {
	Error bool   // false for a warning
	File  string // "" for the job
	Line  int    // 0 for the file
	Title string
	Text  string
}

// place matches a line as compilers, linters and tests name it: "src/a.go:12:3: text".
var place = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:\./)?([\w@+-][\w@+./-]*\.\w{1,8}):(\d{1,6})(?::\d{1,5})?:?\s+(\S.*)$`)
})

// Annotations returns annotations about how runs ended, about files that could not be changed, and about the lines that
// are named by commands that failed and never succeeded later.
func Annotations(parts []Part, most int) []Annotation {
	l := annotations{most: most, seen: make(map[Annotation]bool)}
	for _, p := range parts {
		for _, a := range p.annotations {
			l.add(a)
		}
	}
	return l.found
}

// annotations returns at most the given number of annotations, without duplicates. They share no memory with a session.
type annotations struct {
	most  int
	seen  map[Annotation]bool
	found []Annotation
}

func (l *annotations) add(a Annotation) {
	if !l.seen[a] && len(l.found) < l.most {
		a.File, a.Title, a.Text = strings.Clone(a.File), strings.Clone(a.Title), strings.Clone(a.Text)
		l.seen[a] = true
		l.found = append(l.found, a)
	}
}

// annotations returns the annotations of a run.
func (r *Run) annotations(most int) []Annotation {
	if most == 0 {
		return nil
	}
	l := annotations{most: most, seen: make(map[Annotation]bool)}
	add := func(a Annotation) {
		a.Text = words.Line(a.Text, 500)
		l.add(a)
	}
	if r.Outcome != Success && r.Outcome != Finished && r.Outcome != None {
		add(Annotation{Error: r.Outcome == Failed, Title: "Agent", Text: r.words()})
	}
	for _, p := range r.Problems {
		add(Annotation{Title: "Log", Text: p.String()})
	}
	for inner := range r.session.Conversation.Kept() {
		for g := range inner.Groups() {
			if g.State != normalize.Failed || g.Call == nil {
				continue
			}
			call := tools.Describe(g, tools.Context{})
			for _, ch := range call.Changes {
				if p := inside(ch.Path, r); p != "" {
					add(Annotation{File: p, Title: call.Tool + " failed", Text: call.Output()})
				}
			}
		}
	}
	for _, c := range r.Commands {
		if !c.failed() || c.Mended {
			continue
		}
		for line := range strings.SplitSeq(export.Plain(c.Output), "\n") {
			if m := place().FindStringSubmatch(line); m != nil {
				n, _ := strconv.Atoi(m[2])
				if p := inside(m[1], r); p != "" {
					add(Annotation{File: p, Line: n, Title: words.Line(c.Command, 80), Text: m[3]})
				}
			}
		}
	}
	return l.found
}

// inside returns a path relative to the folder of the run, "" for a path outside of it.
func inside(path string, r *Run) string {
	p := tools.Short(path, r.session.Conversation.Facts.CWD)
	if strings.HasPrefix(p, "/") || strings.Contains(p, "..") || strings.Contains(p, `\`) || strings.Contains(p, ":") {
		return ""
	}
	return p
}
