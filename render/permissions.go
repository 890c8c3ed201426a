package render

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/permissions"
	"viewer/internal/words"
	"viewer/render/page"
)

// permissionsView is the section of the first page of a session about permissions.
type permissionsView struct {
	Summary []page.Fact
	Open    bool
	Stopped int // calls
	Lists   []permissionList
}

// A permissionList is one of its lists.
type permissionList struct {
	Title string
	Short bool // all rows are on one line
	Rows  []permissionRow
	More  string
}

// A permissionRow is one line: its subject, with a link to the call, and words after it.
type permissionRow struct {
	Strong, Code, Text string
	Quote              string // a quote
	Href               string
}

// maxPermissionRows is the maximum number of rows of each list.
const maxPermissionRows = 40

// permissions draws the section, nil if there are no facts.
func (d *pageDrawing) permissions() *permissionsView {
	f := permissions.Of(d.Conversation)
	if f.Empty() {
		return nil
	}
	v := &permissionsView{}
	v.stopped(d, &f)
	v.elevated(d, &f)
	v.modes(d, &f)
	v.files(d, &f)
	v.hosts(d, &f)
	v.allowed(d, &f)
	v.Open = v.Stopped > 0 || len(f.Elevated) > 0
	return v
}

// summed adds a fact to the heading of the folded section.
func (v *permissionsView) summed(text, look string) {
	v.Summary = append(v.Summary, page.Fact{Text: text, Look: look, Main: true})
}

// list adds a list. n is the number of rows including those above the limit.
func (v *permissionsView) list(l permissionList, n int) {
	if n == 0 {
		return
	}
	if more := n - len(l.Rows); more > 0 {
		l.More = "and " + count(more) + " more"
	}
	v.Lists = append(v.Lists, l)
}

func (v *permissionsView) stopped(d *pageDrawing, f *permissions.Facts) {
	l, n := permissionList{Title: "Not allowed"}, 0
	for i := range f.Decisions {
		if c := &f.Decisions[i]; !c.Allowed {
			if n++; n <= maxPermissionRows {
				l.Rows = append(l.Rows, decisionRow(d, c))
			}
		}
	}
	v.list(l, n)
	if v.Stopped = n; n > 0 {
		v.summed(plural(n, "call", "calls")+" not allowed", "warn")
	}
}

func (v *permissionsView) allowed(d *pageDrawing, f *permissions.Facts) {
	l, n := permissionList{Title: "Asked, and allowed"}, 0
	for i := range f.Decisions {
		if c := &f.Decisions[i]; c.Allowed {
			if n++; n <= maxPermissionRows {
				l.Rows = append(l.Rows, decisionRow(d, c))
			}
		}
	}
	v.list(l, n)
	if n > 0 {
		v.summed(count(n)+" allowed when asked", "")
	}
}

func decisionRow(d *pageDrawing, c *permissions.Decision) permissionRow {
	r := permissionRow{Strong: clip(c.Tool, 60), Code: oneLine(c.Target, 200), Href: d.toMessage(c.At), Quote: c.Why}
	r.Text = c.By.String()
	if c.Who != "" {
		r.Text += ": " + c.Who
	}
	return r
}

func (v *permissionsView) elevated(d *pageDrawing, f *permissions.Facts) {
	l := permissionList{Title: "Elevated rights"}
	for i := range f.Elevated[:min(len(f.Elevated), maxPermissionRows)] {
		e := &f.Elevated[i]
		r := permissionRow{Strong: e.What, Code: oneLine(e.Command, 200), Href: d.toMessage(e.At), Quote: e.Why}
		if words, odd := stateWords[e.State]; odd {
			r.Text = words.fact.Text
		}
		l.Rows = append(l.Rows, r)
	}
	v.list(l, len(f.Elevated))
	if n := len(f.Elevated); n > 0 {
		v.summed(count(n)+" with elevated rights", "warn")
	}
}

func (v *permissionsView) modes(d *pageDrawing, f *permissions.Facts) {
	l := permissionList{Title: "Modes"}
	for i := range f.Modes[:min(len(f.Modes), maxPermissionRows)] {
		m := &f.Modes[i]
		l.Rows = append(l.Rows, permissionRow{
			Strong: m.Name, Href: d.toMessage(m.At), Text: plural(m.Calls, "call", "calls"),
		})
		if m.Elevated {
			v.summed(m.Name, "warn")
		}
	}
	v.list(l, len(f.Modes))
}

// files lists files, written ones first. Files in folders for temporary files are only counted.
func (v *permissionsView) files(d *pageDrawing, f *permissions.Facts) {
	l := permissionList{Title: "Outside the project"}
	files := make([]*permissions.File, 0, len(f.Files))
	temporary := permissions.File{}
	n := 0
	for i := range f.Files {
		if o := &f.Files[i]; !o.Temporary {
			files = append(files, o)
			continue
		} else if n++; n == 1 {
			temporary.At = o.At
		}
	}
	slices.SortStableFunc(files, func(a, b *permissions.File) int {
		return cmp.Compare(min(1, b.Writes+b.Deletes), min(1, a.Writes+a.Deletes))
	})
	for _, o := range files[:min(len(files), maxPermissionRows)] {
		l.Rows = append(l.Rows, permissionRow{Code: clip(o.Path, 300), Text: touchWords(o), Href: d.toMessage(o.At)})
	}
	total := len(files)
	if n > 0 {
		l.Rows = append(l.Rows, permissionRow{
			Strong: plural(n, "temporary file", "temporary files"), Href: d.toMessage(temporary.At)})
		total++
	}
	v.list(l, total)
	if len(files) > 0 {
		v.summed(plural(len(files), "path outside the project", "paths outside the project"), "")
	}
}

// touchWords describes what calls did to a file: "read ×3, written".
func touchWords(f *permissions.File) string {
	var said []string
	for _, part := range []struct {
		n    int
		word string
	}{{f.Reads, "read"}, {f.Writes, "written"}, {f.Deletes, "deleted"}} {
		switch {
		case part.n == 1:
			said = append(said, part.word)
		case part.n > 1:
			said = append(said, part.word+" ×"+words.Count(part.n))
		}
	}
	return strings.Join(said, ", ")
}

func (v *permissionsView) hosts(d *pageDrawing, f *permissions.Facts) {
	l := permissionList{Title: "Hosts asked", Short: true}
	for i := range f.Hosts[:min(len(f.Hosts), 3*maxPermissionRows)] {
		h := &f.Hosts[i]
		r := permissionRow{Code: h.Name, Href: d.toMessage(h.At)}
		if h.Calls > 1 {
			r.Text = "×" + count(h.Calls)
		}
		l.Rows = append(l.Rows, r)
	}
	v.list(l, len(f.Hosts))
	if n := len(f.Hosts); n > 0 {
		v.summed(plural(n, "host", "hosts"), "")
	}
}

// inlinePermissions is the id of the section on the first page.
const inlinePermissions = "page-permissions"
