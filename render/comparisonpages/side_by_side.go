package comparisonpages

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/compare"
	"viewer/internal/words"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// FirstPage is the first page of a comparison, relative to the top of the site.
const FirstPage = "compare.html"

// Limits of a page of a comparison.
const (
	alignedFull   = 300 << 10 // bytes of steps, about
	fewShared     = 3         // more steps in a row that all runs took are folded
	maxShared     = 200       // in a fold
	maxAlone      = 30        // steps of a run that no other has
	maxNetFiles   = 150
	maxRunTitle   = 90
	maxPartingsOf = 20
	fewBeside     = 4 // more runs have narrow columns, and their texts stand below the figures
)

// Plan returns the pages of a comparison. Runs side by side are on compare.html, with further steps on compare-2.html
// and so on. A matrix is on compare.html, with further rows on compare-2.html and so on, and has a page in c/ for each
// task with several runs.
func Plan(s indexpages.Site, c *compare.Comparison) []indexpages.Page {
	p := indexpages.Planner{Site: s}
	if c.Matrix != nil {
		planMatrix(&p, c)
		return p.Pages
	}
	all := make([]int, len(c.Runs))
	for i := range all {
		all[i] = i
	}
	planBeside(&p, sideBySide{generator: s.Generator, comparison: c, of: all, name: "compare"})
	return p.Pages
}

// sideBySide are the pages that show some runs of a comparison side by side.
type sideBySide struct {
	generator  string
	comparison *compare.Comparison
	of         []int
	name       string // of the pages relative to the top of the site, without number and extension: "compare", "c/9a3f"
	task       string // of a matrix, "" for none
}

// planBeside adds the pages. It reads the runs, which are read again for each drawn page, because there may be many.
func planBeside(p *indexpages.Planner, s sideBySide) {
	texts := []string{"comparison", s.name, s.task}
	for _, i := range s.of {
		texts = append(texts, s.comparison.Keys[i])
	}
	key := p.KeyOf(texts...)
	for i := range s.open().parts {
		p.Add(s.page(i), key, func() []byte { return s.open().draw(i) })
	}
}

// open reads the runs and aligns them.
func (s *sideBySide) open() *comparisonDrawing {
	d := &comparisonDrawing{sideBySide: s, runs: s.comparison.Whole(s.of)}
	d.root = strings.Repeat("../", strings.Count(s.name, "/"))
	d.partings = compare.Partings(d.runs)
	d.partings = d.partings[:min(len(d.partings), maxPartingsOf)]
	d.paginate(d.aligned())
	return d
}

// A comparisonDrawing draws the pages that show some runs side by side.
type comparisonDrawing struct {
	*sideBySide
	runs     []compare.Run
	root     string // from the pages to the top of the site
	parts    [][]alignedRow
	partings []compare.Parting
	places   []string // of each parting: page and line
}

// page returns the name of page i, from 0.
func (s *sideBySide) page(i int) string {
	if i == 0 {
		return s.name + ".html"
	}
	return fmt.Sprintf("%s-%d.html", s.name, i+1)
}

type comparisonView struct {
	Head     page.Head
	Title    string
	Lead     string
	Asked    string // by all
	First    bool   // it is the first page, with everything before the steps
	Many     bool   // columns are narrow
	Runs     []comparedRun
	Figures  []figureRow
	Said     []saidView
	Partings []partingView
	Alone    []aloneView
	Files    []netRow
	More     string // number of files that are not listed
	Rows     []alignedRow
	Notes    []string
	Pager    *page.Pager
}

// A comparedRun is the heading of the column of a run.
type comparedRun struct{ Letter, Href, Name, Note string }

// A figureRow is one figure of all runs. Note is what all its cells say.
type figureRow struct {
	Name, Note string
	Cells      []figureCell
}

type figureCell struct{ Text, Look, Note string }

// A saidView is what a run was asked and answered. With few runs, both are among the figures.
type saidView struct {
	Run           comparedRun
	Asked, Answer string
}

// A partingView is a place where some runs continue differently.
type partingView struct {
	Text, Href string
	Ways       []wayView
}

type wayView struct {
	Runs string
	Step *stepView // nil: the run ends there
}

