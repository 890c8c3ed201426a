package shell

import "strings"

// maxDeep limits how many commands may be around one whose output is a part of them.
const maxDeep = 20

// substitute begins the commands of "$(…)", "<(…)" or ">(…)". The text from start on is a part of a word of the command
// around them, which resume goes on with. It returns false if they are too deep.
func (r *shellReader) substitute(start int, quote byte) bool {
	if len(r.outer) == maxDeep {
		return false
	}
	r.start, r.quote, r.before = start, quote, r.wordSoFar()
	r.outer = append(r.outer, r.unfinished)
	r.unfinished = unfinished{}
	r.word.Reset()
	r.part = ""
	r.enter('$')
	return true
}

// resume goes on with the command around the one that ended.
func (r *shellReader) resume() {
	r.unfinished = r.outer[len(r.outer)-1]
	r.outer = r.outer[:len(r.outer)-1]
	r.word.Reset()
	r.part, r.closed = r.before, -1
	if r.add(r.text[r.start:r.at]); r.quote != 0 {
		r.quoted(r.quote)
	}
}

// maxArithmetic limits the length of arithmetic.
const maxArithmetic = 200

// arithmetic adds the rest of "((…))" to the word. It returns false if the text is none.
func (r *shellReader) arithmetic() bool {
	depth := 0
	for i, c := range []byte(r.text[r.at:min(len(r.text), r.at+maxArithmetic)]) {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		end := r.at + i + 1
		if i == 0 || !strings.HasPrefix(r.text[end:], ")") {
			return false
		}
		r.add(r.text[r.at-1 : end+1])
		r.at = end + 1
		return true
	}
	return false
}
