package sitegen

import "viewer/internal/failure"

// An Error is an error with a hint for the user.
type Error = failure.Error

// Cause removes the paths from a file error. The message around it names the file.
func Cause(err error) error { return failure.Cause(err) }
