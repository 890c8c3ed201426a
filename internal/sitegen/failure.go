package sitegen

import "viewer/internal/failure"

// An Error is a failure that a user can do something about.
type Error = failure.Error

// Cause takes the paths out of a file error: the message around it names the file.
func Cause(err error) error { return failure.Cause(err) }
