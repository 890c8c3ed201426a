package render

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A call is what a tool's view is made from.
type call struct {
	*normalize.Group
	d     *drawer
	plain *bool // the drawing shows input and text as they are, and nothing of the structured result
}

// A row is what a closed call shows. The view of a tool embeds it.
type row struct {
	Icon   string // a symbol of assets/icons.svg
	Label  string // instead of the tool's own name
	Path   string // of the file that the call is about; Target follows it
	Target string // what the call is about
	Prose  bool   // Target is words, not code
	Look   string // of the dot, where the result does not tell: bg, interrupted
	Facts  []fact
	Took   time.Duration // as the log says; 0 is the time from the call to its result
	Kind   string        // what many such calls are called, where Label is about one of them
	Shows  shows
	More   []field // input that the drawing does not know

	Changes        bool // the call changes the file at Path
	Added, Removed int  // lines of it
}

// shows says what the body of the drawing takes care of, so that the frame does not.
type shows struct {
	Failure bool // the text of an error
	Media   bool // the images of the result
	Open    bool // the call is open though it went well
}

func (r row) head() row { return r }

// about puts a text on the row; what does not fit is listed below the call too.
func (c call) about(r *row, name, s string, n int) {
	r.Target = oneLine(s, n)
	if strings.HasSuffix(r.Target, "…") && !strings.HasSuffix(s, "…") {
		f := c.d.field(name, s)
		f.Long = true
		r.More = append([]field{f}, r.More...)
	}
}

type rowed interface{ head() row }

// input decodes the input of the call, see decode.
func (c call) input(to any) error {
	return decode(c.Call.Block.Input, to)
}

// result decodes the structured result; it reports whether there was one. It is
// a string, an array or missing often enough: a view must do without.
func (c call) result(to any) bool {
	return c.Result != nil && decode(c.Result.Structured(), to) == nil
}

// text is what the model was given as result, without the wrapping that is
// not part of it.
func (c call) text() string {
	if whole, ok := c.d.spill(normalize.SpilledOutput(c.Group)); ok {
		return string(whole)
	}
	s, _ := resultText(c.Result)
	if preview, ok := strings.CutPrefix(s, "<persisted-output>"); ok {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(preview), "</persisted-output>"))
	}
	return s
}

// failed says that the result is an error, for whatever reason.
func (c call) failed() bool { return c.Result != nil && c.Result.Block.IsError }

// took is the time from the call to its result, 0 when the log does not say.
func (c call) took() time.Duration {
	if c.Call == nil || c.Result == nil || c.Call.Time().IsZero() || c.Result.Time().IsZero() {
		return 0
	}
	return max(0, c.Result.Time().Sub(c.Call.Time()))
}

// resultText joins the text of a result, without what is wrapped around it.
func resultText(m *normalize.Message) (text, reminder string) {
	if m == nil {
		return "", ""
	}
	return normalize.ResultText(contentText(m.Block.Content))
}

