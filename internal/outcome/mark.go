package outcome

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Mark is a word for how a session ended.
type Mark uint8

const (
	None        Mark = iota // nothing was asked, called or answered
	Done                    // the last turn ends with an answer or a call that says so, or the run says so
	Pushed                  // the same, all commits were pushed, and no file was changed since
	Interrupted             // the user stopped the last turn
	Unfinished              // the log ends in the middle of a turn
	Failed                  // the last request failed, or the run reports a failure
	Refused                 // the model refused to continue
	CutOff                  // the last answer reached a limit of tokens
)

var markWords = [...]string{
	"nothing asked", "done", "pushed", "interrupted", "unfinished", "failed", "refused", "cut off",
}

// String returns the word that pages show.
func (m Mark) String() string {
	if int(m) >= len(markWords) {
		return markWords[None]
	}
	return markWords[m]
}

// Good reports whether the session finished its task, as far as the log tells.
func (m Mark) Good() bool { return m == Done || m == Pushed }

// An end describes the end of a conversation.
type end struct {
	answer  *normalize.Message // the last text of the model, or the call with its last words
	words   string             // of answer
	last    *normalize.Message // the last text, status or failed request; nil for none
	recap   *normalize.Message // the recap that the program wrote, if nothing was asked since
	open    bool               // it ends with an unanswered call or prompt
	stopped bool               // the last call was stopped or declined
	cause   string             // why the program ended the turn after the last call, "" if it did not
	prompt  *normalize.Message // the last prompt or command, nil for none
	call    *normalize.Group   // the last call since, nil for none
	earlier bool               // the answer is to an earlier prompt
	denied  string             // the file of a change in the last turn that was denied and not made later
	asked   bool               // somebody asked for something
	blocked bool               // a hook blocked a prompt
	result  *transcript.Record // that ends a run of claude -p, nil for none
	success bool               // it says that the run succeeded, though the last turn has no answer
	empty   bool               // the last request was answered without a word
	next    *normalize.Message // says in which file the conversation goes on, nil for none
}

func endOf(c *normalize.Conversation) end {
	var e end
	for _, t := range c.Turns {
		if e.asked && quits(t) {
			continue
		}
		isBlocked := len(t.Prompt) > 0 && t.Prompt[0].Blocked() // it changes nothing about what was asked before
		e.blocked = e.blocked || isBlocked
		asked := t.Asked() && !isBlocked
		if asked { // a command alone needs no answer, and does not replace one
			e.asked, e.open, e.recap, e.stopped = true, true, nil, false
		}
		if len(t.Prompt) > 0 && (asked || works(t)) {
			e.asks(spoken(t.Prompt))
		}
		for _, item := range t.Items {
			e.see(item)
		}
	}
	for _, m := range c.Order {
		if m.Record.Type == "result" {
			e.result = m.Record
		}
	}
	for _, m := range c.Messages {
		if r := m.Record; r.Message != nil && !r.Message.Several { // a sum of tokens is no answer
			e.empty = isEmptyAnswer(m.Record)
		}
	}
	if n := len(c.Order); n > 0 && endsTurn(c.Order[n-1].Record) && e.open && !e.stopped && e.call != nil {
		e.open, e.last, e.success = false, nil, true
	}
	return e
}

// endsTurn reports whether a record says that a turn is complete. Its last step may be a call.
func endsTurn(r *transcript.Record) bool { return r.Type == "turn_ended" && r.Subtype == "success" }

// isEmptyAnswer reports whether a record ends a turn without a word.
func isEmptyAnswer(r *transcript.Record) bool {
	speaks := func(b transcript.Block) bool { return b.Type != "thinking" }
	ends := r.Type == "assistant" && r.Message.StopReason == "end_turn"
	return ends && !slices.ContainsFunc(r.Message.Content, speaks)
}

// quitWords are prompts that ask nothing of the model, but of the program to quit.
var quitWords = words.Set("exit quit :q :wq")

// quits reports whether somebody only wanted to quit in a turn, and the model did not answer.
func quits(t *normalize.Turn) bool {
	if len(t.Prompt) != 1 || !quitWords[strings.ToLower(strings.TrimSpace(t.Prompt[0].Text))] {
		return false
	}
	return !slices.ContainsFunc(t.Items, func(item normalize.Item) bool {
		m, ok := item.(*normalize.Message)
		return !ok || m.Kind == normalize.Text
	})
}

