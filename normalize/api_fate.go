package normalize

// A Fate is what became of a message of the log when the model was sent the
// conversation.
type Fate struct {
	Number int32 // of the API message, from 1; 0 for what was kept out
	Kind   FateKind
	Why    Why  // of what was kept out
	Rough  bool // the log does not hold the words that were sent: they were put together from what it holds
}

// A FateKind says how a message was sent.
type FateKind uint8

const (
	KeptOut FateKind = iota
	Sent             // as the API message, or as the first part of it
	Merged           // into the API message that another message began
	AsText           // as text of the API message: attachments, output of local commands
)

// A Why is the reason that a message was not sent.
type Why uint8

const (
	NoWhy Why = iota // it was sent
	WhyVirtual
	WhyProgress
	WhySystem
	WhyError
	WhyCompacted
	WhyStripped
	WhyNothing
	WhyUnrecorded
	WhyBooks
	WhyUnknown
	WhyOrphan
	WhyAnswered
	WhyTwice
	WhyNoID
	WhyThinking
	WhyUnsigned
	WhyEdited
	WhyRole
	WhyBlank
	WhyRepeated
	WhyWithdrawn
	WhyPersonal
	WhyTakenBack
	WhyLater
)

// whyNames are for readers.
var whyNames = [...]string{
	NoWhy:         "",
	WhyVirtual:    "virtual: shown to the user only",
	WhyProgress:   "progress",
	WhySystem:     "system record",
	WhyError:      "synthetic API error",
	WhyCompacted:  "before the compaction",
	WhyStripped:   "stripped: the API refused it",
	WhyNothing:    "sends nothing",
	WhyUnrecorded: "its text is not in the log",
	WhyBooks:      "bookkeeping",
	WhyUnknown:    "not known to the API",
	WhyOrphan:     "result without a call",
	WhyAnswered:   "the call has a result already",
	WhyTwice:      "the call stands earlier",
	WhyNoID:       "call without id",
	WhyThinking:   "thinking that nothing followed",
	WhyUnsigned:   "thinking without signature",
	WhyEdited:     "thinking that was redacted",
	WhyRole:       "not allowed in this role",
	WhyBlank:      "empty",
	WhyRepeated:   "repeated record",
	WhyWithdrawn:  "withdrawn",
	WhyPersonal:   "personal data",
	WhyTakenBack:  "taken back",
	WhyLater:      "later than this request",
}

func (w Why) String() string { return whyNames[w] }

func keptOut(why Why) Fate { return Fate{Kind: KeptOut, Why: why} }

// result numbers the messages and tells each message of the log its fate.
func (s *sending) result() API {
	api := API{Fates: s.fates, Problems: s.problems}
	for i, e := range s.entries {
		api.Messages = append(api.Messages, APIMessage{e.role, e.blocks})
		begun := false
		for _, b := range e.blocks {
			m := b.From
			if m == nil {
				continue
			}
			f := Fate{Kind: AsText, Number: int32(i + 1), Rough: s.rough[m]}
			if m.Block != nil || m.Record.Type == "user" || m.Record.Type == "assistant" {
				f.Kind = Merged
				if !begun {
					f.Kind, begun = Sent, true
				}
			}
			if old, ok := s.fates[m]; !ok || old.Kind == KeptOut {
				s.fates[m] = f
			}
		}
	}
	return api
}