// contentText joins the blocks of a result by line breaks, but for what is drawn as a picture.
func contentText(content []transcript.Block) string {
	if len(content) == 1 && content[0].Type == "text" { // as nearly always: no copy
		return content[0].Text
	}
	var b strings.Builder
	for _, block := range content {
		switch block.Type {
		case "text":
			b.WriteString(block.Text)
		case "image", "document":
			continue
		case "tool_reference":
			b.WriteString(block.Name)
		default:
			b.WriteString(blockText(block))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// callView is the frame of a call: its row, and around the tool's own body what
// all tools have.
type callView struct {
	Before template.HTML // lines of the level As sent
	Behind template.HTML
	Empty  bool // there is nothing to unfold
	ID     string
	Since  string // when a call began that waits for its result, for a page that is served while it does
	Look   string // err, blocked, declined, interrupted, pending, missing, bg
	Open   bool
	Icon   string
	Name   string
	Dir    string // of the path, up to its last separator
	Target string
	Prose  bool
	Facts  []fact
	State  *fact // in words, when there is something to say

	Captions  []string // summaries of this call and those behind it
	Progress  *output  // the last that was heard of a call without result
	Pre, Post []template.HTML
	Body      template.HTML
	More      []field
	Failure   *output
	Pictures  []picture
	Reminder  *output
	Folded    []foldedOutput
	Inside    []template.HTML
	Agents    []template.HTML
}

// stateWords say how a call ended when it did not simply succeed.
var stateWords = map[normalize.State]struct {
	look string
	fact fact
}{
	normalize.Failed:       {"err", fact{Text: "failed", Look: "bad", Main: true}},
	normalize.Blocked:      {"blocked", fact{Text: "blocked by a hook", Look: "warn", Main: true}},
	normalize.CallDeclined: {"declined", fact{Text: "declined by you", Look: "warn", Main: true}},
	normalize.CallDenied:   {"declined", fact{Text: "permission denied", Look: "warn", Main: true}},
	normalize.Stopped:      {"interrupted", fact{Text: "interrupted", Main: true}},
	normalize.Pending:      {"pending", fact{Text: "no result yet", Main: true}},
	normalize.Missing:      {"missing", fact{Text: "no result", Main: true}},
	normalize.Orphan:       {"missing", fact{Text: "its call is not in the log", Main: true}},
}

// A drawnCall is a call as it stands in a box, and what a run of such calls
// says of it.
type drawnCall struct {
	html  template.HTML
	tool  string
	folds bool // it is closed, and nothing about it needs to be seen at once
	row   row
	name  string
	hooks int
	took  time.Duration
}

// group draws a call with everything that belongs to it.
func (d *drawer) group(g *normalize.Group) drawnCall {
	c := call{g, d, new(bool)}
	v := callView{ID: g.Head().Anchor}
	v.Before, v.Behind = d.markGroup(g)
	v.Before += d.beside(g.Head())
	head, body := d.tool(c)
	v.Icon, v.Target, v.Prose, v.Facts, v.More, v.Body = head.Icon, head.Target, head.Prose, head.Facts, spoken(head.More), body
	if head.Path != "" {
		cut := strings.LastIndexAny(head.Path, `/\`) + 1
		v.Dir, v.Target = clip(head.Path[:cut], 160), clip(head.Path[cut:], 160)+head.Target
	}
	v.Name = head.Label
	if v.Name == "" {
		v.Name = c.name()
	}
	if g.State == normalize.Pending {
		v.Since = clock(g.Call.Time()).ISO
	}
	v.Look = head.Look
	s, odd := stateWords[g.State]
	if !odd {
		d.noteChange(head, v.ID, g.Head().Time())
	} else {
		v.Facts = slices.DeleteFunc(v.Facts, func(f fact) bool { return f.Look == "add" || f.Look == "del" }) // nothing came of it, as far as the log tells
		v.Look = s.look
		v.State = &s.fact
		for _, f := range v.Facts {
			if f.Look == "bad" { // the tool says it better: exit 1
				v.State = nil
			}
		}
	}
	v.Open = g.State == normalize.Failed || g.State == normalize.Blocked || head.Shows.Open
	text, reminder := resultText(g.Result)
	if c.failed() && !head.Shows.Failure {
		v.Failure = d.terminal(text)
	}
	v.Reminder = d.plain(reminder)
	if *c.plain {
		v.Folded = d.structured(g.Result)
	}
	if g.Result != nil && !head.Shows.Media {
		v.Pictures = d.few(d.pictures(g.Result.Block.Content))
	}
	for _, a := range g.Agents {
		if n := d.tally.Of(a.Conversation).Failed; n > 0 && len(g.Agents) == 1 {
			v.Facts = append(v.Facts, fact{Text: count(n) + " failed inside", Look: "bad"})
		}
	}
	took := c.took()
	switch {
	case head.Took > 0:
		took = head.Took
	case v.Look == "bg": // it only says that it was started
		took = 0
	}
	if took >= time.Second {
		v.Facts = append(v.Facts, fact{Text: duration(took)})
	}
	if m := g.Head(); m.Ending != normalize.NoEnding {
		v.Facts = append(v.Facts, fact{Text: m.Ending.String(), Look: "warn", Main: true})
		v.More = append(v.More, d.fields(m.EndingDetails())...)
	}
	if words := d.advised(g.Head()); words != "" {
		v.Facts = append(v.Facts, fact{Text: words})
	}
	if words := g.Head().Shown(); words != "" {
		v.Facts = append(v.Facts, fact{Text: words, Main: true})
	}
	hooks := 0
	v.Pre = d.several(g.Pre, func(m *normalize.Message) template.HTML { return d.markInside(m) + d.hook(m, before) })
	v.Post = d.several(g.Post, func(m *normalize.Message) template.HTML { return d.markInside(m) + d.hook(m, after) })
	hooks += len(g.Pre) + len(g.Post)
	if hooks > 0 {
		v.Facts = append(v.Facts, fact{Text: plural(hooks, "hook", "hooks")})
	}
	for _, m := range g.Captions {
		d.drawn(m)
		v.Captions = append(v.Captions, m.Text)
	}
	if g.Progress != nil {
		d.drawn(g.Progress)
		v.Progress = d.progress(g.Progress)
	}
	v.Inside = d.several(g.Inside, func(m *normalize.Message) template.HTML { return d.markInside(m) + d.injected(m) })
	for _, m := range []*normalize.Message{g.Call, g.Result} {
		if m != nil && len(m.Contexts) > 0 {
			v.Inside = append(v.Inside, execute("partial/chips", d.chips(m.Contexts)))
		}
	}
	for _, a := range g.Agents {
		v.Agents = append(v.Agents, d.agent(a, len(g.Agents) == 1))
	}
	if g.Resumes != nil {
		v.Agents = append(v.Agents, d.resumed(g.Resumes))
	}
	v.Empty = v.Body == "" && v.Failure == nil && v.Reminder == nil && v.Folded == nil && v.Pictures == nil && v.More == nil && v.Progress == nil &&
		len(v.Pre)+len(v.Post)+len(v.Inside)+len(v.Agents) == 0
	return drawnCall{
		html: execute("partial/call", v), tool: c.name(), folds: !v.Open && !odd && v.Captions == nil,
		row: head, name: v.Name, hooks: hooks, took: took,
	}
}

// name is the tool's name as it stands in the log, made fit for a row.
func (c call) name() string {
	if c.Call == nil {
		return "Result"
	}
	if name := oneLine(c.Call.Name, 60); name != "" {
		return name
	}
	return "Unnamed tool"
}

// tool draws the body of a call: by the drawing of its tool, that of its
// family, or generically.
func (d *drawer) tool(c call) (row, template.HTML) {
	if c.Result != nil {
		d.drawn(c.Result)
	}
	if c.Call == nil {
		return drawOrphan(c)
	}
	if raw, ok := unparsed(c.Call.Block.Input); ok {
		d.drawn(c.Call)
		return drawUnparsed(c, raw)
	}
	name := c.Call.Name
	known := tools.byName[name]
	switch {
	case known != nil:
	case strings.HasPrefix(name, "mcp__"), c.Call.Block.Type == "mcp_tool_use":
		known = tools.byName["mcp__*"]
	case c.Call.Block.Type == "server_tool_use":
		known = tools.byName["server_tool_use"]
	}
	if known != nil {
		used := d.quota.texts
		v, body, err := known.draw(c)
		if err == nil && len(body) <= bodyMost {
			d.drawn(c.Call)
			return v.(rowed).head(), body
		}
		d.quota.texts = used
		why := "input not understood"
		if err == nil {
			why = "too much for its drawing"
		}
		d.drawnGenerically("tool "+name+", "+why, c.Call)
	} else {
		d.drawnGenerically("tool "+name, c.Call)
	}
	return drawUnknownTool(c)
}

// anyTool is the generic drawing: the input as fields, the result as text.
type anyTool struct {
	row
	Text   *passage // the input that is words
	Input  []field
	Output *output
}

func drawUnknownTool(c call) (row, template.HTML) {
	v := newAnyTool(c, "gear")
	return v.row, execute("partial/anytool", v)
}

func newAnyTool(c call, icon string) anyTool {
	if c.plain != nil {
		*c.plain = true
	}
	v := anyTool{row: row{Icon: icon}, Input: c.d.fields(c.Call.Block.Input)}
	if len(v.Input) == 0 {
		if s := transcript.TextOf(c.Call.Block.Input); s != "" && s != "{}" {
			v.Input = []field{c.d.field("input", s)}
			v.Input[0].Long = true
		}
	}
	for _, f := range v.Input {
		if !f.Long && f.Value != emptyText {
			v.Target = oneLine(f.Value, 120)
			break
		}
	}
	if !c.failed() {
		v.Output = c.d.anyText(c.text())
	}
	return v
}

func drawOrphan(c call) (row, template.HTML) {
	if c.plain != nil {
		*c.plain = true
	}
	v := anyTool{row: row{Icon: "gear"}}
	if !c.failed() {
		v.Output = c.d.anyText(c.text())
	}
	return v.row, execute("partial/anytool", v)
}

// anyText draws text of unknown kind: JSON indented, all else as terminal
// output would be, since colours are common in it.
func (p *pageState) anyText(s string) *output {
	trimmed := jsontext.Value(strings.TrimSpace(s))
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') && trimmed.IsValid() {
		return p.code(transcript.Pretty(trimmed), "json")
	}
	return p.output("plain", s, markup.ANSI, nil)
}

// pictures are the images and documents among blocks.
func (p *pageState) pictures(blocks []transcript.Block) []picture {
	var all []picture
	for _, b := range blocks {
		if b.Type == "image" || b.Type == "document" {
			all = append(all, p.picture(b.Source, b.Type))
			continue
		}
		all = append(all, p.pictures(b.Content)...) // of a fetched page: two levels deep
	}
	return all
}