// spoken returns the first message of a prompt that has words, otherwise the first one, such as a picture.
func spoken(prompt []*normalize.Message) *normalize.Message {
	hasWords := func(m *normalize.Message) bool { return m.Kind == normalize.Command || request(m.Text) != "" }
	return prompt[max(slices.IndexFunc(prompt, hasWords), 0)]
}

// works reports whether the turn of a command has calls, failed requests or an end that the program wrote.
func works(t *normalize.Turn) bool {
	return slices.ContainsFunc(t.Items, func(item normalize.Item) bool {
		m, ok := item.(*normalize.Message)
		return !ok || m.Kind == normalize.APIError || m.Kind == normalize.Status
	})
}

// asks records that something was asked.
func (e *end) asks(m *normalize.Message) {
	e.prompt, e.call, e.earlier, e.denied, e.cause = m, nil, e.answer != nil, "", ""
}

// changes records a denied change of a file, and forgets it when a later call makes the change.
func (e *end) changes(g *normalize.Group) {
	isDenied := g.State == normalize.CallDenied
	if g.Call == nil || !isDenied && (e.denied == "" || g.State != normalize.Done) {
		return
	}
	switch c := tools.Describe(g, tools.Context{}); c.Action {
	case tools.Write, tools.Edit, tools.Delete, tools.Move:
		switch {
		case isDenied:
			e.denied = c.Target
		case c.Target == e.denied:
			e.denied = ""
		}
	}
}

// finishes ends the turn if a call reports that the work is done.
func (e *end) finishes(g *normalize.Group) {
	lastWords, ok := tools.Final(g)
	switch g.State {
	case normalize.Done, normalize.Pending, normalize.Missing, normalize.Unlogged:
	default:
		ok = false
	}
	if !ok {
		return
	}
	e.open, e.last, e.success = false, nil, true
	if strings.TrimSpace(lastWords) != "" {
		e.answer, e.words, e.earlier = g.Call, lastWords, false
	}
}

func (e *end) see(item normalize.Item) {
	m, ok := item.(*normalize.Message)
	if !ok {
		if g, isCall := item.(*normalize.Group); isCall {
			e.open, e.recap, e.call, e.cause = true, nil, g, ""
			if slices.ContainsFunc(g.Post, stopsTurn) {
				e.cause = stoppedByHook
			}
			e.stopped = g.State == normalize.Stopped || g.State == normalize.CallDeclined
			e.changes(g)
			e.finishes(g)
		}
		return
	}
	if m.Record.Type == "result" && terminalReason(m.Record) == "hook_stopped" {
		e.cause = stoppedByHook
		return
	}
	if m.Record.Type == "result" && m.Record.Subtype == "success" && e.open && !e.stopped {
		e.open, e.last, e.success = false, nil, true // the last step was a call, such as one that submits the work
		return
	}
	switch m.Kind {
	case normalize.Text:
		if m.Text != "" || e.answer == nil || e.earlier { // otherwise it only says why the answer ended
			e.answer, e.words, e.earlier = m, m.Text, false
		}
		e.last, e.open, e.recap = m, false, nil
	case normalize.APIError, normalize.Status:
		e.last, e.open = m, false
	case normalize.Prompt: // queued, and delivered in the middle of a turn
		e.open, e.recap = true, nil
		e.asks(m)
	case normalize.Attachment:
		if m.Name == "max_turns_reached" {
			e.cause = resultReasons["error_max_turns"]
		}
	case normalize.System:
		switch m.Name {
		case "away_summary":
			e.recap = m
		case "continued":
			e.next = m
		}
	}
}

// stopsTurn reports whether a message says that a hook stopped the turn.
func stopsTurn(m *normalize.Message) bool {
	return m.Kind == normalize.Hook && m.Name == "hook_stopped_continuation"
}

// ended sets the mark and the words of the end of the last turn.
func (f *Facts) ended(c *normalize.Conversation) {
	e := endOf(c)
	f.Mark, f.Reason = e.mark(c)
	switch recap := ""; {
	case e.recap != nil:
		if recap = recapText(e.recap.Text); recap != "" {
			f.Text, f.Answer = recap, e.recap
			return
		}
	case e.earlier && !f.Mark.Good():
		if f.Text, f.Answer = e.halt(); f.Text != "" {
			f.Halted = true
			return
		}
	}
	f.Answer = e.answer
	if e.answer != nil {
		f.Heading, f.Text = opening(e.words)
	}
}