// A stepView is a step of a run.
type stepView struct {
	Href, Name, Text, Ended string
	Asked                   bool
}

// An aloneView lists the steps that only one run has.
type aloneView struct {
	Run   comparedRun
	Count string
	Steps []stepView
	More  string
}

// A netRow is a file with its net change in each run.
type netRow struct {
	Dir, Name string
	Note      string
	Cells     []netCell
}

type netCell struct {
	Href  string
	Facts []page.Fact
}

// An alignedRow is a line of steps: one that all runs took, or different ones.
type alignedRow struct {
	ID     string
	Shared []sharedView
	Fold   string // describes Shared if it is folded
	Cells  []*stepView

	weight int
}

// A sharedView is a step that all runs took.
type sharedView struct {
	Name, Text, Ended string
	Asked             bool
	Links             []page.Link
}

func (d *comparisonDrawing) draw(i int) []byte {
	v := comparisonView{First: i == 0, Rows: d.parts[i], Lead: d.lead(), Asked: d.asked()}
	v.Title = words.Plural(len(d.runs), "run", "runs") + " side by side"
	title := v.Title
	if i > 0 {
		title += ", page " + words.Count(i+1)
	}
	crumbs := []page.Link{{Href: d.root + "index.html", Text: "Sessions"}, {Text: "Comparison"}}
	if d.comparison.Matrix != nil {
		crumbs = []page.Link{
			crumbs[0], {Href: d.root + FirstPage, Text: "Comparison"}, {Text: words.Clip(d.task, maxRunTitle)},
		}
	}
	v.Head = page.NewHead("page-compare", title, d.generator, d.root, crumbs)
	v.Head.Description = v.Lead
	v.Runs, v.Many = d.heads(), d.many()
	if i == 0 {
		v.Said = d.said()
		v.Figures, v.Partings, v.Alone = d.figures(), d.partingViews(), d.alone()
		v.Files, v.More = d.files()
		for r := range d.runs {
			if n := d.runs[r].Left; n > 0 {
				v.Notes = append(v.Notes, fmt.Sprintf("Run %s has %s more, which are not compared.", letter(r),
					words.Plural(n, "step", "steps")))
			}
		}
	}
	if last := len(d.parts) - 1; last > 0 {
		v.Pager = &page.Pager{Label: "Pages", Number: i + 1, Of: last + 1}
		if i > 0 {
			v.Pager.Prev = &page.Link{Href: path.Base(d.page(i - 1))}
		}
		if i < last {
			v.Pager.Next = &page.Link{Href: path.Base(d.page(i + 1))}
		}
	}
	return page.DrawWhole(nil, "page/compare", v)
}

// many reports whether there are too many runs for columns of text.
func (d *comparisonDrawing) many() bool { return len(d.runs) > fewBeside }

func letter(run int) string { return string(rune('A' + run)) }

// letters names some runs: "A", "A and C", "A, B and C".
func letters(runs []int) string {
	var b strings.Builder
	for i, r := range runs {
		switch {
		case i == 0:
		case i == len(runs)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(letter(r))
	}
	return b.String()
}

// heads names the runs, by their models if these differ, else by their titles.
func (d *comparisonDrawing) heads() []comparedRun {
	models := make(map[string]bool)
	for i := range d.runs {
		models[modelsOf(&d.runs[i])] = true
	}
	all := make([]comparedRun, len(d.runs))
	for i := range d.runs {
		r := &d.runs[i]
		name, note := modelsOf(r), r.Agent
		if len(models) < len(d.runs) || name == "" {
			name, note = words.Clip(r.Title, maxRunTitle), joinWords(r.Agent, name)
		}
		if d.many() { // they are in the first rows
			note = ""
		}
		all[i] = comparedRun{letter(i), d.root + r.Page, name, note}
	}
	return all
}

func modelsOf(r *compare.Run) string {
	name := strings.Join(r.Models[:min(len(r.Models), 3)], ", ")
	if n := len(r.Models) - 3; n > 0 {
		name += " and " + words.Count(n) + " more"
	}
	return name
}

func joinWords(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(w string) bool { return w == "" }), words.Dot)
}

