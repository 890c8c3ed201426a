package shell

import (
	"cmp"
	"slices"
)

// A list is a number of commands that && and || join, in parentheses, in braces or in neither.
type list struct {
	group, start int      // indexes of the first commands of the parentheses and of the list
	ended        bool     // another list in the same parentheses replaces it, if a command follows
	kind         byte     // '(', '{', or '$' for $(…): another command uses the output, and the exit code is lost
	folders      []string // see Simple
	condition
}

// begins records that a command or a group follows.
func (r *shellReader) begins() {
	if l := &r.lists[len(r.lists)-1]; l.ended {
		r.save(l.start)
		l.start, l.ended = len(r.all), false
	}
}

// save records that the exit codes of all commands from an index on may be lost.
func (r *shellReader) save(from int) {
	for i := from; i < len(r.all); i++ {
		r.all[i].Saved = true
	}
}

// operate records what an operator means for the exit codes of the commands before it.
func (r *shellReader) operate(op string) {
	l, closed := &r.lists[len(r.lists)-1], r.closed
	r.closed = -1
	l.operate(op, closed >= 0)
	switch op {
	case ";", "\n":
		l.ended = true
	case "&", "||":
		r.save(l.start)
	case "|", "|&":
		if closed >= 0 {
			r.save(closed)
		}
	case "(", "{":
		r.enter(op[0])
	case "}":
		if l.kind == '{' {
			r.leave()
			r.lists[len(r.lists)-1].folders = l.folders // its commands did not run in a shell of their own
		}
	case ")":
		n := len(r.lists) - 1
		for n > 0 && r.lists[n].kind == '{' { // without an end
			n--
		}
		if n > 0 {
			for range len(r.lists) - n {
				r.leave()
			}
		}
	}
}

// enter begins a list in parentheses or braces.
func (r *shellReader) enter(kind byte) {
	r.begins()
	l := &r.lists[len(r.lists)-1]
	r.lists = append(r.lists, list{
		group: len(r.all), start: len(r.all), kind: kind, folders: l.folders,
		condition: condition{inside: l.mayNotRun(nil) || l.after || kind == '{' && l.function},
	})
}

// leave ends the last list.
func (r *shellReader) leave() {
	l := &r.lists[len(r.lists)-1]
	r.closed, r.lists = l.group, r.lists[:len(r.lists)-1]
	if l.kind == '$' {
		r.save(l.group)
		r.resume()
	}
}

// folderOf returns the folder that a simple command goes to, see Simple; "" for none.
func folderOf(words []string) string {
	isGoing := func(w string) bool { return w == "cd" || w == "pushd" || w == "popd" }
	if !slices.ContainsFunc(words, isGoing) {
		return ""
	}
	switch words = program(words); {
	case len(words) == 0 || !isGoing(words[0]):
		return ""
	case words[0] == "popd":
		return "-"
	case len(words) == 1:
		return "~"
	}
	return cmp.Or(words[len(words)-1], "-")
}
