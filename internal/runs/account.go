package runs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"viewer/internal/report"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
	"viewer/render"
	"viewer/render/single"
)

// Wanted lists what an account contains besides facts.
type Wanted struct {
	report.Wanted
	Single     string             // name of a single page with all sessions, "" for none
	Conditions []report.Condition // whose results it contains
}

// An Account is the content of a report about sessions. A few numbers of each session are in memory, and the texts are
// in a spool until Close.
type Account struct {
	Facts report.Facts

	wanted Wanted
	parts  []report.Part // of each session
	pages  []single.Part
	texts  []texts
	spool  output.Spool
}

// texts are the places of the texts of a session in the spool.
type texts struct{ json, head, details, html output.Span }

// NewAccount reads the sessions that the filter chooses, in the order of their files. Empty ones are left out.
func NewAccount(ctx context.Context, o sitegen.Options, w Wanted) (*Account, error) {
	type told struct {
		at   int
		part report.Part
		page single.Part
		texts
	}
	a := &Account{wanted: w}
	o.Names = sitegen.Absolute
	o.Originals = true // for net changes
	var mu sync.Mutex
	var all []told
	runs := make(bySource)
	err := o.EachSession(ctx, w.Single != "", func(s sitegen.Chosen) error {
		if s.Empty {
			mu.Lock()
			defer mu.Unlock()
			runs.add(s, false)
			return nil
		}
		part, page, texts, err := a.add(s.At, s.Session)
		mu.Lock()
		defer mu.Unlock()
		runs.add(s, part.IsRun())
		all = append(all, told{s.At, part, page, texts})
		return err
	})
	if err != nil {
		a.Close()
		return nil, err
	}
	slices.SortFunc(all, func(a, b told) int { return cmp.Compare(a.at, b.at) })
	for _, one := range all {
		a.parts, a.pages, a.texts = append(a.parts, one.part), append(a.pages, one.page), append(a.texts, one.texts)
	}
	a.Facts = report.Of(a.parts, runs.missing(o.Sources)...)
	return a, nil
}

// links reports whether the summary or the comment links to pages.
func (w *Wanted) links() bool {
	return w.Summary != nil && w.Summary.BaseURL != "" || w.Comment != nil && w.Comment.BaseURL != ""
}

// NoAccount returns an account without sessions.
func NoAccount(w Wanted, why report.Missing) *Account {
	return &Account{wanted: w, Facts: report.Of(nil, why)}
}

// bySource counts the sessions that were read from each source, and notes whether one is a run.
type bySource map[string]*runsOf

type runsOf struct {
	sessions int
	any      bool
	why      string // why the last session is not a run
}

func (r bySource) add(s sitegen.Chosen, run bool) {
	of := r[s.Source]
	if of == nil {
		of = new(runsOf)
		r[s.Source] = of
	}
	of.sessions++
	of.any = of.any || run
	if run {
		return
	}
	switch problems := s.Conversation.Problems; {
	case len(problems) > 0:
		of.why = fmt.Sprintf("line %d: %s", problems[0].Pos.Line, problems[0].Text)
	case s.Main.Size == 0:
		of.why = "the file is empty"
	default:
		of.why = "it has neither a prompt nor an answer"
	}
}

// missing returns the sources that have sessions but no run.
func (r bySource) missing(sources []string) []report.Missing {
	var all []report.Missing
	for _, name := range sources {
		of := r[name]
		if of == nil || of.any {
			continue
		}
		delete(r, name) // a source may be given twice
		if of.sessions > 1 {
			of.why = fmt.Sprintf("none of its %d sessions has a prompt or an answer", of.sessions)
		}
		all = append(all, report.Missing{Source: name, Reason: of.why})
	}
	return all
}

// add writes the texts about one session to the spool and keeps nothing else of it.
func (a *Account) add(at int, s render.Session) (part report.Part, page single.Part, where texts, err error) {
	src := report.Source{File: s.Main.Name, Page: a.wanted.Single, Secrets: s.Secrets}
	if a.wanted.Single != "" {
		src.Prefix = single.Prefix(at)
	} else {
		src.Page = "s/" + s.Folder + "/index.html"
		if a.wanted.links() { // nothing else needs places
			src.Places = render.Open(s).Places()
			for anchor, page := range src.Places {
				src.Places[anchor] = "s/" + s.Folder + "/" + page
			}
		}
	}
	wanted := a.wanted.Wanted
	wanted.Work = a.wanted.Single != ""
	if part, err = report.PartOf(sitegen.Exported(s), src, wanted); err != nil {
		return part, page, where, err
	}
	var html []byte
	if a.wanted.Single != "" {
		page, html = single.DrawPart(s, at, workOf(part.Work))
	}
	for _, text := range []struct {
		data []byte
		to   *output.Span
	}{{part.JSON, &where.json}, {part.Head, &where.head}, {part.Details, &where.details}, {html, &where.html}} {
		if *text.to, err = a.spool.Put(text.data); err != nil {
			return part, page, where, err
		}
	}
	part.Drop()
	return part, page, where, nil
}

// Close removes the spool.
func (a *Account) Close() { a.spool.Close() }

// Summary returns the facts in Markdown.
func (a *Account) Summary() ([]byte, error) {
	head := func(i int) ([]byte, error) { return a.spool.Get(a.texts[i].head) }
	details := func(i int) ([]byte, error) { return a.spool.Get(a.texts[i].details) }
	return report.Summary(a.Facts, *a.wanted.Summary, head, details)
}

// Comment returns the facts in Markdown for reviewers.
func (a *Account) Comment() []byte { return report.Comment(a.Facts, a.parts, *a.wanted.Comment) }

// JSON writes the facts as JSON.
func (a *Account) JSON(w io.Writer) error {
	return report.JSON(w, a.Facts, func(i int) ([]byte, error) { return a.spool.Get(a.texts[i].json) })
}

// Annotations returns at most the wanted number of annotations.
func (a *Account) Annotations() []report.Annotation {
	return report.Annotations(a.parts, a.wanted.Annotations)
}

// Page writes the sessions as one file.
func (a *Account) Page(w io.Writer) error {
	return single.Bind(w, a.pages, a.verdict(), func(i, from, to int) ([]byte, error) {
		return a.spool.GetRange(a.texts[i].html, from, to)
	})
}
