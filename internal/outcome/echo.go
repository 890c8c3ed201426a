package outcome

import (
	"slices"
	"strings"

	"viewer/internal/shell"
)

// An echo is a line of the output that a command of the call printed: echo "=== tests ===".
type echo struct{ command, start, end int }

// findEchoes finds what echo printed. A text that is missing does not hide those of later commands.
func (r *reading) findEchoes() {
	texts, last := make([]string, len(r.commands)), make(map[string]int) // where the last line with a text begins
	for i, s := range r.commands {
		if text := echoed(r.commands, i); !s.Piped && text != "" {
			texts[i], last[text] = text, -1
		}
	}
	if len(last) == 0 {
		return
	}
	at := 0
	for line := range strings.Lines(r.output) {
		text := strings.TrimSpace(line)
		if _, ok := last[text]; ok {
			last[text] = at
		}
		at += len(line)
	}
	at = 0
	for i, text := range texts {
		if text != "" && last[text] >= at {
			start := lineWith(r.output, text, at)
			at = start + len(text)
			r.echoes = append(r.echoes, echo{i, start, at})
		}
	}
}

// told returns what the next command says about a check: && echo OK || echo FAILED, ; echo "exit: $?".
func (r *reading) told(i int) Verdict {
	if r.repeats() {
		return Unclear
	}
	s, next := &r.commands[i], i+1
	for s.Piped && r.commands[next-1].Piped && next < len(r.commands) {
		next++
	}
	switch {
	case s.Piped && r.commands[next-1].Then == shell.Ends && (i == 0 || !r.commands[i-1].Piped):
		return r.exitCode(next, "${PIPESTATUS[0]}", "${pipestatus[1]}")
	case s.Then == shell.Ends:
		return r.exitCode(next, "$?", "${?}")
	case s.Then == shell.Or && r.prints(next):
		return Red
	case s.Then == shell.And && r.prints(next):
		return Green
	case s.Then == shell.And && echoed(r.commands, next) != "" && r.commands[next].Then == shell.Or && r.prints(next+1):
		return Red
	}
	return Unclear
}

// exitCode returns what the echo of an exit code says. Several commands may echo the same text, and programs may print
// such lines, too.
func (r *reading) exitCode(command int, variables ...string) Verdict {
	text := echoed(r.commands, command)
	for _, variable := range variables {
		before, after, ok := strings.Cut(text, variable)
		if !ok || strings.ContainsAny(before+after, "$`") {
			continue
		}
		codes := r.codesIn(strings.TrimLeft(before, " "), strings.TrimRight(after, " "))
		at, echoes := 0, 0
		for i := range r.commands {
			if echoed(r.commands, i) == text {
				if i < command {
					at++
				}
				echoes++
			}
		}
		switch {
		case len(codes) == echoes:
			return codes[at]
		case len(codes) > 0 && !slices.Contains(codes, Red):
			return Green
		case len(codes) > 0 && !slices.Contains(codes, Green):
			return Red
		}
	}
	return Unclear
}

// maxEchoes is how many different texts with an exit code are looked for in an output.
const maxEchoes = 20

// codesIn returns the meanings of the exit codes between two texts on lines of their own.
func (r *reading) codesIn(before, after string) []Verdict {
	key := before + "$" + after
	codes, known := r.codes[key]
	if known || len(r.codes) == maxEchoes {
		return codes
	}
	r.readOutput()
	for line := range strings.Lines(r.output) {
		code, ok := strings.CutPrefix(strings.TrimSpace(line), before)
		code, isSame := strings.CutSuffix(code, after)
		switch {
		case !ok || !isSame || code == "" || strings.Trim(code, "0123456789") != "":
		case code == "0":
			codes = append(codes, Green)
		default:
			codes = append(codes, Red)
		}
	}
	r.codes[key] = codes
	return codes
}

// prints reports whether the output has what a command echoes.
func (r *reading) prints(command int) bool {
	r.readOutput()
	return slices.ContainsFunc(r.echoes, func(e echo) bool { return e.command == command })
}

// echoed returns what a command prints if it is an echo of one line, "" for none.
func echoed(commands []shell.Simple, i int) string {
	if i >= len(commands) || commands[i].Words[0] != "echo" {
		return ""
	}
	words := commands[i].Words[1:]
	for len(words) > 0 && (words[0] == "-e" || words[0] == "-n") {
		words = words[1:]
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(words, " "), `\n`, "\n"))
}

// lineWith returns where a text begins that is a line of its own, from an offset on. There is one.
func lineWith(output, text string, from int) int {
	for line := range strings.Lines(output[from:]) {
		if strings.TrimSpace(line) == text {
			return from + strings.Index(line, text)
		}
		from += len(line)
	}
	return -1
}

// part returns where the output has what a command printed, as far as echo tells, and the commands between the same two
// echoes.
func (r *reading) part(i int) (start, end, first, last int) {
	r.readOutput()
	start, end, first, last = 0, len(r.output), 0, len(r.commands)-1
	for _, e := range r.echoes {
		if e.command < i {
			start, first = e.end, e.command+1
		} else if e.command > i {
			end, last = e.start, e.command-1
			break
		}
	}
	return start, end, first, last
}
