package render

import (
	"html/template"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// storyView is the overview on the first page of a session: the outcome, the prompt, the answer, changes, checks and
// cost. See docs/reading.md for the rules.
type storyView struct {
	Mark, Look string     // of the outcome, "" without a prompt; Look is good, half or bad
	Facts      []metaFact // when, how long, on which branch
	Rows       []storyRow
}

// short returns the part that later pages show, too.
func (v *storyView) short() *storyView {
	s := storyView{Mark: v.Mark, Look: v.Look, Facts: v.Facts}
	for _, r := range v.Rows {
		if r.Name == "Outcome" {
			s.Rows = []storyRow{r}
		}
	}
	return &s
}

// A storyRow is one line of it: a text, or facts, or both.
type storyRow struct {
	Name         string
	Before       string // kind of text
	Strong, Text string
	Link         *page.Link
	Files        []fileEntry
	Facts        []metaFact
}

var markLooks = map[outcome.Mark]string{
	outcome.Done: "good", outcome.Pushed: "good",
	outcome.Interrupted: "half", outcome.Unfinished: "half", outcome.CutOff: "half",
	outcome.Failed: "bad", outcome.Refused: "bad",
}

// story returns the overview. It must be called after all other pages are drawn.
func (d *pageDrawing) story(files *outlineView, stopped int) *storyView {
	v := &storyView{Facts: d.when()}
	if f := d.outcome(); f.Mark != outcome.None {
		v.Mark, v.Look = upperFirst(f.Mark.String()), markLooks[f.Mark]
		if f.Mark == outcome.Pushed {
			v.Mark = "Done, pushed"
		}
	}
	for _, r := range []storyRow{d.asked(), d.ended(), d.changed(files), d.checked(stopped), d.spent()} {
		if r.Text+r.Strong != "" || len(r.Facts)+len(r.Files) > 0 {
			v.Rows = append(v.Rows, r)
		}
	}
	return v
}

// when returns the facts beside the mark.
func (d *pageDrawing) when() []metaFact {
	var all []metaFact
	if d.single && d.Project.Name != "" { // it has no link in the bar
		all = append(all, metaFact{Strong: d.Project.Name})
	}
	if d.Part != "" {
		all = append(all, metaFact{Strong: "part of a session:", Text: markup.Text(clip(d.Part, 200)),
			Title: "The rest was left out when this page was made. Numbers are those of the part."})
	}
	all = append(all, d.agentFact()...)
	if span := newSpan(d.Conversation.Facts.Start, d.Conversation.Facts.End); span.Start.ISO != "" {
		all = append(all, metaFact{Span: span})
	} else {
		all = append(all, metaFact{Icon: "clock", Kind: "time", Text: "time unknown", Title: "The log has no times."})
	}
	if t := d.totals; t.Work >= time.Second {
		words := span(t.Work.Round(time.Second)) + " at work"
		if rest := t.Time - t.Work; rest >= time.Minute && rest > t.Time/20 {
			words += " of " + span(t.Time.Round(time.Second))
		}
		all = append(all, metaFact{Text: markup.Text(words),
			Title: "Without the time before prompts, and without pauses of 10 minutes or more."})
	}
	if d.Worktree != "" {
		words := "worktree " + clip(d.Worktree, 60)
		all = append(all, metaFact{Icon: "folder", Kind: "worktree", Text: markup.Text(words)})
	}
	branches := d.Conversation.Facts.Branches
	for i, name := range branches {
		if rest := len(branches) - i; i >= maxBranches && rest > 1 {
			all = append(all, metaFact{Text: markup.Text("and " + plural(rest, "more branch", "more branches"))})
			break
		}
		all = append(all, metaFact{Icon: "git", Kind: "branch", Text: markup.Text(clip(name, 60))})
	}
	return all
}

// agentFact names the coding agent if the site has several, and on self-contained pages if it is not Claude Code.
func (d *pageDrawing) agentFact() []metaFact {
	by := d.Conversation.Writer
	if !d.ShowAgent && !(d.single && by.Name != "") {
		return nil
	}
	return []metaFact{{Strong: by.String(), Title: "The coding agent that wrote this log."}}
}

func (d *pageDrawing) asked() storyRow {
	r := storyRow{Name: "Asked"}
	if f := d.outcome(); f.Asked != d.title {
		r.Text = f.Asked
	}
	if n := d.totals.Prompts; n > 1 {
		words := " more prompts"
		if n == 2 {
			words = " more prompt"
		}
		r.Facts = append(r.Facts, metaFact{Text: markup.Text("and " + count(n-1) + words)})
		if r.Text == "" {
			r.Facts[0] = metaFact{Text: markup.Text(plural(n, "prompt", "prompts"))}
		}
	}
	return r
}

func (d *pageDrawing) ended() storyRow {
	f := d.outcome()
	r := storyRow{Name: "Outcome", Strong: f.Heading, Text: f.Text}
	if r.Strong != "" && r.Text != "" {
		o := Outcome{Heading: f.Heading, Text: " "}
		r.Strong = strings.TrimSpace(o.Line())
	}
	goTo := "Go to the answer"
	switch {
	case f.Halted:
		goTo = "Go to the end"
	case f.Answer != nil && f.Answer.Kind == normalize.System:
		goTo = "Go to the recap"
	case !f.Mark.Good() && f.Heading+f.Text != "":
		r.Before, goTo = "Said last:", "Go to the message"
	}
	if f.Reason != "" {
		r.Before = strings.TrimSpace(asSentence(f.Reason) + " " + r.Before)
		if f.Heading+f.Text == "" {
			r.Before, r.Text = "", r.Before
		}
	}
	if href := d.toMessage(f.Answer); href != "" {
		r.Link = &page.Link{Href: href, Text: goTo}
	}
	return r
}

// Maximum numbers of listed facts of each kind.
const (
	maxStoryFiles  = 4
	maxStoryPulls  = 5
	maxStoryChecks = 5
)

func (d *pageDrawing) changed(o *outlineView) storyRow {
	r := storyRow{Name: "Changed"}
	n := d.net()
	all := slices.Concat(o.Files, o.MoreFiles)
	shown := len(all)
	if shown > maxStoryFiles+1 {
		shown = maxStoryFiles
	}
	r.Files = all[:shown]
	if more := len(n.files) - shown; more > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text("and " + plural(more, "more file", "more files"))})
	}
	if len(n.files) > 0 {
		words := "net changes"
		if len(n.files) > 1 {
			words = netWords(len(n.files), n.added, n.removed)
		}
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(words), Href: d.within(n.home),
			Title: "Lines by calls, as far as they differ in the end."})
	}
	if o := n.outside; o.files == len(n.files) && o.files > 0 {
		r.Facts = append(r.Facts, metaFact{Text: "outside of the project"})
	} else if o.files > 0 {
		words := "including " + netWords(o.files, o.added, o.removed) + " outside of the project"
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(words)})
	}
	f := d.outcome()
	if n := len(f.Commits); n > 0 {
		last := f.Commits[n-1]
		commits := metaFact{Icon: "git", Kind: "commits", Text: markup.Text(plural(n, "commit", "commits")),
			Title: oneLine(last.String(), 160), Href: d.toMessage(last.Call)}
		r.Facts = append(r.Facts, commits)
	}
	if n := len(f.Pushes); n > 0 {
		r.Facts = append(r.Facts, metaFact{Text: "pushed", Href: d.toMessage(f.Pushes[n-1].Call)})
	}
	for i, pr := range f.PullRequests {
		if href := markup.Link(pr.URL); href != "" && i < maxStoryPulls {
			r.Facts = append(r.Facts, metaFact{Text: markup.Text(pullWords(pr.URL, pr.Number)), Href: href})
		}
	}
	if n := len(f.PullRequests) - maxStoryPulls; n > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text("and " + count(n) + " more")})
	}
	return r
}

