package transcript

import "fmt"

// A Pos is a place in a session file.
type Pos struct {
	File   string // name passed to Read
	Line   int    // from 1
	Offset int64  // bytes from the start of the file
}

// String returns the place in the form that editors accept: "ab12.jsonl:417".
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Problem is something in a session file that could not be used. It is data, which is shown and counted, not an
// error.
type Problem struct {
	Pos  Pos
	Text string // lower case, no full stop: "message.usage: want an object, got a string"

	// Lost reports that a whole value of the file is missing from the records. Other problems affect a field or a link.
	Lost bool

	// Fault reports that the program failed, not the data.
	Fault bool

	// Others is the number of further values with the same problem.
	Others int
}

func (p Problem) String() string { return p.Pos.String() + ": " + p.Text }

// CountLost returns the number of values that could not become records.
func CountLost(problems []Problem) int {
	n := 0
	for _, p := range problems {
		if p.Lost {
			n += 1 + p.Others
		}
	}
	return n
}