// asked returns the first prompt of all runs, "" if they differ.
func (d *comparisonDrawing) asked() string {
	for i := range d.runs {
		if d.runs[i].Asked != d.runs[0].Asked {
			return ""
		}
	}
	return d.runs[0].Asked
}

// lead describes in one sentence where the runs part.
func (d *comparisonDrawing) lead() string {
	if len(d.partings) == 0 {
		return "The runs took the same steps from beginning to end."
	}
	switch n := d.partings[0].After; n {
	case 0:
		return "The runs part at their first step."
	default:
		return fmt.Sprintf("The runs begin with the same %s and part at step %s.", words.Plural(n, "step", "steps"),
			words.Count(n+1))
	}
}

func (d *comparisonDrawing) step(run, i int) *stepView {
	s := &d.runs[run].Steps[i]
	return &stepView{Href: d.href(s), Name: s.Name, Text: s.Text, Ended: s.Ended, Asked: s.Asked}
}

func (d *comparisonDrawing) href(s *compare.Step) string { return d.root + s.Page + "#" + s.Anchor }

func (d *comparisonDrawing) partingViews() []partingView {
	var all []partingView
	for i, p := range d.partings {
		var group []int
		for _, way := range p.Ways {
			group = append(group, way...)
		}
		slices.Sort(group)
		v := partingView{Href: d.places[i]}
		who := letters(group)
		if len(group) == len(d.runs) && d.many() {
			who = "All"
		}
		v.Text = fmt.Sprintf("%s part at step %s", who, words.Count(p.After+1))
		for _, way := range p.Ways {
			w := wayView{Runs: letters(way)}
			if p.After < len(d.runs[way[0]].Steps) {
				w.Step = d.step(way[0], p.After)
			}
			v.Ways = append(v.Ways, w)
		}
		all = append(all, v)
	}
	return all
}

func (d *comparisonDrawing) alone() []aloneView {
	heads := d.heads()
	var all []aloneView
	for r, steps := range compare.Alone(d.runs) {
		v := aloneView{Run: heads[r], Count: words.Plural(len(steps), "step", "steps")}
		for _, i := range steps[:min(len(steps), maxAlone)] {
			v.Steps = append(v.Steps, *d.step(r, i))
		}
		v.More = words.More(len(steps) - maxAlone)
		all = append(all, v)
	}
	return all
}

// files lists the files that any of the runs changed, sorted by the number of runs.
func (d *comparisonDrawing) files() ([]netRow, string) {
	type changed struct {
		path string
		of   []*compare.File // by run
		n    int
	}
	known := make(map[string]int)
	var all []changed
	for r := range d.runs {
		for i := range d.runs[r].Files {
			f := &d.runs[r].Files[i]
			at, ok := known[f.Path]
			if !ok {
				at = len(all)
				known[f.Path] = at
				all = append(all, changed{f.Path, make([]*compare.File, len(d.runs)), 0})
			}
			if all[at].of[r] == nil {
				all[at].n++
			}
			all[at].of[r] = f
		}
	}
	slices.SortStableFunc(all, func(a, b changed) int { return cmp.Or(b.n-a.n, strings.Compare(a.path, b.path)) })
	var rows []netRow
	for _, c := range all[:min(len(all), maxNetFiles)] {
		row := netRow{Note: sameDiffs(c.of)}
		row.Dir, row.Name = page.DisplayedPath(c.path)
		for _, f := range c.of {
			row.Cells = append(row.Cells, d.netCell(f))
		}
		rows = append(rows, row)
	}
	return rows, words.More(len(all) - maxNetFiles)
}

// sameDiffs returns a remark if all runs made the same net change of a file, else "".
func sameDiffs(of []*compare.File) string {
	for _, f := range of {
		if f == nil || f.Diff == "" || f.Diff != of[0].Diff {
			return ""
		}
	}
	return "the same change"
}

