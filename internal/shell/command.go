package shell

import (
	"slices"
	"strings"
)

// Limits of the part of a command that is read.
const (
	maxCommand  = 16 << 10 // bytes
	maxCommands = 200
)

// A Simple is one simple command of a shell command, and how it is used there.
type Simple struct {
	Words []string
	Piped bool // its output goes into another command, whose exit code counts
	Saved bool // the whole may succeed though it failed: "; echo $?", "|| true", "(…) | tail", "&"
	Quiet bool // a part of what it prints goes to a file

	// Unsure means that it may not have run though the whole succeeded: after ||, in an if, a loop or a function, after
	// an exit, or after && and a command that may have failed unnoticed.
	Unsure bool
	after  bool // && came before, and a command that may have failed
	Then   Op   // how the next command follows it

	// Folders are the arguments of the cd and pushd commands before it in the same shell: "~" if there is none, "-" if
	// only the shell knows where it goes.
	Folders []string

	Redirections []Redirection
	Output       string  // the file that its output replaces, from "> file", or "" for none
	Document     *string // its here document, if that is taken as it is and ends in the part that is read; else nil
}

// An Op is how a command follows another one.
type Op uint8

const (
	Next Op = iota // in a pipeline, in or after parentheses, or there is none
	And            // &&
	Or             // ||
	Ends           // ; or a new line
)

// Commands returns the simple commands of a shell command, without assignments, redirections and programs that only run
// others. It handles quotes, here documents and $(…), whose commands come before the one around them. The heads of
// loops and functions are commands, too. Those in arithmetic and between backticks are left out.
func Commands(command string) []Simple {
	all := Written(command)
	kept := all[:0]
	for _, s := range all {
		s.Output = outputOf(s.Redirections)
		s.Quiet = slices.ContainsFunc(s.Redirections, isQuiet)
		if !readsDocument(s.Redirections) {
			s.Document = nil
		}
		s.Unsure = s.Unsure || s.after && s.Saved
		if s.Words = program(s.Words); len(s.Words) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// Written returns the simple commands of a shell command with assignments and wrappers, their words without quotes. A
// command may only have redirections. It has the limits of Commands, and leaves out Output and Quiet.
func Written(command string) []Simple {
	r := &shellReader{text: command, cut: len(command) > maxCommand, lists: make([]list, 1, 4), closed: -1}
	if r.cut {
		r.text = command[:maxCommand]
	}
	for len(r.all) < maxCommands && r.at < len(r.text) {
		r.next()
	}
	for r.end(""); len(r.outer) > 0; r.end("") {
		r.end(")")
	}
	return r.all
}

// A shellReader cuts a shell command into words and simple commands.
type shellReader struct {
	text string
	at   int
	all  []Simple
	open int  // here documents so far that have no end
	cut  bool // the text continues

	unfinished
	part  string          // of the word, the only one if word is empty
	word  strings.Builder // several parts
	outer []unfinished    // the commands around the one that is read, which replace it by what it prints

	lists  []list // the one that is read, after those around it
	closed int    // where the parentheses begin that end before the operator to come, -1 for none
	left   bool   // an exit came before
}

// unfinished is what is known of a simple command before its end.
type unfinished struct {
	words        []string
	redirections []Redirection
	opened       bool           // the next word is what the last redirection leads to
	docs         []hereDocument // that begin on the next line
	op           string         // the last operator
	inWord       bool
	literal      bool // a part of the word is quoted

	// of a command around others
	before string // a part of the word
	start  int    // where what is replaced begins
	quote  byte   // around it, 0 for none
}

func (r *shellReader) next() {
	c := r.text[r.at]
	r.at++
	switch c {
	case '\\':
		if r.at < len(r.text) {
			if r.text[r.at] != '\n' {
				r.literal = true
				r.add(r.text[r.at : r.at+1])
			}
			r.at++
		}
	case '\'', '"':
		if !r.hereString(c) {
			r.quoted(c)
		}
	case ' ', '\t', '\r':
		r.endWord()
	case '#':
		if r.inWord {
			r.add("#")
			return
		}
		if i := strings.IndexByte(r.text[r.at:], '\n'); i >= 0 {
			r.at += i
		} else {
			r.at = len(r.text)
		}
	case '(':
		isSubstitution := strings.HasSuffix(r.part, "$")
		if !isSubstitution || !r.arithmetic() && !r.substitute(r.at-1, 0) {
			r.end("(")
		}
	case '{', '}':
		if r.inWord || c == '{' && r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) < 0 {
			r.add(string(c)) // {} and {a,b} are words
			return
		}
		r.end(string(c))
	case '\n', ';', ')':
		r.end(string(c))
		if c == '\n' {
			r.documents()
		}
	case '|', '&':
		r.operator(c)
	case '<', '>':
		if strings.HasPrefix(r.text[r.at:], "(") { // <(…) is a word
			r.at++
			if r.substitute(r.at-2, 0) {
				return
			}
			r.at--
		}
		r.redirection(c)
	case '$':
		if strings.HasPrefix(r.text[r.at:], "'") {
			r.escaped()
			return
		}
		r.add("$")
	default:
		start := r.at - 1
		r.at += plainLength(r.text[r.at:])
		r.add(r.text[start:r.at])
	}
}

// plainLength returns the length of the beginning of a text that belongs to one word.
func plainLength(text string) int {
	for i := range len(text) {
		switch text[i] {
		case '$':
			if strings.HasPrefix(text[i:], "$'") {
				return i
			}
		case '\\', '\'', '"', ' ', '\t', '\r', '#', '\n', ';', '(', ')', '{', '}', '|', '&', '<', '>':
			return i
		}
	}
	return len(text)
}

// operator reads |, ||, |&, &&, &, and redirections that begin with &.
func (r *shellReader) operator(c byte) {
	if c == '&' && strings.HasPrefix(r.text[r.at:], ">") {
		r.redirection(c)
		return
	}
	op := string(c)
	if r.at < len(r.text) && (r.text[r.at] == c || c == '|' && r.text[r.at] == '&') {
		op += r.text[r.at : r.at+1]
		r.at++
	}
	r.end(op)
}

// quoted reads up to the closing quote.
func (r *shellReader) quoted(quote byte) {
	special := `"\$`
	if quote == '\'' {
		special = "'"
	}
	r.literal = true
	for r.add(""); r.at < len(r.text); {
		n := strings.IndexAny(r.text[r.at:], special)
		if n < 0 {
			r.add(r.text[r.at:])
			r.at = len(r.text)
			return
		}
		r.add(r.text[r.at : r.at+n])
		c := r.text[r.at+n]
		switch r.at += n + 1; {
		case c == quote:
			return
		case c == '\\' && r.at < len(r.text) && strings.IndexByte("\"\\$`\n", r.text[r.at]) >= 0:
			if r.text[r.at] != '\n' {
				r.add(r.text[r.at : r.at+1])
			}
			r.at++
		case c == '$' && strings.HasPrefix(r.text[r.at:], "("):
			r.at++
			if r.add("$"); r.arithmetic() {
				continue
			}
			if r.substitute(r.at-1, quote) {
				return
			}
			r.add("(")
		default:
			r.add(r.text[r.at-1 : r.at])
		}
	}
}

// escapes are what letters after a backslash stand for.
var escapes = strings.NewReplacer(`\\`, `\`, `\'`, "'", `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r")

// escaped reads the rest of $'…', where a quote may follow a backslash.
func (r *shellReader) escaped() {
	start := r.at + 1
	for r.at = start; r.at < len(r.text) && r.text[r.at] != '\''; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at, len(r.text))
	r.literal = true
	r.add(escapes.Replace(r.text[start:r.at]))
	r.at = min(r.at+1, len(r.text))
}

