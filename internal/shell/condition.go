package shell

import "viewer/internal/words"

// A condition is what it depends on whether the next command of a list runs.
type condition struct {
	inside   bool // the whole list may not run
	open     int  // how many if, loops and case have no end yet
	or       bool // || came before
	after    bool // && came before, and a command that may have failed
	sure     bool // the last command hardly fails
	function bool // parentheses or braces after a word: they may be those of a function
}

var (
	openers = words.Set("if while until for case select foreach") // closers end them
	bodies  = words.Set("then else elif do")

	// hardlyFail are programs that print why they fail, and after which what depends on them would fail, too.
	hardlyFail = words.Set("cd pushd mkdir echo printf touch export set true :")
)

// mayNotRun reports whether the list may leave out a command.
func (c *condition) mayNotRun(words []string) bool {
	return c.inside || c.or || c.open > 0 || len(words) > 0 && bodies[words[0]]
}

// ran records a command that op follows.
func (c *condition) ran(words []string, op string) {
	c.function = op == "(" || op == "{"
	c.sure = len(words) == 0 || hardlyFail[words[0]] || words[0] == "cat" && len(words) == 1
	for len(words) > 0 && bodies[words[0]] { // do if …
		words, c.open = words[1:], max(1, c.open)
	}
	switch {
	case len(words) == 0:
	case closers[words[0]]:
		c.open = max(0, c.open-1)
	case openers[words[0]] && (op != "(" || words[0] == "for"): // if (…) {…} has no fi
		c.open++
	}
}

// operate records the operator before the next command, and whether parentheses or braces ended before it.
func (c *condition) operate(op string, closed bool) {
	switch op {
	case ";", "\n", "&":
		c.or, c.after, c.function = false, false, false
	case "||":
		c.or = true
	case "&&":
		c.after = c.after || closed || !c.sure
	}
}

// exits reports whether a command may end the whole with success.
func exits(words []string) bool {
	return len(words) > 0 && words[0] == "exit" && (len(words) == 1 || words[1] == "0")
}
