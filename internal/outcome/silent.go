package outcome

import (
	"slices"
	"strings"

	"viewer/internal/words"
)

// onlyLists reports whether a command lists the files that are not formatted, and succeeds whether there are some or
// none.
func onlyLists(words []string) bool {
	return (words[0] == "gofmt" || words[0] == "goimports") && !slices.Contains(words, "-w") &&
		(slices.Contains(words, "-l") || slices.Contains(words, "-d"))
}

// silentPrograms print only what is wrong.
var silentPrograms = words.Set("gofmt goimports go+build go+install go+vet tsc")

// keepLines are programs that pass on lines. grep does so with -v.
var keepLines = words.Set("head tail cat tee sort uniq grep")

// silent returns how a check ended that prints only what is wrong, if all its lines are in the output and tell it.
func (r *reading) silent(i int) Verdict {
	if !silentPrograms[r.names[i]] || r.call.Script { // which may not print the output
		return Unclear
	}
	for j := i; j < len(r.commands); j++ {
		s := &r.commands[j]
		if s.Quiet || j > i && (!keepLines[s.Words[0]] || s.Words[0] == "grep" && !slices.Contains(s.Words, "-v")) {
			return Unclear
		}
		if !s.Piped {
			break
		}
	}
	start, end, first, last := r.part(i)
	v := Green
	for line := range strings.Lines(r.output[start:end]) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case faultOf(r.names[i], line):
			v = Red
		case v == Green && !saysNothing().MatchString(line):
			v = Unclear
		}
	}
	for j := first; j <= last && v == Red; j++ {
		if j != i && silentPrograms[r.names[j]] {
			return Unclear // which one?
		}
	}
	return v
}

// faultOf reports whether a program prints a line only about something wrong.
func faultOf(program, line string) bool {
	switch program {
	case "gofmt", "goimports":
		return listedFile().MatchString(line) || goFault().MatchString(line)
	case "go build", "go install":
		return goFault().MatchString(line) && !strings.Contains(line, "_test.go:")
	case "go vet":
		return goFault().MatchString(line)
	}
	return false
}

var (
	// listedFile matches the name of a Go file in a line of its own, and the beginning of its diff.
	listedFile = expression(`^(?:[^\s:]+\.go|diff \S*\.go(?:\.orig)? \S+)$`)

	// goFault matches what is wrong at a place of a Go file.
	goFault = expression(`^(?:vet: )?[^\s:]+\.go:[0-9]+:[0-9]+: `)

	// saysNothing matches lines that are not about something wrong, or results of tests.
	saysNothing = expression(`^\s*$|^# |^go: downloading |: warning: |^\(Bash completed with no output\)$` +
		`|^Shell cwd was reset to |^(?:ok|FAIL|\?)\s|^(?:PASS|FAIL)$|^\s*(?:---|===) `)
)
