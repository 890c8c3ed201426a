// Package highlight finds keywords, strings, comments and so on in source code. It never makes HTML.
//
// The most common languages have scanners here (lang_*.go, 450 MB/s; to add one, see grammar.go). All others are read
// by the lexers of chroma (chroma.go, 6 MB/s). Their rules are used with a matcher that counts steps (engine.go,
// match.go), since chroma's own has a time limit, and pages would depend on how busy the machine is. A lexer is made on
// first use, and each goroutine has its own set. A block above the maximum of bytes or steps has no classes. If a
// scanner panics, the rest of its block has no classes. Such panics are counted ([Recovered]) and fail tests.
//
// The input is hostile. The time is proportional to the input, and the same input has the same classes on every
// machine.
//
// The package does no I/O, reads no clock, starts no goroutine and imports nothing of this module. Its functions may be
// called from several goroutines.
//
// # Classes
//
// A class is one letter; names, operators, punctuation and blanks have none (0):
//
//	k keyword, tag       c comment                  h heading, hunk header
//	s string             p preprocessor, decorator  i inserted line
//	n number, literal    f function name            d deleted line
//	t type, builtin
package highlight

import "sync/atomic"

// A scanner finds the classes of src in order. It calls emit(class, end) for each part of src: the part begins at the
// end of the one before and has the class, 0 for none. Ends never decrease. Text after the last end has no class.
type scanner func(src string, emit func(class byte, end int))

// A Language is a programming language, or any other format of text.
type Language struct{ scan scanner }

// Spans yields the classes of src, which must be UTF-8 with "\n" as line ends: src[start:end] has the class. The spans
// are in order, cover src, and are as long as possible.
func (l *Language) Spans(src string, span func(class byte, start, end int)) {
	j := joiner{src: src, span: span}
	j.run(l.scan)
	j.flush()
	if j.end < len(src) {
		span(0, j.end, len(src))
	}
}

// recovered counts the panics of scanners.
var recovered atomic.Int64

// Recovered returns how often a scanner or a lexer of chroma panicked. The rest of the text then has no class. It is
// for tests, which fail unless it is 0.
func Recovered() int64 { return recovered.Load() }

// A joiner passes on the tokens of a scanner. It joins neighbours of the same class, with the blanks between them.
type joiner struct {
	src  string
	span func(class byte, start, end int)

	class     byte // of src[start:stop], which is not passed on yet
	start     int
	stop, end int // src[stop:end] has blanks that may belong to it
}

// run passes on the spans of src. If the scanner panics, the rest of src has no class.
func (j *joiner) run(scan scanner) {
	defer func() {
		if recover() != nil {
			recovered.Add(1)
		}
	}()
	if j.src != "" {
		scan(j.src, func(class byte, end int) { j.emit(class, min(end, len(j.src))) })
	}
}

func (j *joiner) emit(class byte, end int) {
	switch {
	case end <= j.end:
	case class == j.class:
		j.stop, j.end = end, end
	case class == 0 && blank(j.src[j.end:end]):
		j.end = end
	default:
		from := j.stop
		if class != 0 || from == j.end {
			j.flush()
			from = j.end
		} else {
			j.span(j.class, j.start, j.stop)
		}
		j.class, j.start, j.stop, j.end = class, from, end, end
	}
}

// flush passes on everything that the scanner emitted.
func (j *joiner) flush() {
	if j.start < j.stop {
		j.span(j.class, j.start, j.stop)
	}
	if j.stop < j.end {
		j.span(0, j.stop, j.end)
	}
	j.class, j.start, j.stop = 0, j.end, j.end
}

// blank reports whether s has only spaces and no line end.
func blank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}
