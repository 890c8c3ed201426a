package render

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"viewer/normalize"
	"viewer/render/page"
)

// callView is the frame of a call: its row, and the parts of all tools around the body.
type callView struct {
	Before  template.HTML // lines of the level As sent
	Behind  template.HTML
	Empty   bool // there is nothing to unfold
	ID      string
	Since   string // when a waiting call began, for served pages
	Look    string // err, blocked, declined, interrupted, pending, missing, bg
	Open    bool
	Icon    string
	Name    string
	Dir     string // of the path, up to its last separator
	Purpose string
	Target  string
	Prose   bool
	Facts   []page.Fact
	State   *page.Fact // in words, if worth mentioning

	Captions  []string // summaries of this call and those after it
	Progress  *output  // the last progress of a call without result
	Pre, Post []template.HTML
	Body      template.HTML
	More      []field
	Failure   *output
	Pictures  []picture
	Reminder  *output
	Folded    []foldedOutput
	Inside    []template.HTML
	Agents    []template.HTML
	Net       *netLink // to its part in the net changes
}

// stateWords describe how a call ended if it did not simply succeed.
var stateWords = map[normalize.State]struct {
	look string
	fact page.Fact
}{
	normalize.Failed:       {"err", page.Fact{Text: "failed", Look: "bad", Main: true}},
	normalize.Blocked:      {"blocked", page.Fact{Text: "blocked by a hook", Look: "warn", Main: true}},
	normalize.CallDeclined: {"declined", page.Fact{Text: "declined by you", Look: "warn", Main: true}},
	normalize.CallDenied:   {"declined", page.Fact{Text: "permission denied", Look: "warn", Main: true}},
	normalize.Stopped:      {"interrupted", page.Fact{Text: "interrupted", Main: true}},
	normalize.Pending:      {"pending", page.Fact{Text: "no result yet", Main: true}},
	normalize.Missing:      {"missing", page.Fact{Text: "no result", Main: true}},
	normalize.Unlogged:     {"missing", page.Fact{Text: "result not in the log", Main: true}},
	normalize.CallCancelled: {"interrupted", page.Fact{
		Text: "cancelled, as a parallel call failed", Main: true,
	}},
	normalize.Orphan: {"missing", page.Fact{Text: "its call is not in the log", Main: true}},
}

// A drawnCall is a call in a box, with its facts for a run of such calls.
type drawnCall struct {
	html  template.HTML
	tool  string // and what the call did, for tools that do several things
	folds bool   // it is closed, and nothing about it must be visible
	row   row
	name  string
	hooks int
	took  time.Duration
}

// group draws a call with its hooks, messages and agents.
func (d *drawer) group(g *normalize.Group) drawnCall {
	v := callView{ID: g.Head().Anchor}
	v.Before, v.Behind = d.callSentLines(g)
	v.Before += d.requestNotes(g.Head())
	c, head, body := d.tool(g)
	v.setRow(head, c)
	v.Body = body
	odd := v.setState(g, d.silent)
	if !odd && c.Changes != nil && d.takenBack == 0 {
		v.Net = d.netLink(v.ID)
	}
	d.noteStep(g, c, &v)
	v.Open = g.State == normalize.Failed || g.State == normalize.Blocked || c.Open
	d.setResult(&v, c)
	took := d.setFacts(&v, c, head)
	hooks := d.setNested(&v, g)
	if d.rows {
		v = v.row()
	}
	v.Empty = v.empty()
	return drawnCall{
		html: page.Execute("partial/call", v), tool: c.Tool + "\x00" + cmp.Or(c.Many, c.Label),
		folds: !v.Open && !odd && v.Captions == nil,
		row:   head, name: v.Name, hooks: hooks, took: took,
	}
}

// row returns the view without what can be unfolded.
func (v *callView) row() callView {
	return callView{
		Before: v.Before, Behind: v.Behind, ID: v.ID, Look: v.Look, Icon: v.Icon, Name: v.Name, Dir: v.Dir,
		Purpose: v.Purpose, Target: v.Target, Prose: v.Prose, Facts: v.Facts, State: v.State, Captions: v.Captions,
	}
}

// setRow copies the row from the drawing of the tool.
func (v *callView) setRow(head row, c call) {
	v.Icon, v.Target, v.Prose, v.Look = head.Icon, head.Target, head.Prose, head.Look
	v.Purpose, v.Facts, v.More = head.Purpose, head.Facts, inWords(head.More)
	if head.Path != "" {
		v.Dir, v.Target = page.DisplayedPath(head.Path)
		v.Target += head.Target
	}
	if v.Name = head.Label; v.Name == "" {
		v.Name = c.Tool
	}
}

