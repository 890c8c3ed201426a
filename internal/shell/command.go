package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"viewer/internal/words"
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

// Layers yields a simple command, then what is left of it when words before its program are removed: "sudo env A=1 npm
// test", "env A=1 npm test", "npm test". Programs are named without their folder.
func Layers(words []string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for range maxLayers {
			words = unassigned(words)
			if len(words) == 0 {
				return
			}
			named := append([]string{base(words[0])}, words[1:]...)
			if !yield(named) {
				return
			}
			if words = unwrapped(words); words == nil {
				return
			}
		}
	}
}

// maxLayers limits the wrappers that are removed from a command.
const maxLayers = 10

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

// wrappers are programs that run the command after their options.
var wrappers = words.Set(`sudo doas pkexec run0 env time nice nohup command exec timeout gtimeout xvfb-run then do else if !
	npx bunx pnpx uvx winpty caffeinate stdbuf ionice corepack rtk`)

// ownWords is the number of arguments of a wrapper before the command.
var ownWords = map[string]int{"timeout": 1, "gtimeout": 1}

// wrapperValues are options of wrappers and runners whose value is the next word.
var wrapperValues = words.Set(`sudo+-u sudo+-g sudo+-D nice+-n timeout+-k timeout+-s gtimeout+-k gtimeout+-s env+-u env+-C
	time+-f time+-o ionice+-c ionice+-n npx+-p npx+--package xvfb-run+-s xvfb-run+-n conda+-n conda+-p`)

// runners are pairs of words that run the command after them.
var runners = words.Set(`uv+run poetry+run pipenv+run pdm+run hatch+run rye+run bundle+exec pnpm+exec pnpm+dlx yarn+exec
	npm+exec yarn+dlx mise+exec mise+x asdf+exec dotenv+run direnv+exec conda+run nix+develop python+-m python3+-m py+-m
	bun+x php+artisan go+tool rtk+err rtk+test rtk+proxy rtk+summary`)

// program returns a simple command without assignments, redirections and wrappers before its program.
func program(words []string) []string {
	for range maxLayers {
		words = unassigned(words)
		if len(words) == 0 {
			return nil
		}
		rest := unwrapped(words)
		if rest == nil {
			break
		}
		words = rest
	}
	return append([]string{base(words[0])}, words[1:]...)
}

// unassigned removes the assignments before a program.
func unassigned(words []string) []string {
	for len(words) > 0 && isAssignment(words[0]) {
		words = words[1:]
	}
	return words
}

// unwrapped removes a wrapper or a runner. It returns nil if there is none.
func unwrapped(words []string) []string {
	name := base(words[0])
	switch {
	case len(words) > 2 && runners[name+" "+words[1]]:
		return withoutOptions(words[2:], name, 0)
	case name == "command" && len(words) > 1 && (words[1] == "-v" || words[1] == "-V"): // it only looks for a program
		return nil
	case len(words) > 1 && wrappers[name]:
		return withoutOptions(words[1:], name, ownWords[name])
	}
	return nil
}

// withoutOptions removes options of a wrapper, and then a number of words that belong to it.
func withoutOptions(words []string, wrapper string, own int) []string {
	for len(words) > 1 && (strings.HasPrefix(words[0], "-") || own > 0) {
		switch {
		case len(words) > 2 && wrapperValues[wrapper+" "+words[0]]:
			words = words[1:]
		case !strings.HasPrefix(words[0], "-"):
			own--
		}
		words = words[1:]
	}
	return words
}

func base(program string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
}

// isAssignment reports whether a word sets a variable: NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	for i, r := range name {
		if r != '_' && !(r < 128 && unicode.IsLetter(r)) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// Runs reports whether a simple command begins with some words. Options of its program are ignored.
func Runs(words []string, want ...string) bool {
	_, ok := BeginsWith(words, want)
	return ok
}

// BeginsWith compares the first words of a simple command, without options, with the wanted ones and returns those that
// matched. A wanted word that ends with "*" matches all words that begin with it.
func BeginsWith(words, want []string) (string, bool) {
	var matched []string
	for n, w := range words {
		i := len(matched)
		if i == len(want) {
			break
		}
		start, open := strings.CutSuffix(want[i], "*")
		switch {
		case w == start, open && strings.HasPrefix(w, start):
			matched = append(matched, w)
		case i > 0 && (strings.HasPrefix(w, "-") || takesValue[words[n-1]]):
		default:
			return "", false
		}
	}
	return strings.Join(matched, " "), len(matched) == len(want)
}

// takesValue are options before a subcommand whose value is the next word.
var takesValue = words.Set(`-C -c --git-dir --work-tree -R --repo --prefix --filter --dir --cwd -w --workspace
	--manifest-path -p --package --project-directory -f --permission-mode`)
