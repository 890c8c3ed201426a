package page

import (
	"regexp"
	"sync"
)

// Expression compiles a regular expression on first use, because most commands use none and should start fast.
func Expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
