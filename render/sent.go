package render

import (
	"html/template"
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A sentTracker draws whether the messages of a conversation were sent, on one page: a short line before each message
// with the number of the API message that it went into, or why it was not sent. The style sheet shows these lines at
// the level "As sent" only, and dims what follows a "no". So a page contains each text once, and grows by 2 %.
type sentTracker struct {
	*sentTable
	introduced map[int32]bool              // API messages that the page has introduced
	sized      map[*transcript.Record]bool // requests whose size the page shows already
	why        normalize.Why               // of the line before
	unlogged   string                      // of the table, "" if the page shows it already
}

// newSentTracker begins a conversation at a depth of a page. It returns nil inside an attempt that was taken back,
// which needs no lines.
func newSentTracker(s *sessionData, c *normalize.Conversation, depth int) *sentTracker {
	if c == nil || c.TakenBack || !c.AsSent() {
		return nil
	}
	table := s.sentTables[c]
	if table == nil { // of a conversation without a separate page
		table = newSentTable(c)
	}
	t := &sentTracker{sentTable: table, introduced: make(map[int32]bool), sized: make(map[*transcript.Record]bool)}
	if depth == 0 {
		t.unlogged = table.unlogged
	}
	return t
}

// sentLine returns the line before the drawing of messages, which are the parts of one record, or one message.
func (d *drawer) sentLine(parts ...*normalize.Message) template.HTML {
	if d.sent == nil {
		return ""
	}
	return d.sent.line("", parts)
}

// callSentLines returns the line before a call, also about its result, and the one after it, the placeholder of a
// missing result.
func (d *drawer) callSentLines(g *normalize.Group) (before, behind template.HTML) {
	t := d.sent
	if t == nil {
		return "", ""
	}
	head := t.api.Fates[g.Head()]
	if g.Call == nil || head.Kind == normalize.KeptOut {
		return t.line("", []*normalize.Message{g.Head()}), ""
	}
	next := head.Number + 1
	if g.Result == nil {
		before = t.line("", []*normalize.Message{g.Call})
		if text := t.placeholders[g.Call]; text != "" {
			t.introduced[next] = true
			behind = sentParagraph("ph", count(int(next))+" user: "+text+", a placeholder: the call had no result")
		}
		return before, behind
	}
	result := t.api.Fates[g.Result]
	to := "result never sent: " + result.Why.String()
	if result.Kind != normalize.KeptOut {
		to = "→ " + count(int(result.Number)) + " user"
		defer func() { t.introduced[result.Number] = true }()
	}
	return t.line(to, []*normalize.Message{g.Call}), ""
}

// nestedSentLine returns the line before a message in the box of a call, only if it was sent, since most hooks are not.
func (d *drawer) nestedSentLine(m *normalize.Message) template.HTML {
	if d.sent == nil || d.sent.api.Fates[m].Kind == normalize.KeptOut {
		return ""
	}
	return d.sentLine(m)
}

// line draws the line; more is added to a sent one.
func (t *sentTracker) line(more string, parts []*normalize.Message) template.HTML {
	fate, lost, told := t.fateOf(parts)
	switch {
	case !told:
		return ""
	case fate.Kind == normalize.KeptOut:
		return t.keptOut(parts[0].Record, fate.Why)
	}
	t.why = normalize.NoWhy
	n := fate.Number
	look, words := "", []string{count(int(n))}
	var before template.HTML
	if !t.introduced[n] {
		t.introduced[n] = true
		words[0] += " " + t.api.Messages[n-1].Role
		before = t.firstPlaceholder(n)
		if t.unlogged != "" && (n == 1 || before != "") {
			before = sentParagraph("ph", t.unlogged) + before
		}
		for _, rule := range t.hidden[n] {
			lost = append(lost, "with "+rule+", not drawn")
		}
	} else {
		look = "in"
	}
	if fate.Kind == normalize.AsText {
		look = strings.TrimSpace(look + " txt")
		if fate.Rough {
			look += " rough"
		}
	}
	if size := t.context(parts[0].Record, n); size != "" {
		words = append(words, size)
	}
	if more != "" {
		words = append(words, more)
	}
	line := before + sentParagraph(look, words[0]+"\n"+strings.Join(words[1:], " "))
	if len(lost) > 0 {
		line += sentParagraph("ph", strings.Join(lost, "; "))
	}
	return line
}

// fateOf returns what became of parts that are drawn as one: of a part that was sent, if there is one. lost says why
// others were not. told is false if nothing is known.
func (t *sentTracker) fateOf(parts []*normalize.Message) (fate normalize.Fate, lost []string, told bool) {
	for _, m := range parts {
		one, ok := t.api.Fates[m]
		if ok && (!told || fate.Kind == normalize.KeptOut && one.Kind != normalize.KeptOut) {
			fate, told = one, true
		}
		if ok && one.Kind == normalize.KeptOut && len(parts) > 1 && m.Block != nil && m.Block.Type != "text" {
			lost = append(lost, oneLine(m.Block.Type, 40)+" "+one.Why.String())
		}
	}
	return fate, lost, told
}

// keptOut draws the line of a record that was not sent. It does not repeat the reason of the line before.
func (t *sentTracker) keptOut(r *transcript.Record, why normalize.Why) template.HTML {
	var size template.HTML // of a request that was sent before
	if s := t.context(r, 0); s != "" {
		size = sentParagraph("size", s)
	}
	if t.why == why {
		return size + sentParagraph("no", "")
	}
	t.why = why
	return size + sentParagraph("no", why.String())
}

// firstPlaceholder draws the previous API message if it has nothing from the log.
func (t *sentTracker) firstPlaceholder(n int32) template.HTML {
	if n != 2 || t.introduced[1] {
		return ""
	}
	for _, b := range t.api.Messages[0].Blocks {
		if b.From != nil || b.For != nil {
			return ""
		}
	}
	t.introduced[1] = true
	return sentParagraph("ph", "1 user: "+t.api.Messages[0].Blocks[0].Text+
		", a placeholder: the log does not begin with a message of the user")
}

// context returns the size of the request of a record at its first message: that in the log, else a marked estimate. n
// is the API message of the record, 0 for none.
func (t *sentTracker) context(r *transcript.Record, n int32) string {
	request := t.requests[r]
	if request == nil || request.Model == "<synthetic>" || t.sized[r] {
		return ""
	}
	t.sized[r] = true
	if size := request.Usage.Context(); request.HasUsage && size > 0 {
		return short(size)
	}
	if n == 0 { // an estimate would need what was sent
		return ""
	}
	return "~" + short(int64(t.before()[n-1]))
}

// sentParagraph returns the HTML of a line. It has numbers, fixed words and types of blocks only.
func sentParagraph(look, text string) template.HTML {
	if look != "" {
		look = " " + look
	}
	return template.HTML(`<p class="sent` + look + `">` + template.HTMLEscapeString(strings.TrimSpace(text)) + "</p>")
}
