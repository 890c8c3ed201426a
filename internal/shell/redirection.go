package shell

import "strings"

// A Redirection connects an input or an output of a simple command to a file or to another of its streams.
type Redirection struct {
	Stream string // the number before the operator, "" for the usual stream
	Op     string // "<", "<<", "<<<", "<>", "<&", ">", ">>", ">|", ">&", "&>", "&>>"
	To     string // a file, for ">&" and "<&" also a stream: "1", "-" for none; "" for a here document
}

// Writes reports whether the redirection opens a file for writing.
func (d Redirection) Writes() bool {
	return strings.Contains(d.Op, ">") && !(d.Op == ">&" && isStream(d.To))
}

// Reads reports whether the redirection only reads a file.
func (d Redirection) Reads() bool { return d.Op == "<" }

func isStream(to string) bool { return to == "-" || to != "" && strings.Trim(to, "0123456789") == "" }

// String returns the redirection as one writes it.
func (d Redirection) String() string { return d.Stream + d.Op + d.To }

// String returns the simple command with its redirections at the end.
func (s *Simple) String() string {
	words := s.Words[:len(s.Words):len(s.Words)]
	for _, d := range s.Redirections {
		words = append(words, d.String())
	}
	return strings.Join(words, " ")
}

// redirection reads an operator that begins with c, which is not quoted. The next word completes it.
func (r *shellReader) redirection(c byte) {
	d := Redirection{Op: string(c)}
	if c != '&' && !r.literal && r.part != "-" && r.word.Len() == 0 && isStream(r.part) {
		d.Stream, r.part, r.inWord = r.part, "", false
	}
	r.endWord()
	for _, op := range operators {
		if op[0] == c && strings.HasPrefix(r.text[r.at-1:], op) {
			d.Op = op
			break
		}
	}
	r.at += len(d.Op) - 1
	r.opened = d.Op != "<<" || !r.document()
	r.redirections = append(r.redirections, d)
}

// operators begin redirections, those that another one begins with first.
var operators = []string{"&>>", "&>", ">>", ">|", ">&", "<<<", "<<", "<>", "<&"}

// outputOf returns the file that the output of a simple command replaces, "" for none.
func outputOf(all []Redirection) (file string) {
	for _, d := range all {
		switch {
		case d.Op[0] == '<', d.Stream != "" && d.Stream != "1":
		case d.Op == ">" || d.Op == ">|" || d.Op == "&>" || d.Op == ">&" && !isStream(d.To):
			file = d.To
		default:
			file = ""
		}
	}
	return file
}

// readsDocument reports whether the last thing that the input of a simple command is redirected to is a here document.
func readsDocument(all []Redirection) (is bool) {
	for _, d := range all {
		if d.Op[0] == '<' && (d.Stream == "" || d.Stream == "0") {
			is = d.Op == "<<"
		}
	}
	return is
}

// isQuiet reports whether a redirection keeps output from the one who ran the command: "2>/dev/null", ">&-".
func isQuiet(d Redirection) bool {
	return d.Op[0] != '<' && !(d.Op == ">&" && (d.To == "1" || d.To == "2"))
}
