package failure

// An Error is a failure that a user can do something about.
type Error struct {
	Err  error
	Hint string // the next step, "" when there is none to give
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New is an error with a hint.
func New(err error, hint string) *Error { return &Error{Err: err, Hint: hint} }
