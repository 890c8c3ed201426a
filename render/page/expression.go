package page

import (
	"regexp"
	"sync"
)

// Expression compiles a regular expression when it is used for the first time: most commands use none, and the start
// of the program should not take longer for them.
func Expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
