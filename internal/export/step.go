package export

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A side is who speaks, in formats for other programs.
type side uint8

const (
	byUser side = iota
	byModel
	byProgram // text of the agent program: outputs of commands, reports, summaries, remarks
)

// sides are the sides of kinds of messages. Other kinds belong to the program.
var sides = map[normalize.Kind]side{
	normalize.Prompt: byUser, normalize.Command: byUser, normalize.Shell: byUser,
	normalize.Text: byModel, normalize.Thinking: byModel,
}

func sideOf(m *normalize.Message) side {
	if m.Kind == normalize.Media && m.Record.Type == "assistant" { // those of the user are prompts
		return byModel
	}
	if s, ok := sides[m.Kind]; ok {
		return s
	}
	return byProgram
}

// A step is a message of one side. A step of the model is one request with all its calls.
type step struct {
	side     side
	record   *transcript.Record // its first record
	messages []*normalize.Message
	calls    []*normalize.Group
	request  *normalize.Request // of the model, if the log has its tokens and no other step counts them
}

// joins reports whether a message belongs to a step: it has the same record, or is of the model and the same request.
func (s *step) joins(by side, r *transcript.Record) bool {
	if s.side != by {
		return false
	}
	mine := s.record
	return mine == r || by == byModel && r.UUID+normalize.RequestID(r) != "" &&
		normalize.RequestID(mine) == normalize.RequestID(r)
}

// stepsOf splits a turn into steps, without attempts that were taken back. Requests of which the log has only the
// tokens come last.
func (o Options) stepsOf(t turn) []step {
	w := stepWriter{requests: make(map[string]*normalize.Request)}
	for _, r := range t.Requests {
		synthetic := strings.HasPrefix(r.Model, "<") // the program wrote it itself
		if r.HasUsage && !r.Repeats && !synthetic {
			w.requests[r.ID] = r
		}
	}
	for _, m := range t.prompt {
		w.say(m)
	}
	for _, item := range t.items {
		switch it := item.(type) {
		case *normalize.Message:
			w.say(it)
		case *normalize.Group:
			w.call(it, o.Level >= Everything)
		}
	}
	if o.Level >= Tools && o.From == "" && o.To == "" {
		for _, r := range t.Requests {
			if w.requests[r.ID] == r {
				w.steps = append(w.steps, step{side: byModel, record: r.First, request: r})
			}
		}
	}
	return w.steps
}

type stepWriter struct {
	steps    []step
	model    int // index of the model's last step plus 1, 0 if it cannot be continued
	requests map[string]*normalize.Request
}

func (w *stepWriter) say(m *normalize.Message) {
	s := w.of(sideOf(m), m.Record)
	s.messages = append(s.messages, m)
}

func (w *stepWriter) call(g *normalize.Group, besides bool) {
	by := byModel
	if g.Call == nil { // a result without a known call
		by = byProgram
	}
	s := w.of(by, g.Head().Record)
	s.calls = append(s.calls, g)
	if !besides {
		return
	}
	for _, all := range [][]*normalize.Message{g.Pre, g.Inside, g.Post} {
		for _, m := range all {
			w.say(m)
		}
	}
}

// of returns the step of a message. Remarks of the program between two blocks of an answer come after the answer.
func (w *stepWriter) of(by side, r *transcript.Record) *step {
	if by == byModel && w.model > 0 && w.steps[w.model-1].joins(by, r) {
		return &w.steps[w.model-1]
	}
	if last := len(w.steps) - 1; by == byUser && last >= 0 && w.steps[last].joins(by, r) {
		return &w.steps[last]
	}
	s := step{side: by, record: r}
	if by == byModel {
		id := normalize.RequestID(r)
		s.request = w.requests[id]
		delete(w.requests, id)
	}
	w.steps = append(w.steps, s)
	last := &w.steps[len(w.steps)-1]
	switch by {
	case byModel:
		w.model = len(w.steps)
	case byUser:
		w.model = 0
	}
	return last
}
