package render

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A ProblemsView lists problems.
type ProblemsView struct {
	List []problemView
	More string
}

type problemView struct{ Place, Text, Href string }

// ProblemsOf lists the first hundred problems.
func ProblemsOf(problems []transcript.Problem) *ProblemsView {
	if len(problems) == 0 {
		return nil
	}
	v := new(ProblemsView)
	const most = 100
	for i, p := range problems {
		if i == most {
			v.More = "and " + count(len(problems)-most) + " more"
			break
		}
		v.List = append(v.List, problemView{Place: p.Pos.String(), Text: clip(p.Text, 300)})
	}
	return v
}

// problems lists the problems of the session, with links to the drawing of their lines, or to the last one before them.
func (d *pageDrawing) problems() *ProblemsView {
	problems := d.Conversation.Problems
	v := ProblemsOf(problems)
	if v == nil {
		return nil
	}
	type drawnAt struct {
		pos    transcript.Pos
		anchor string
	}
	compare := func(a, b transcript.Pos) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Offset, b.Offset))
	}
	var places []drawnAt
	note := func(m *normalize.Message, anchor string) {
		if d.anchorPages[anchor] != "" {
			places = append(places, drawnAt{m.Record.Pos, anchor})
		}
	}
	for c := range d.Conversation.All() {
		for _, t := range c.Turns {
			for _, m := range t.Prompt {
				note(m, m.Anchor)
			}
			for _, item := range t.Items {
				switch it := item.(type) {
				case *normalize.Message:
					note(it, it.Anchor)
				case *normalize.Group:
					for _, m := range it.Messages() {
						note(m, it.Head().Anchor)
					}
				}
			}
		}
	}
	slices.SortStableFunc(places, func(a, b drawnAt) int { return compare(a.pos, b.pos) })
	for i := range v.List {
		pos := problems[i].Pos
		n, same := slices.BinarySearchFunc(places, pos,
			func(p drawnAt, pos transcript.Pos) int { return compare(p.pos, pos) })
		if !same {
			n--
		}
		if n >= 0 && places[n].pos.File == pos.File && pos.Line > 0 {
			v.List[i].Href = d.href(places[n].anchor)
		}
	}
	return v
}
