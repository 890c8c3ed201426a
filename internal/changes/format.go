package changes

import "strings"

// stripped returns a text without white space.
func stripped(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\n', '\r':
			return -1
		}
		return r
	}, s)
}

// keepWords keeps the writers of the text of lines that were replaced by lines that differ only in white space.
func keepWords(old, new []entry) {
	if len(old) == 0 || len(new) == 0 {
		return
	}
	if joined(old) == joined(new) {
		keepByPlace(old, new)
		return
	}
	same := make(map[string]Writer)
	for _, e := range old {
		if text := stripped(e.text); text != "" {
			if was, twice := same[text]; twice && was != e.words {
				same[text] = Unknown
				continue
			}
			same[text] = e.words
		}
	}
	for i := range new {
		if words, known := same[stripped(new[i].text)]; known {
			new[i].words = words
		}
	}
}

func joined(lines []entry) string {
	var b strings.Builder
	for _, e := range lines {
		b.WriteString(stripped(e.text))
	}
	return b.String()
}

// keepByPlace gives each line the writer of the line that had its text. If these were several, the writer is unknown.
func keepByPlace(old, new []entry) {
	i, left := 0, len(stripped(old[0].text))
	for n := range new {
		writer, known := Unknown, false
		for size := len(stripped(new[n].text)); size > 0; {
			for left == 0 {
				i++
				left = len(stripped(old[i].text))
			}
			if known && writer != old[i].words {
				writer = Unknown
			} else if !known {
				writer, known = old[i].words, true
			}
			took := min(size, left)
			size, left = size-took, left-took
		}
		new[n].words = writer
	}
}