func (d *comparisonDrawing) netCell(f *compare.File) netCell {
	if f == nil {
		return netCell{}
	}
	var c netCell
	if f.Link != "" {
		c.Href = d.root + f.Link
	}
	switch {
	case f.Binary:
		c.Facts = page.Facts("binary")
	default:
		c.Facts = page.PlusMinus(f.Added, f.Removed)
	}
	if f.Created {
		c.Facts = append(c.Facts, page.Fact{Text: "new"})
	}
	if f.Gone {
		c.Facts = append(c.Facts, page.Fact{Text: "deleted"})
	}
	return c
}

// toneLooks are the classes of results.
var toneLooks = map[compare.Tone]string{compare.Good: "add", compare.Doubtful: "warn", compare.Bad: "bad"}

func (d *comparisonDrawing) figures() []figureRow {
	var all []figureRow
	add := func(name string, of func(r *compare.Run) figureCell) {
		row := figureRow{Name: name}
		some := false
		for i := range d.runs {
			c := of(&d.runs[i])
			some = some || c.Text != ""
			row.Cells = append(row.Cells, c)
		}
		if some {
			row.factor()
			all = append(all, row)
		}
	}
	text := func(name string, of func(r *compare.Run) string) {
		add(name, func(r *compare.Run) figureCell { return figureCell{Text: of(r)} })
	}
	add("Outcome", func(r *compare.Run) figureCell {
		result := r.Result()
		return figureCell{Text: result.Word, Look: toneLooks[result.Tone], Note: result.Reason}
	})
	text("Coding agent", func(r *compare.Run) string { return r.Agent })
	text("Model", func(r *compare.Run) string { return strings.Join(r.Models, ", ") })
	if d.asked() == "" && !d.many() {
		text("Asked", func(r *compare.Run) string { return r.Asked })
	}
	if !d.many() {
		text("Answer", func(r *compare.Run) string { return r.Answer })
	}
	text("Prompts", func(r *compare.Run) string { return words.Count(r.Prompts) })
	text("Turns", func(r *compare.Run) string { return words.Count(r.Turns) })
	text("Calls", func(r *compare.Run) string { return words.Count(r.Calls) })
	add("Failed calls", func(r *compare.Run) figureCell {
		c := figureCell{Text: words.Count(r.Failed)}
		if r.Failed > 0 {
			c.Look = "bad"
		}
		return c
	})
	text("Agents", func(r *compare.Run) string {
		if r.Agents == 0 {
			return ""
		}
		return words.Count(r.Agents)
	})
	text("Tokens", func(r *compare.Run) string {
		return shortOrNone(r.Tokens.Input + r.Tokens.Output + r.Tokens.CacheWrite)
	})
	text("More from cache", func(r *compare.Run) string { return shortOrNone(r.Tokens.CacheRead) })
	add("Cost", costCell)
	text("Time", func(r *compare.Run) string {
		if r.Seconds <= 0 {
			return ""
		}
		return words.Span(time.Duration(r.Seconds * 1e9))
	})
	text("Changed files", func(r *compare.Run) string {
		if r.Net.Files == 0 {
			return "0"
		}
		n := r.Net
		return fmt.Sprintf("%s, +%s −%s", words.Count(n.Files), words.Count(n.Added), words.Count(n.Removed))
	})
	return all
}

// factor moves a note that all cells have to the row.
func (row *figureRow) factor() {
	note := row.Cells[0].Note
	for _, c := range row.Cells {
		if c.Note != note {
			return
		}
	}
	row.Note = note
	for i := range row.Cells {
		row.Cells[i].Note = ""
	}
}

// said returns what many runs were asked, unless all were asked the same, and answered.
func (d *comparisonDrawing) said() []saidView {
	if !d.many() {
		return nil
	}
	var all []saidView
	heads, same := d.heads(), d.asked() != ""
	for i := range d.runs {
		v := saidView{Run: heads[i], Asked: d.runs[i].Asked, Answer: d.runs[i].Answer}
		if same {
			v.Asked = ""
		}
		if v.Asked != "" || v.Answer != "" {
			all = append(all, v)
		}
	}
	return all
}

func shortOrNone(n int64) string {
	if n == 0 {
		return ""
	}
	return words.Short(n)
}

func costCell(r *compare.Run) figureCell {
	cost, note := r.Cost()
	return figureCell{Text: cost, Note: note}
}
