package normalize

import "viewer/internal/transcript"

// An EndingKind is the reason why an answer ended, if it did not end by itself or with a call.
type EndingKind uint8

const (
	NoEnding    EndingKind = iota
	CutOff                 // stop_reason max_tokens: at its maximum of tokens
	ContextFull            // model_context_window_exceeded
	Refused                // refusal
	Paused                 // pause_turn: the next request continues it
	Aborted                // the user stopped it in the middle, and no later record says so
)

var endings = map[string]EndingKind{
	"max_tokens": CutOff, "model_context_window_exceeded": ContextFull, "refusal": Refused, "pause_turn": Paused,
}

var endingWords = [...]string{
	NoEnding:    "",
	CutOff:      "cut off: the answer reached its limit of tokens",
	ContextFull: "cut off: the context is full",
	Refused:     "the model refused to go on",
	Paused:      "the model paused here",
	Aborted:     "stopped in the middle by the user",
}

func (k EndingKind) String() string { return endingWords[k] }

// markEndings sets the ending of the last message of each answer, because all records of an answer have the reason.
func markEndings(messages []*Message) {
	var marked map[string]bool
	interrupted := false // a later record says that the user stopped the turn
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		r := m.Record
		switch {
		case m.Status == Interrupted || m.Status == InterruptedCall:
			interrupted = true
		case m.Kind == Prompt:
			interrupted = false
		}
		if r.Type != "assistant" || r.Message == nil || m.Rule != "" && m.Rule != ruleEmpty {
			continue
		}
		kind := endings[r.Message.StopReason]
		if kind == NoEnding && r.Aborted && !interrupted {
			kind = Aborted
		}
		if kind == NoEnding || marked[RequestID(r)] {
			continue
		}
		if marked == nil {
			marked = make(map[string]bool)
		}
		marked[RequestID(r)] = true
		m.Ending = kind
		if m.Rule == ruleEmpty { // a refusal may have no other content
			m.Kind, m.Name, m.Rule = Text, "", ""
		}
	}
}

// markAdvised marks the first message of each answer that another model advised.
func markAdvised(messages []*Message) {
	var marked map[string]bool
	for _, m := range messages {
		r := m.Record
		if r.AdvisorModel == "" || r.Type != "assistant" || m.Rule != "" || marked[RequestID(r)] {
			continue
		}
		if marked == nil {
			marked = make(map[string]bool)
		}
		marked[RequestID(r)] = true
		m.Advised = true
	}
}

// EndingDetails returns the details of the reason in the log (stop_details), nil for none.
func (m *Message) EndingDetails() []byte {
	if m.Ending == NoEnding {
		return nil
	}
	return transcript.Field(transcript.Field(m.Record.Raw, "message"), "stop_details")
}
