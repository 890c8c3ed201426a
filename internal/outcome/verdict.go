package outcome

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/shell"
	"viewer/internal/tools"
)

// A reading of a call that ran commands finds how its checks ended.
type reading struct {
	call     tools.Shell
	commands []shell.Simple
	kinds    []CheckKind // of each command
	names    []string    // of each check, "" for other commands
	formats  []bool      // whether each command only formats files

	output  string
	cut     bool            // parts of the output may be missing
	echoes  []echo          // what echo printed between the commands, in order
	read    bool            // the output was read, with all before
	scripts map[string]bool // that runners name in the output, see scriptsIn; nil before they are read

	// what was read in the output so far
	says  map[passage]Verdict
	codes map[string][]Verdict // exit codes, by the text that commands echo
}

// A passage is a part of the output that is read for the results of one kind of program.
type passage struct {
	start, end int
	of         result
}

func newReading(call tools.Shell) *reading {
	r := &reading{
		call: call, commands: shell.Commands(call.Text()), says: make(map[passage]Verdict),
		codes: make(map[string][]Verdict),
	}
	r.kinds, r.names = make([]CheckKind, len(r.commands)), make([]string, len(r.commands))
	r.formats = make([]bool, len(r.commands))
	for i, s := range r.commands {
		if kind, name, ok := checkOf(s.Words); ok {
			r.kinds[i], r.names[i], r.formats[i] = kind, name, onlyFormats(name, s.Words)
		}
	}
	return r
}

// verdict returns how a check ended, and whether it ran. The exit code of the call is that of its last command. It
// counts for the check if no other command could hide how the check ended, and if the check was not stopped at a time
// limit. Otherwise the output decides.
func (r *reading) verdict(i int) (v Verdict, ran bool) {
	s := &r.commands[i]
	failed, known := r.call.Failed()
	switch {
	case r.call.Runs():
		return Unclear, true
	case onlyLists(s.Words):
		return r.silent(i), true
	case known && !failed && !s.Piped && !s.Saved:
		return Green, true
	case known && failed && r.skipped(i):
		return Unclear, false
	case known && failed && i == len(r.commands)-1 && !r.call.TimedOut():
		return r.lastFailed(i), true
	case r.reached(i):
		return Green, true
	}
	v = cmp.Or(r.told(i), r.printed(i))
	if v == Unclear && !failed {
		v = r.silent(i)
	}
	return v, true
}

// lastFailed returns how the last command of a call that failed ended. If && joins it with a check before it, that may
// have failed instead.
func (r *reading) lastFailed(i int) Verdict {
	isShared := false
	for j := i; j > 0 && r.commands[j-1].Then == shell.And; j-- {
		isShared = isShared || r.names[j-1] != ""
	}
	if !isShared || r.shown(i) {
		return Red
	}
	return Unclear
}

// skipped reports whether a check did not run: && joins it with one before it that says that it failed, or its runner
// does not name it.
func (r *reading) skipped(i int) bool {
	if i == 0 || r.commands[i-1].Then != shell.And || r.shown(i) {
		return false
	}
	if r.unnamed(i) {
		return true
	}
	for j := i; j > 0 && r.commands[j-1].Then == shell.And; j-- {
		if r.names[j-1] != "" && r.printed(j-1) == Red {
			return true
		}
	}
	return false
}

// unnamed reports whether the runner of a check that && joins with a command before it does not name it.
func (r *reading) unnamed(i int) bool {
	named, ok := r.named(i)
	return ok && !named && i > 0 && r.commands[i-1].Then == shell.And
}

// reached reports whether the output shows that a check after a command, joined with it by &&, ran. So the command
// succeeded.
func (r *reading) reached(i int) bool {
	for ; i+1 < len(r.commands) && r.commands[i].Then == shell.And; i++ {
		if r.names[i+1] != "" && r.shown(i+1) {
			return true
		}
	}
	return false
}

