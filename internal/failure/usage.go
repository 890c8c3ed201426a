package failure

import "fmt"

// A Usage is an error in the command line or in the settings.
type Usage struct {
	Err  error
	Near string // the name that was probably meant, "" for none
}

func (e Usage) Error() string { return e.Err.Error() }
func (e Usage) Unwrap() error { return e.Err }

// Usagef returns a Usage, formatted like fmt.Errorf.
func Usagef(format string, args ...any) error { return Usage{Err: fmt.Errorf(format, args...)} }
