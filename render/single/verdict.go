package single

import (
	"bytes"
	"html/template"
	"strings"

	"viewer/internal/words"
	"viewer/render/page"
)

// A Verdict is the beginning of the file of a report: the outcomes of the runs, and their figures.
type Verdict struct {
	Words, Reason string
	Look          string // good, half or bad
	Failures      []string
	Figures       []Figure
}

// A Figure is a number with a label.
type Figure struct{ Value, Label, Look string }

// Work is the lists about a run before its transcript, in the file of a report.
type Work struct {
	Wrong, Team, Files, Commands WorkList
	Tasks                        string // progress of the tasks of the run, "" without any
}

// A WorkList is one of these lists.
type WorkList struct {
	Items    []WorkItem
	Unlisted int // number of lines left out
}

// A WorkItem is a line about a call, an agent or a file.
type WorkItem struct {
	Name, What, State, Look string
	Added, Removed          int // lines
	Text                    string
	Anchor                  string // its place in the transcript, "" for none
}

// workView is a list with its heading.
type workView struct {
	ID, Title, Note string
	Number          string // count in the outline
	Open            bool
	Items           []WorkItem
	More            string
}

func (w *Work) lists() []workView {
	var all []workView
	add := func(id, title, note string, open bool, l WorkList) {
		if len(l.Items) == 0 {
			return
		}
		n := len(l.Items) + l.Unlisted
		v := workView{ID: "page-" + id, Title: title, Note: note, Open: open, Items: l.Items}
		v.Number = strings.TrimSuffix(note, " tasks done")
		if note == "" {
			v.Note, v.Number = words.Count(n), words.Count(n)
		}
		if l.Unlisted > 0 {
			v.More = "and " + words.Count(l.Unlisted) + " more"
		}
		all = append(all, v)
	}
	add("wrong", "What went wrong", "", true, w.Wrong)
	add("team", "Agents and tasks", w.Tasks, true, w.Team)
	add("files", "Net changes", "", true, w.Files)
	add("commands", "Commands", "", false, w.Commands)
	return all
}

// withWork inserts the lists after the head of a session, and links to them in its outline.
func withWork(html []byte, w *Work) []byte {
	if w == nil {
		return html
	}
	lists := w.lists()
	if len(lists) == 0 {
		return html
	}
	outline := bytes.Index(html, []byte(outlineStart))
	outline += bytes.Index(html[outline:], []byte(summaryEnd)) + len(summaryEnd)
	at := bytes.Index(html, []byte(mainStart))
	at += bytes.Index(html[at:], []byte("</h1>")) + len("</h1>")
	if story := bytes.Index(html[at:], []byte(`<dl class="story">`)); story >= 0 {
		if turn := bytes.Index(html[at:], []byte(`class="turn`)); turn < 0 || story < turn {
			at += story + bytes.Index(html[at+story:], []byte("</dl>")) + len("</dl>")
		}
	}
	var all []byte
	all = append(all, html[:outline]...)
	all = append(all, page.Draw(nil, "partial/worklinks", lists)...)
	all = append(all, html[outline:at]...)
	all = append(all, page.Draw(nil, "partial/work", lists)...)
	return append(all, html[at:]...)
}

var (
	pageTitle = page.Expression(`<title>([^<]*)</title>`)
	crumb     = page.Expression(`<b aria-current="page">[^<]*</b>`)
)

// titled returns the head of a page with a title and, if v is not nil, the verdict of a report.
func (v *Verdict) titled(head []byte, title string) []byte {
	html := template.HTMLEscapeString(title)
	if v != nil {
		html = "Report: " + template.HTMLEscapeString(title) + " · " + template.HTMLEscapeString(v.Words)
	}
	head = pageTitle().ReplaceAllLiteral(head, []byte("<title>"+html+"</title>"))
	return crumb().ReplaceAllLiteral(head, []byte(`<b aria-current="page">`+html+"</b>"))
}