// pullWords names a pull request like its forge.
func pullWords(url string, number int) string {
	if strings.Contains(url, "/merge_requests/") {
		return "MR !" + count(number)
	}
	return "PR #" + strings.ReplaceAll(count(number), ",", "")
}

// toMessage returns the address of a message, "" if it is on no page.
func (d *pageDrawing) toMessage(m *normalize.Message) string {
	if m == nil {
		return ""
	}
	return d.drawnHref(m.Anchor)
}

func (d *pageDrawing) checked(stopped int) storyRow {
	r := storyRow{Name: "Checked"}
	checks := slices.Clone(d.outcome().Checks)
	slices.SortStableFunc(checks, func(a, b outcome.Check) int { return checkRank(a) - checkRank(b) })
	for _, c := range checks[:min(len(checks), maxStoryChecks)] {
		words := c.Last.String()
		if c.Calls > 1 {
			words = "in " + plural(c.Calls, "call", "calls") + ", last one " + words
		}
		f := metaFact{Strong: clip(c.Name, 40), Text: markup.Text(words), Bad: c.Last == outcome.Red,
			Href: d.toMessage(c.Call)}
		if c.Last == outcome.Unclear {
			f.Title = "The log does not say how it ended."
		}
		r.Facts = append(r.Facts, f)
	}
	if n := len(checks) - maxStoryChecks; n > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text("and " + count(n) + " more")})
	}
	later := d.failedLater(d.conversation)
	if t := d.totals; t.Failed > 0 {
		r.Facts = append(r.Facts, metaFact{
			Text: markup.Text(count(t.Failed) + " of " + plural(t.Tools, "call", "calls") + " failed"), Bad: true,
			Href: d.drawnHref(d.firstFailure(d.conversation)),
		})
	} else if t.Tools > 0 {
		text := plural(t.Tools, "call", "calls")
		if len(later) == 0 {
			text += ", none failed"
		}
		switch lost := lostResults(d.conversation); {
		case lost >= t.Tools || !anyResult(d.conversation):
			text = plural(t.Tools, "call", "calls") + ", results not in the log"
		case lost > 0:
			text += ", " + count(lost) + " without a result in the log"
		}
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(text)})
	}
	if len(later) > 0 {
		r.Facts = append(r.Facts, metaFact{
			Text: markup.Text(plural(len(later), "command", "commands") + " failed in the background"), Bad: true,
			Href: d.toMessage(later[0].Call),
		})
	}
	if stopped > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(plural(stopped, "call", "calls") + " not allowed"),
			Href: "#" + inlinePermissions})
	}
	if n := d.outcome().APIErrors; n > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(plural(n, "API error", "API errors")), Bad: true,
			Href: d.toMessage(d.outcome().APIError)})
	}
	return r
}

