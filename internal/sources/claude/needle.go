package claude

import (
	"bytes"
	"strings"
)

// A needle is a text to search for in logs. bytes.Index compares wherever the first byte occurs, which for these texts
// is a quotation mark, the most frequent byte of a log. A needle is found by its rarest byte instead.
type needle struct {
	text []byte
	rare int // the index of that byte
}

// often are the most frequent bytes of logs, in order. All other bytes count as rare.
const often = `" etaoinsrlcd,:hup-0m1f2gb/.4358679()wy\vk`

func newNeedle(text string) needle {
	n := needle{text: []byte(text)}
	rank := func(i int) int {
		if at := strings.IndexByte(often, text[i]); at >= 0 {
			return at
		}
		return len(often)
	}
	for i := range text {
		if rank(i) > rank(n.rare) {
			n.rare = i
		}
	}
	return n
}

// in returns what bytes.Index returns.
func (n needle) in(data []byte) int {
	if len(n.text) == 0 {
		return 0
	}
	for from := 0; ; {
		if from+n.rare >= len(data) {
			return -1
		}
		at := bytes.IndexByte(data[from+n.rare:], n.text[n.rare])
		if at < 0 {
			return -1
		}
		from += at
		if bytes.HasPrefix(data[from:], n.text) {
			return from
		}
		from++
	}
}
