package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// A packet has everything that a comment may show of a run. Its texts are Markdown of bounded size.
type packet struct {
	title    string // with a link
	ending   string // how the run ended: "✅ run succeeded"
	row      string // of the table of sessions
	asked    []string
	files    []changedFile
	hunks    []shownHunk // the largest ones
	more     int         // number of other hunks
	checks   []checked
	commands []string // rows
	failures []string // rows, those of commands that never succeeded later first
	ran      int
	failed   int
	mended   int
	denied   []string
	git      []string // commits and pull requests
	lost     int      // lines of the log that could not be read
}

// A changedFile is the net change of one file.
type changedFile struct {
	path           string // as shown
	link           string // to the last call that changed it
	added, removed int
	created, gone  bool
	binary, large  bool
	foreign        int  // lines that others added or removed
	outside        bool // of the folder of the session
}

// A shownHunk is one hunk of a net diff.
type shownHunk struct {
	path  string
	lines int  // number of lines that calls added and removed
	last  bool // sorted last, because it is outside of the folder of the session
	hunk  *changes.Hunk
	text  string // once it is drawn
}

// A checked is a test, linter or build of a run.
type checked struct {
	kind    outcome.CheckKind
	name    string
	link    string
	calls   int
	verdict outcome.Verdict
}

// Limits of a packet.
const (
	maxAskedOf     = 200
	maxHunks       = 40
	maxHunkLines   = 80
	longestLine    = 300 // characters
	maxRowsOf      = 500
	maxFileHunks   = 2000
	longestRequest = 400 // characters
)

// packet makes the packet of a run. Net diffs need a session that was read with the original contents of files.
func (r *Run) packet(o CommentOptions) packet {
	w := draft{o: o.summary(), page: o.summary().Page(r.Page), run: r}
	p := packet{title: "**" + unlinked(words.Clip(r.Title, 100)) + "**"}
	if w.page != "" {
		p.title = "[" + p.title + "](" + w.page + ")"
	}
	p.ending = outcomeWords[r.Outcome].sign + " " + markup.ForgeLine(words.Clip(r.words(), 300))
	p.row = r.sessionRow(p.title)
	p.lost = transcript.CountLost(r.session.Conversation.Problems)
	p.ask(&w)
	p.change(&w)
	p.check(&w)
	p.command(&w)
	for _, d := range r.Denied[:min(len(r.Denied), maxRowsOf)] {
		p.denied = append(p.denied, "- "+w.to(markup.ForgeLine(words.Clip(d.Tool, 60)), d.Anchor)+" "+
			markup.ForgeCode(words.Line(d.Target, 200))+"\n")
	}
	return p
}

// addresses inserts a zero-width character into texts that a forge would turn into a link.
var addresses = strings.NewReplacer("://", "\u2060://", "www.", "www\u2060.")

// unlinked returns plain text as one line of Markdown without links. A link to a pull request or an issue would add a
// reference to the comment there.
func unlinked(s string) string { return addresses.Replace(markup.ForgeLine(s)) }

// sessionRow returns the row of the run in the table of runs.
func (r *Run) sessionRow(title string) string {
	cost := ""
	if r.CostUSD > 0 {
		cost = words.Dollars(r.CostUSD)
	}
	began, _, _ := strings.Cut(r.Start, "T")
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", title, began, words.Count(r.Prompts), cost,
		outcomeWords[r.Outcome].sign+" "+r.Outcome.word())
}

// word returns the outcome as tables show it.
func (o Outcome) word() string {
	if o == Failed {
		return "failed"
	}
	return string(o)
}

// ask adds the prompts.
func (p *packet) ask(w *draft) {
	number := 0
	for _, t := range w.run.session.Conversation.Turns {
		if !t.Asked() {
			continue
		}
		text := markup.Excerpt(w.run.PromptTexts[number], longestRequest)
		number++
		if text == "" || len(p.asked) >= maxAskedOf {
			continue
		}
		p.asked = append(p.asked, "- "+unlinked(text)+w.mark(t.Head().Anchor)+"\n")
	}
}

// change adds the net change of each file, and the largest hunks.
func (p *packet) change(w *draft) {
	c := w.run.session.Conversation
	steps := w.run.steps
	for i := range w.run.changed {
		f := &w.run.changed[i]
		if !f.Left() {
			continue
		}
		added, removed := f.ByCalls()
		name, inside := changes.Below(f.Path, c.Facts.CWD)
		if !inside {
			name = f.Path
		}
		file := changedFile{
			path: strings.Clone(name), outside: !inside, added: added, removed: removed,
			created: f.Created(), gone: f.Gone(), binary: f.Binary, large: f.Large,
			foreign: f.Net.ForeignAdded + f.Net.ForeignRemoved,
		}
		file.link = w.to(markup.ForgeCell(words.Clip(file.path, 200)), steps[f.Steps[len(f.Steps)-1]].Anchor)
		p.files = append(p.files, file)
		f.Redact(w.run.session.Redact)
		hunks := f.Net.Hunks
		for _, a := range f.Alone {
			hunks = append(hunks, a.Hunks...)
		}
		for j := range hunks[:min(len(hunks), maxFileHunks)] {
			p.hunk(&file, &hunks[j])
		}
		p.more += max(0, len(hunks)-maxFileHunks)
	}
	p.drawHunks(w, steps)
}

// drawHunks draws as many of the largest hunks as a comment may hold.
func (p *packet) drawHunks(w *draft, steps []changes.Step) {
	left := w.o.limit()
	for i := range p.hunks {
		h := &p.hunks[i]
		h.text = w.drawHunk(h.path, h.hunk, steps)
		h.hunk = nil
		if left -= len(h.text); left < 0 {
			p.more += len(p.hunks) - i
			p.hunks = slices.Clone(p.hunks[:i])
			return
		}
	}
}