// shown reports whether the output shows that a check ran.
func (r *reading) shown(i int) bool {
	named, _ := r.named(i)
	return named || r.printed(i) != Unclear
}

// named reports whether the output has the line by which a runner names a script before it runs. ok is false if the
// runner of a check writes no such line, or the output may lack it.
func (r *reading) named(i int) (named, ok bool) {
	s := &r.commands[i]
	runner, script, _ := strings.Cut(r.names[i], " ")
	isQuiet := func(word string) bool { return word == "-s" || word == "-q" || word == "--silent" || word == "--quiet" }
	if runner != "npm" && runner != "pnpm" && runner != "mise" || s.Piped || s.Quiet ||
		slices.ContainsFunc(s.Words, isQuiet) {
		return false, false
	}
	r.readOutput()
	if r.scripts == nil {
		r.scripts = scriptsIn(r.output)
	}
	named = r.scripts[strings.TrimPrefix(runner, "p")+" "+strings.TrimPrefix(script, "run ")]
	return named, named || !r.cut
}

// scriptsIn returns the scripts that npm, pnpm and mise name in an output: "npm lint" for "> tide@1.0.0 lint",
// "mise lint" for "[lint] $ golangci-lint run".
func scriptsIn(output string) map[string]bool {
	all := make(map[string]bool)
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		switch {
		case len(words) < 3:
		case words[0] == ">" && strings.Contains(words[1][1:], "@"):
			all["npm "+words[2]] = true
		case words[0][0] == '[' && words[1] == "$":
			all["mise "+strings.TrimSuffix(words[0][1:], "]")] = true
		}
	}
	return all
}

// maxOutput is how many bytes at the end of an output are read for several checks.
const maxOutput = 256 << 10

// repeats reports whether the call has a loop, so that one command may print a text several times.
func (r *reading) repeats() bool {
	return slices.ContainsFunc(r.commands, func(s shell.Simple) bool { return s.Words[0] == "done" })
}

// readOutput reads the output, and finds in it what echo printed.
func (r *reading) readOutput() {
	if r.read {
		return
	}
	r.read, r.output = true, lastOf(r.call.Output(), maxOutput)
	r.cut = len(r.output) == maxOutput || strings.Contains(r.output, "truncated") ||
		strings.Contains(r.output, "omitted")
	if !r.repeats() {
		r.findEchoes()
	}
}

// printed returns what the output says about a check. The output of several checks only counts for one of them if its
// own kind of program prints such texts.
func (r *reading) printed(i int) Verdict {
	start, end, first, last := r.part(i)
	failed, _ := r.call.Failed()
	isAlone := true
	of := resultOf(r.kinds[i], false)
	for j, name := range r.names {
		if name == "" || name == r.names[i] || r.formats[j] && !failed || failed && j > i && r.unnamed(j) {
			continue
		}
		isAlone = false
		switch {
		case j < first || j > last:
		case r.formats[j]: // it may have failed, and its error reads like that of any program
			of = resultOf(r.kinds[i], true)
		case r.kinds[j] == r.kinds[i]:
			return Unclear
		case r.kinds[j] != Test:
			of = resultOf(r.kinds[i], true)
		}
	}
	if !isAlone {
		return r.printedIn(passage{start, end, of})
	}
	return cmp.Or(r.printedIn(passage{start, end, anyResult}), r.printedIn(passage{0, len(r.output), anyResult}))
}

// printedIn returns what a passage of the output says. Many checks may share it.
func (r *reading) printedIn(p passage) Verdict {
	v, known := r.says[p]
	if !known {
		v = printedVerdict(r.output[p.start:p.end], p.of)
		r.says[p] = v
	}
	return v
}

// onlyFormats reports whether a check only formats files. It prints no result.
func onlyFormats(name string, words []string) bool {
	checks := func(word string) bool { return strings.Contains(word, "check") || word == "-l" || word == "-d" }
	return (strings.Contains(name, "fmt") || strings.Contains(name, "format")) && !slices.ContainsFunc(words, checks)
}
