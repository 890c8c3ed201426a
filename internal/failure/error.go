package failure

// An Error is an error with a hint for the user.
type Error struct {
	Err  error
	Hint string // the next step, "" for none
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New returns an error with a hint.
func New(err error, hint string) *Error { return &Error{Err: err, Hint: hint} }