// add adds a part of a word.
func (r *shellReader) add(part string) {
	r.inWord = true
	if part == "" {
		return
	}
	if r.part != "" {
		if r.word.Len() == 0 {
			r.word.WriteString(r.part)
		}
		r.word.WriteString(part)
	}
	r.part = part
}

// wordSoFar returns the parts of the word.
func (r *shellReader) wordSoFar() string {
	if r.word.Len() > 0 {
		return r.word.String()
	}
	return r.part
}

func (r *shellReader) endWord() {
	word := r.wordSoFar()
	switch {
	case !r.inWord:
	case r.opened:
		r.redirections[len(r.redirections)-1].To, r.opened = word, false
	default:
		r.words = append(r.words, word)
	}
	r.word.Reset()
	r.part, r.inWord, r.literal = "", false, false
}

// end ends a simple command. op is the operator after it.
func (r *shellReader) end(op string) {
	r.endWord()
	if r.opened { // without a file
		r.redirections, r.opened = r.redirections[:len(r.redirections)-1], false
	}
	if len(r.words) > 0 || len(r.redirections) > 0 {
		r.begins()
		l := &r.lists[len(r.lists)-1]
		s := Simple{
			Words: r.words, Piped: op == "|" || op == "|&", Folders: l.folders, Redirections: r.redirections,
			Unsure: l.mayNotRun(r.words) || r.left, after: l.after,
		}
		r.left = r.left || exits(r.words)
		l.ran(r.words, op)
		if to := folderOf(r.words); to != "" {
			l.folders = append(slices.Clip(l.folders), to)
		}
		switch op {
		case "&&":
			s.Then = And
		case "||":
			s.Then = Or
		case ";", "\n":
			s.Then = Ends
		}
		for i := range r.docs {
			if r.docs[i].of < 0 {
				r.docs[i].of = len(r.all)
			}
		}
		r.all = append(r.all, s)
		r.words, r.redirections = nil, nil
	} else if op == "\n" && (strings.HasPrefix(r.op, "&&") || strings.HasPrefix(r.op, "|")) {
		return // the command goes on in the next line
	}
	r.op = op
	r.operate(op)
}
