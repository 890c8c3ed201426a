package failure

import (
	"errors"
	"io/fs"
	"os"
)

// Cause removes the paths from a file error. The message around it names the file.
func Cause(err error) error {
	var at *fs.PathError
	var between *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &between):
		err = between.Err
	}
	return inOurWords(err)
}
