package outcome

import (
	"regexp"
	"sync"
)

// expression returns a regular expression that is compiled on first use. Most commands use none, and they should not
// slow down the start of the program.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
