package highlight

import "strings"

// A word is a name with its classes.
type word struct {
	text  string
	class byte
	next  byte // class of the name that follows
}

// A wordTable finds words by a part of them. It is a third of the cost of a map.
type wordTable struct {
	slots   []word // a power of two, at most a quarter in use
	longest int
}

func (t *wordTable) add(lists []wordList) {
	n := 0
	for _, l := range lists {
		n += strings.Count(l.words, " ") + 1
	}
	size := 64
	for size < 4*n {
		size *= 2
	}
	t.slots = make([]word, size)
	for _, l := range lists {
		for text := range strings.FieldsSeq(l.words) {
			i := t.slot(text)
			for t.slots[i].text != "" && t.slots[i].text != text {
				i = (i + 1) & (size - 1)
			}
			if t.slots[i].text == "" { // the first list has it
				t.slots[i] = word{text, l.class, l.next}
				t.longest = max(t.longest, len(text))
			}
		}
	}
}

func (t *wordTable) slot(s string) int {
	n := len(s)
	h := uint32(s[0])*31 + uint32(s[n-1])*257 + uint32(s[n/2])*1031 + uint32(n)*8191
	return int((h ^ h>>7) & uint32(len(t.slots)-1))
}

func (t *wordTable) find(s string) (word, bool) {
	if len(s) == 0 || len(s) > t.longest {
		return word{}, false
	}
	for i := t.slot(s); ; i = (i + 1) & (len(t.slots) - 1) {
		if w := &t.slots[i]; w.text == s {
			return *w, true
		} else if w.text == "" {
			return word{}, false
		}
	}
}

func newWordTable(lists ...wordList) *wordTable {
	t := new(wordTable)
	t.add(lists)
	return t
}
