package highlight

import "strings"

// Files that hold commands of the shell: Dockerfiles and makefiles.

var dockerWords = newWordTable(wordList{class: 'k', words: "from maintainer run cmd label expose env add copy " +
	"entrypoint volume user workdir arg onbuild stopsignal healthcheck shell"})

// scanDocker reads instructions. Their lines go on after a backslash; what
// RUN and its like have is shell.
func scanDocker(src string, emit func(class byte, end int)) {
	shell := scanners["bash"]
	for i := 0; i < len(src); {
		end := logicalLine(src, i)
		at := i
		for at < end && src[at] <= ' ' {
			at++
		}
		word := at
		for word < end && src[word]|0x20 >= 'a' && src[word]|0x20 <= 'z' {
			word++
		}
		name := strings.ToLower(src[at:word])
		w, ok := dockerWords.find(name)
		switch {
		case at < end && src[at] == '#':
			if n := strings.IndexByte(src[at:end], '\n'); n >= 0 {
				end = at + n
			}
			emit(0, at)
			emit('c', end)
		case ok:
			emit(0, at)
			emit(w.class, word)
			switch name {
			case "from", "expose", "workdir", "user", "stopsignal", "maintainer", "volume":
				dockerNames(src, word, end, emit)
			default:
				scan := shell
				if strings.HasPrefix(strings.TrimLeft(src[word:end], " "), "[") {
					scan = scanJSON
				}
				scan(src[word:end], func(class byte, n int) { emit(class, word+n) })
			}
		case at < end:
			shell(src[at:end], func(class byte, n int) { emit(class, at+n) })
		}
		emit(0, end)
		i = max(end, i+1)
	}
}

// dockerNames classes what follows FROM: an image, AS, a name.
func dockerNames(src string, i, end int, emit func(class byte, end int)) {
	for i < end {
		for i < end && src[i] <= ' ' {
			i++
		}
		start := i
		for i < end && src[i] > ' ' {
			i++
		}
		emit(0, start)
		if strings.EqualFold(src[start:i], "as") {
			emit('k', i)
		} else {
			emit('s', i)
		}
	}
}

// logicalLine is the end of the line at i, with the lines that a backslash, or
// a heredoc of a Dockerfile, adds to it.
func logicalLine(src string, i int) int {
	start := i
	for {
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			return len(src)
		}
		i += n + 1
		if trimmed := strings.TrimRight(src[start:i-1], " \t"); !strings.HasSuffix(trimmed, `\`) {
			break
		}
		start = i
	}
	return i
}

var makeWords = newWordTable(wordList{class: 'k', words: "ifeq ifneq ifdef ifndef else endif include define endef " +
	"export unexport override vpath -include sinclude private"})

// scanMake reads rules, their recipes as shell, and variables.
func scanMake(src string, emit func(class byte, end int)) {
	shell := scanners["bash"]
	for i := 0; i < len(src); {
		end := logicalLine(src, i)
		line := src[i:end]
		text := strings.TrimLeft(line, " \t")
		at := end - len(text)
		switch {
		case strings.TrimSpace(text) == "":
		case line[0] == '\t':
			at = i + 1
			for at < end && strings.IndexByte("@-+", src[at]) >= 0 {
				at++
			}
			shell(src[at:end], func(class byte, n int) { emit(class, at+n) })
		case text[0] == '#':
			emit(0, at)
			emit('c', end)
		default:
			word := at
			for word < end && src[word] > ' ' {
				word++
			}
			if _, ok := makeWords.find(src[at:word]); ok {
				emit(0, at)
				emit('k', word)
				at = word
			}
			makeLine(src, at, end, emit)
		}
		emit(0, end)
		i = end
	}
}

// makeLine reads "name := value" and "target: sources".
func makeLine(src string, i, end int, emit func(class byte, end int)) {
	for i < end && src[i] == ' ' {
		i++
	}
	from, plain := i, true
	for ; i < end; i++ {
		switch c := src[i]; {
		case c == '$':
			i = makeVariable(src, i, end, emit) - 1
			plain = false
		case c == '#':
			emit(0, i)
			emit('c', end)
			return
		case isMakeAssignment(src[i:end]):
			makeText(src, i, end, emit)
			return
		case c == ':':
			if plain {
				emit(0, from)
				emit('f', i)
			}
			makeText(src, i, end, emit)
			return
		case c == '"' || c == '\'':
			i = makeString(src, i, end, emit) - 1
			plain = false
		}
	}
}

// isMakeAssignment tells "=", ":=", "::=", "?=", "+=" and "!=".
func isMakeAssignment(s string) bool {
	if strings.HasPrefix(s, "::=") {
		return true
	}
	return s[0] == '=' || strings.IndexByte(":?+!", s[0]) >= 0 && len(s) > 1 && s[1] == '='
}

// makeText reads variables, strings and a comment.
func makeText(src string, i, end int, emit func(class byte, end int)) {
	for i < end {
		switch c := src[i]; c {
		case '$':
			i = makeVariable(src, i, end, emit)
		case '#':
			if src[i-1] == '\\' {
				i++
				break
			}
			emit(0, i)
			emit('c', end)
			return
		case '"', '\'':
			i = makeString(src, i, end, emit)
		default:
			i++
		}
	}
}

// makeString reads the string at i, with the variables in it, and returns its
// end.
func makeString(src string, i, end int, emit func(class byte, end int)) int {
	stop := min(jsonString(src, i), end)
	emit(0, i)
	for ; i < stop; i++ {
		if src[i] == '$' && i+1 < stop && (src[i+1] == '(' || src[i+1] == '{') {
			emit('s', i)
			i = makeVariable(src, i, stop, emit) - 1
		}
	}
	emit('s', stop)
	return stop
}

// makeVariable reads "$(", "${" or "$@" and what closes the former.
func makeVariable(src string, i, end int, emit func(class byte, end int)) int {
	if i+1 >= end {
		return i + 1
	}
	if c := src[i+1]; c != '(' && c != '{' {
		emit(0, i)
		emit('k', i+2)
		return i + 2
	}
	emit(0, i)
	emit('k', i+2)
	depth := 1
	for i += 2; i < end; i++ {
		switch src[i] {
		case '"', '\'':
			// The name of a variable has none: these are arguments of a function.
			stop := min(jsonString(src, i), end)
			if strings.IndexByte(src[i:stop], '$') < 0 && stop < end {
				emit(0, i)
				emit('s', stop)
				i = stop - 1
			}
		case '(', '{':
			depth++
			if src[i-1] == '$' {
				emit(0, i-1)
				emit('k', i+1)
			}
		case ')', '}':
			depth--
			emit(0, i)
			emit('k', i+1)
			if depth == 0 {
				return i + 1
			}
		}
	}
	return end
}