// lostResults counts the calls without a result in the log, those of agents and those that still run included.
func lostResults(c *normalize.Conversation) (n int) {
	for inner := range c.Kept() {
		for g := range inner.Groups() {
			switch g.State {
			case normalize.Unlogged, normalize.Missing, normalize.Pending:
				n++
			}
		}
	}
	return n
}

// checkRank sorts failed checks first, then tests before linters and builds.
func checkRank(c outcome.Check) int {
	if c.Last == outcome.Red {
		return -1
	}
	return int(c.Kind)
}

func (d *pageDrawing) spent() storyRow {
	r, t := storyRow{Name: "Spent"}, d.totals
	plain := func(s string) { r.Facts = append(r.Facts, metaFact{Text: markup.Text(s)}) }
	if cost := costWords(t.Cost, d.Prices.Date); cost.Strong+cost.Title != "" {
		r.Facts = append(r.Facts, cost)
	}
	r.Facts = append(r.Facts, creditFacts(t)...)
	switch {
	case t.Tokens() > 0:
		facts := tokenFacts(t)
		if t.Usage.Context() > 0 && sentMore(d.conversation) {
			facts[0].Strong += "+"
			facts[0].Title += ". Some answers do not say what they were sent."
		}
		r.Facts = append(r.Facts, facts...)
	case len(r.Facts) == 0 && d.outcome().Answer != nil: // a model was asked
		plain("tokens and cost not in the log")
	}
	if peak := stats.Peak(d.conversation, d.Prices); peak.Peak > 0 {
		r.Facts = append(r.Facts, d.peakFact(peak))
	}
	if t.Compacted > 0 {
		plain("compacted ×" + count(t.Compacted))
	}
	if t.Agents > 0 {
		plain(plural(t.Agents, "agent", "agents"))
	}
	if n := tools.LostAgents(d.conversation); n > 0 {
		r.Facts = append(r.Facts, metaFact{Text: markup.Text(plural(n, "agent", "agents") + " without a log"),
			Title: "The log does not have what they did."})
	}
	r.Facts = append(r.Facts, modelFacts(d.conversation, t)...)
	return r
}