// halt returns words for the end of a turn without an answer, and the place of that end.
func (e *end) halt() (string, *normalize.Message) {
	asked := e.prompt.Text
	if e.prompt.Kind == normalize.Command {
		asked = e.prompt.Name + " " + asked
	}
	asked = cmp.Or(request(asked), "the last prompt")
	switch {
	case e.last != nil && e.last.Kind == normalize.APIError && !e.open:
		return words.Line(e.last.Text, maxText), e.last
	case e.call == nil || e.call.Call == nil:
		return "No answer to: " + asked, e.prompt
	}
	c := tools.Describe(e.call, tools.Context{})
	what := words.Line(cmp.Or(c.Description, c.Target), maxHeading)
	state := "Last call"
	switch e.call.State {
	case normalize.CallDeclined:
		state = "Declined"
	case normalize.Stopped:
		state = "Stopped"
	}
	return clip(strings.TrimSpace(state+": "+e.call.Call.Name+" "+what)+", after: "+asked, maxText), e.call.Call
}

// MarkOf returns the mark of a conversation, without looking at git, and the reason.
func MarkOf(c *normalize.Conversation) (Mark, string) {
	e := endOf(c)
	return e.mark(c)
}

// mark returns the mark of the first rule that applies.
func (e *end) mark(c *normalize.Conversation) (Mark, string) {
	if e.result != nil && failedResult(e.result) {
		if Aborted(e.result) || e.result.Subtype == stoppedByError && isInterruption(e.last) {
			return Interrupted, ""
		}
		return Failed, resultWords(e.result)
	}
	if e.next != nil {
		file := transcript.String(transcript.Field(e.next.Record.Raw, "file"))
		return Unfinished, "it goes on in " + words.Line(cmp.Or(file, "another file"), maxHeading)
	}
	if e.open || e.last == nil && !e.success {
		return e.halfway()
	}
	if e.last != nil {
		if mark, why := cutShort(e.last); mark != Done {
			return mark, why
		}
	}
	if c.Facts.Streamed && e.result == nil { // a complete stream ends with a result
		return Unfinished, "the log has no end: the run was killed, or its output was cut"
	}
	if e.denied != "" {
		return Unfinished, "a change was not allowed: " + words.Line(e.denied, maxHeading)
	}
	return Done, ""
}

// cutShort returns the mark of a turn by its last text, status or failed request: Done if nothing cut it short.
func cutShort(last *normalize.Message) (Mark, string) {
	switch {
	case last.Kind == normalize.APIError:
		return Failed, "the last request failed"
	case isInterruption(last):
		return Interrupted, ""
	case last.Status == normalize.HookStopped:
		return Unfinished, blockedByHook
	}
	switch last.Ending {
	case normalize.Aborted:
		return Interrupted, ""
	case normalize.Refused:
		return Refused, ""
	case normalize.CutOff:
		return CutOff, "the answer reached its limit of tokens"
	case normalize.ContextFull:
		return CutOff, "the context is full"
	}
	return Done, ""
}

const (
	blockedByHook = "a hook blocked the prompt"
	stoppedByHook = "a hook stopped the turn"
)

// isInterruption reports whether a message says that the user stopped the turn.
func isInterruption(m *normalize.Message) bool {
	return m != nil && (m.Status == normalize.Interrupted || m.Status == normalize.InterruptedCall)
}

// halfway returns the mark of a log that ends before an answer.
func (e *end) halfway() (Mark, string) {
	switch {
	case !e.open && !e.asked && e.blocked:
		return Unfinished, blockedByHook
	case !e.open && !e.asked:
		return None, ""
	case e.open && e.stopped:
		return Interrupted, ""
	case e.open && e.cause != "":
		return Unfinished, e.cause
	case e.open && !e.empty:
		if question := e.question(); question != "" {
			return Unfinished, "a question has no answer: " + question
		}
		return Unfinished, "the log ends before the answer"
	}
	return Unfinished, "the log has no answer"
}

// question returns what the last call asks the human, if nobody answered; "" for any other call.
func (e *end) question() string {
	if e.call == nil || e.call.State != normalize.Pending {
		return ""
	}
	c := tools.Describe(e.call, tools.Context{})
	if c.Action != tools.Ask {
		return ""
	}
	return words.Line(c.Target, maxHeading)
}