// setState sets how the call ended, if it did not simply succeed. silent means that the log has no results at all.
func (v *callView) setState(g *normalize.Group, silent bool) (odd bool) {
	if g.State == normalize.Pending {
		v.Since = page.Clock(g.Call.Time()).ISO
	}
	s, odd := stateWords[g.State]
	if !odd {
		return false
	}
	// The log has no result of it.
	v.Facts = slices.DeleteFunc(v.Facts, func(f page.Fact) bool { return f.Look == "add" || f.Look == "del" })
	v.Look = s.look
	if silent && g.State == normalize.Unlogged { // the page says so of all calls
		return false
	}
	// else the tool says it better: exit 1
	if !slices.ContainsFunc(v.Facts, func(f page.Fact) bool { return f.Look == "bad" }) {
		v.State = &s.fact
	}
	return true
}

// setResult draws the part of the result that the drawing of the tool leaves out.
func (d *drawer) setResult(v *callView, c call) {
	result := c.Group().Result
	text, reminder := resultText(result)
	if c.failed() && !c.Failure {
		v.Failure = d.terminal(text)
	}
	v.Reminder = d.plain(reminder)
	if c.Generic {
		v.Folded = d.structured(result)
	}
	if result != nil && !c.Media {
		v.Pictures = d.limitPictures(d.pictures(result.Block.Content))
	}
}

// setFacts adds the facts of any call: what failed inside, how long it took, why its message ended.
func (d *drawer) setFacts(v *callView, c call, head row) (took time.Duration) {
	g := c.Group()
	for _, a := range g.Agents {
		if n := d.tally.Of(a.Conversation).Failed; n > 0 && len(g.Agents) == 1 {
			v.Facts = append(v.Facts, page.Fact{Text: count(n) + " failed inside", Look: "bad"})
		}
	}
	if took = head.Took; v.Look == "bg" { // it was only started
		took = 0
	}
	if took >= time.Second {
		v.Facts = append(v.Facts, page.Fact{Text: duration(took)})
	}
	m := g.Head()
	if m.Ending != normalize.NoEnding {
		v.Facts = append(v.Facts, page.Fact{Text: m.Ending.String(), Look: "warn", Main: true})
		v.More = append(v.More, d.fields(m.EndingDetails())...)
	}
	if words := d.advised(m); words != "" {
		v.Facts = append(v.Facts, page.Fact{Text: words})
	}
	if words := m.Shown(); words != "" {
		v.Facts = append(v.Facts, page.Fact{Text: words, Main: true})
	}
	return took
}

// setNested draws what is in the box of the call: hooks, messages, agents.
func (d *drawer) setNested(v *callView, g *normalize.Group) (hooks int) {
	hook := func(at side) func(m *normalize.Message) template.HTML {
		return func(m *normalize.Message) template.HTML { return d.nestedSentLine(m) + d.hook(m, at) }
	}
	v.Pre, v.Post = d.limitMessages(g.Pre, hook(before)), d.limitMessages(g.Post, hook(after))
	if hooks = len(g.Pre) + len(g.Post); hooks > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: plural(hooks, "hook", "hooks")})
	}
	for _, m := range g.Captions {
		d.drawn(m)
		v.Captions = append(v.Captions, m.Text)
	}
	if g.Progress != nil {
		d.drawn(g.Progress)
		v.Progress = d.progress(g.Progress)
	}
	v.Inside = d.limitMessages(g.Inside, func(m *normalize.Message) template.HTML {
		if m.Kind == normalize.Result {
			return d.nestedSentLine(m) + d.furtherResult(m)
		}
		return d.nestedSentLine(m) + d.injected(m)
	})
	for _, m := range []*normalize.Message{g.Call, g.Result} {
		if m != nil && len(m.Contexts) > 0 {
			v.Inside = append(v.Inside, page.Execute("partial/chips", d.chips(m.Contexts)))
		}
	}
	for _, a := range g.Agents {
		v.Agents = append(v.Agents, d.agent(a, len(g.Agents) == 1))
	}
	if g.Resumes != nil {
		v.Agents = append(v.Agents, d.resumed(g.Resumes))
	}
	return hooks
}

// empty reports whether there is nothing to unfold.
func (v *callView) empty() bool {
	return v.Body == "" && v.Failure == nil && v.Reminder == nil && v.Folded == nil && v.Pictures == nil &&
		v.More == nil && v.Progress == nil && v.Net == nil && len(v.Pre)+len(v.Post)+len(v.Inside)+len(v.Agents) == 0
}
