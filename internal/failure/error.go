package failure

// An Error is an error with a hint for the user.
type Error struct {
	Err  error
	Hint string // the next step, "" for none
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New returns an error with a hint. If a limit of the process or the system was reached, the hint is about it: no other
// folder helps.
func New(err error, hint string) *Error {
	if limit := limitHint(err); limit != "" {
		hint = limit
	}
	return &Error{Err: err, Hint: hint}
}
