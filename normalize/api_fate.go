package normalize

// A Fate tells whether and how a message of the log was sent to the model.
type Fate struct {
	Number int32 // of the API message, from 1; 0 if it was not sent
	Kind   FateKind
	Why    Why  // if it was not sent
	Rough  bool // the log does not have the sent text; it was made from what the log has
}

// A FateKind is the way a message was sent.
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
	whyVirtual
	whyProgress
	whySystem
	whyError
	whyCompacted
	whyCleared
	whyStripped
	whyNothing
	whyUnrecorded
	whyBooks
	whyUnknown
	whyOrphan
	whyAnswered
	whyTwice
	whyNoID
	whyThinking
	whyUnsigned
	whyEdited
	whyRole
	whyBlank
	whyRepeated
	whyWithdrawn
	whyPersonal
	whyTakenBack
	whyLater
)

// whyNames has the reasons in words.
var whyNames = [...]string{
	NoWhy:         "",
	whyVirtual:    "virtual: shown to the user only",
	whyProgress:   "progress",
	whySystem:     "system record",
	whyError:      "synthetic API error",
	whyCompacted:  "before the compaction",
	whyCleared:    "before the context was cleared",
	whyStripped:   "stripped: the API refused it",
	whyNothing:    "has nothing for the model",
	whyUnrecorded: "its text is not in the log",
	whyBooks:      "bookkeeping",
	whyUnknown:    "not known to the API",
	whyOrphan:     "result without a call",
	whyAnswered:   "the call has a result already",
	whyTwice:      "the call came earlier",
	whyNoID:       "call without id",
	whyThinking:   "thinking that nothing followed",
	whyUnsigned:   "thinking without signature",
	whyEdited:     "thinking that was redacted",
	whyRole:       "not allowed in this role",
	whyBlank:      "empty",
	whyRepeated:   "repeated record",
	whyWithdrawn:  "withdrawn",
	whyPersonal:   "personal data",
	whyTakenBack:  "taken back",
	whyLater:      "later than this request",
}

func (w Why) String() string { return whyNames[w] }

func keptOut(why Why) Fate { return Fate{Kind: KeptOut, Why: why} }

// result numbers the messages and sets the fate of each message of the log.
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
