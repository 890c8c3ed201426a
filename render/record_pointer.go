package render

// Records about other sessions: where this one continues, what it was forked from.
var (
	_ = register(records, "continued-in", "event", viewPointer("Goes on in", "continuedInSessionId"))
	_ = register(records, "fork-context-ref", "event", viewPointer("Forked from", "parentSessionId"))
	_ = register(records, "teleported-from", "event", viewPointer("Teleported from", "remoteSessionId"))
	_ = register(records, "teleport-skipped-branch", "event",
		viewRecord("git", "The branch was not checked out", atTools, ""))
	_ = register(records, "history-suppression", "event", viewRecord("compact", "History left out", atEverything, ""))
	_ = register(records, "serverClassifierRequest", "event",
		viewRecord("gear", "The server was asked", atEverything, ""))
)

// viewPointer draws the session that a record points to, and lists other members.
func viewPointer(words, to string) func(event) (recordEvent, error) {
	list := viewRecord("symbol", "", atTools, "")
	return func(e event) (recordEvent, error) {
		v, err := list(e)
		v.Text = words + " a session that is not named"
		rest := v.Rows[:0]
		for _, f := range v.Rows {
			switch f.Name {
			case to:
				v.Text = words + " session " + oneLine(f.Value, 60)
			default:
				rest = append(rest, f)
			}
		}
		v.Rows = rest
		return v, err
	}
}