// hunk adds a hunk if it is one of the largest by lines of calls.
func (p *packet) hunk(f *changedFile, h *changes.Hunk) {
	k := shownHunk{path: f.path, last: f.outside, hunk: h}
	for _, l := range h.Lines {
		if l.Sign != ' ' && l.By >= 0 {
			k.lines++
		}
	}
	if k.lines == 0 {
		return
	}
	if len(p.hunks) == maxHunks {
		p.more++
		if compareHunks(p.hunks[maxHunks-1], k) <= 0 {
			return
		}
		p.hunks = p.hunks[:maxHunks-1]
	}
	at, _ := slices.BinarySearchFunc(p.hunks, k, func(a, b shownHunk) int {
		return cmp.Or(compareHunks(a, b), -1) // after hunks of the same size
	})
	p.hunks = slices.Insert(p.hunks, at, k)
}

// compareHunks sorts larger hunks first, and those outside of the project last.
func compareHunks(a, b shownHunk) int {
	if a.last != b.last {
		if a.last {
			return 1
		}
		return -1
	}
	return cmp.Compare(b.lines, a.lines)
}

// drawHunk returns a fold with the lines of a hunk.
func (w *draft) drawHunk(path string, h *changes.Hunk, steps []changes.Step) string {
	var b strings.Builder
	plus, minus, foreign, anchor, left := 0, 0, 0, "", 0
	for i, l := range h.Lines {
		switch {
		case l.Sign == ' ':
		case l.By < 0:
			foreign++
		case l.Sign == '+':
			plus++
		default:
			minus++
		}
		if anchor == "" && l.Sign != ' ' && l.By >= 0 {
			anchor = steps[l.By].Anchor
		}
		if i >= maxHunkLines {
			left++
			continue
		}
		b.WriteByte(l.Sign)
		b.WriteString(words.Clip(l.Text, longestLine) + "\n")
	}
	where := ""
	switch {
	case h.NewLines > 1 && h.NewStart > 0:
		where = fmt.Sprintf(" · lines %d–%d", h.NewStart, h.NewStart+h.NewLines-1)
	case h.NewLines == 1 && h.NewStart > 0:
		where = fmt.Sprintf(" · line %d", h.NewStart)
	}
	text := "<details><summary><code>" + markup.ForgeHTML(words.Clip(path, 160)) + "</code>" + where + " · " +
		plusMinus(plus, minus)
	if foreign > 0 {
		text += " · " + words.Plural(foreign, "line", "lines") + " by others"
	}
	text += "</summary>\n\n"
	if w.page != "" && anchor != "" {
		text += w.to("show in the report", anchor) + "\n\n"
	}
	text += markup.Fence(strings.TrimSuffix(b.String(), "\n"), "diff") + "\n\n"
	if left > 0 {
		text += fmt.Sprintf("*… and %s more*\n\n", words.Plural(left, "line", "lines"))
	}
	return text + "</details>\n\n"
}

// plusMinus returns "+12 −3".
func plusMinus(added, removed int) string {
	return strings.TrimSpace(signed("+", added) + " " + signed("−", removed))
}

// check adds the tests, linters and builds, the commits and the pull requests.
func (p *packet) check(w *draft) {
	facts := outcome.Of(w.run.session.Conversation, w.run.session.Spilled)
	for _, c := range facts.Checks {
		name := strings.Clone(words.Line(c.Name, 100))
		p.checks = append(p.checks, checked{c.Kind, name, w.to(markup.ForgeCell(name), c.Call.Anchor), c.Calls, c.Last})
	}
	for _, pr := range facts.PullRequests {
		if markup.Link(pr.URL) != "" && len(pr.URL) < 300 { // as code: a link would show in that pull request
			p.git = append(p.git, "- pull request "+markup.ForgeCode(words.OneLine(pr.URL))+"\n")
		}
	}
	for _, c := range facts.Commits {
		row := "- commit"
		if c.SHA != "" {
			row += " " + markup.ForgeCode(words.Line(c.SHA, 12))
		}
		if c.Subject != "" {
			row += " " + unlinked(words.Line(c.Subject, 120))
		}
		p.git = append(p.git, row+w.mark(c.Call.Anchor)+"\n")
	}
}

// command adds the commands, and the failed ones separately.
func (p *packet) command(w *draft) {
	var mended []string
	for _, c := range w.run.Commands {
		p.ran++
		text := words.Line(c.Command, 160)
		how := ""
		if c.State != "done" {
			how = c.State
		} else if c.Unclear {
			how = "ran"
		}
		if c.Exit != "" {
			how += ", exit " + words.Line(c.Exit, 20)
		}
		if c.failed() {
			p.failed++
		}
		if c.Mended {
			p.mended++
			how += ", succeeded later"
		}
		row := "- " + markup.ForgeCode(text)
		if c.failed() {
			row += " · " + how + w.mark(c.Anchor) + "\n"
			if c.Mended {
				mended = append(mended, row)
			} else if len(p.failures) < maxRowsOf {
				p.failures = append(p.failures, row)
			}
		}
		if len(p.commands) < maxRowsOf {
			p.commands = append(p.commands, fmt.Sprintf("| %s | %s |\n", w.to(markup.ForgeCell(text), c.Anchor), how))
		}
	}
	p.failures = append(p.failures, mended[:min(len(mended), maxRowsOf)]...)
}