// sentMore reports whether a conversation has answers without the tokens that were sent for them, which no later sum
// includes.
func sentMore(c *normalize.Conversation) bool {
	var partial []*normalize.Request
	summed := make(map[string]int64) // where the last sum of the session is in each file
	for inner := range c.Kept() {
		for _, t := range inner.Turns {
			for _, r := range t.Requests {
				switch at := r.First.Pos; {
				case r.OfSession:
					summed[at.File] = max(summed[at.File], at.Offset)
				case r.OutputOnly && !r.Repeats:
					partial = append(partial, r)
				}
			}
		}
	}
	return slices.ContainsFunc(partial, func(r *normalize.Request) bool {
		return r.First.Pos.Offset >= summed[r.First.Pos.File]
	})
}

// peakFact returns the maximum size of the context, and that of the window.
func (d *pageDrawing) peakFact(peak stats.Filling) metaFact {
	f := metaFact{Text: "peak context", Strong: short(peak.Peak),
		Title: "The largest context of a request, and the limit of the model, from the log or the table of prices."}
	switch {
	case peak.Large > 0:
		f.Text = template.HTML("of " + windowSize(peak.Window) + " or " + windowSize(peak.Large) + " peak context")
		f.Title += " It comes with two sizes; the log does not say which."
	case peak.Window > 0:
		f.Text = template.HTML("of " + windowSize(peak.Window) + " peak context")
	}
	return f
}

// windowSize formats the size of a window, which is a round number.
func windowSize(tokens int64) string { return strings.Replace(short(tokens), ".0", "", 1) }

// creditFacts returns the used units of a subscription.
func creditFacts(t stats.Totals) []metaFact {
	var all []metaFact
	for _, c := range t.Credits {
		all = append(all, metaFact{
			Strong: words.Amount(c.Amount()), Text: markup.Text(clip(c.Unit, 40)),
			Title: "What the session used of a subscription, as its log says. It is not money.",
		})
	}
	return all
}

// tokenFacts returns the tokens sent, with the share from the cache, and received.
func tokenFacts(t stats.Totals) []metaFact {
	in := metaFact{Strong: short(t.Usage.Context()), Text: "tokens in", Title: inputWords(t)}
	if all := t.Usage.Context(); t.Usage.CacheRead > 0 && all > 0 {
		in.Text += markup.Text(", " + count(int(100*t.Usage.CacheRead/all)) + " % from cache")
	}
	out := metaFact{Strong: short(t.Usage.Output), Text: "out"}
	if t.Doubtful {
		out.Text, out.Title = "out, as reported", "Versions before 2.1.50 wrote placeholders for what was to come."
	}
	if t.Usage.Context() == 0 { // the log does not say
		out.Text, out.Title = "tokens out", "The answers in the log do not say how many were sent."
		return []metaFact{out}
	}
	return []metaFact{in, out}
}

func modelFacts(c *normalize.Conversation, t stats.Totals) []metaFact {
	var all []metaFact
	models := stats.ModelNames(c, t)
	for i, m := range models {
		if i == maxModelNames {
			return append(all, metaFact{Text: markup.Text("and " + plural(len(models)-i, "more model", "more models"))})
		}
		all = append(all, metaFact{Text: markup.Text(clip(m, 60))})
	}
	return all
}

// asSentence returns a reason as a sentence. It may end in a question, or in a text that was cut.
func asSentence(s string) string {
	s = upperFirst(s)
	if last, _ := utf8.DecodeLastRuneInString(s); strings.ContainsRune(".?!…。？！", last) {
		return s
	}
	return s + "."
}

func upperFirst(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
