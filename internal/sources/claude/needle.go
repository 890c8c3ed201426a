package claude

import (
	"bytes"
	"strings"
)

// A needle is a text to find in logs. Those that are looked for begin with a
// quotation mark, as do half of all words there, which makes bytes.Index compare
// at every byte: a needle is looked for by that of its bytes which is the rarest.
type needle struct {
	text []byte
	rare int // the place of that byte
}

// often are the bytes of logs, the most frequent first; all others are rare.
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

// in is bytes.Index.
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
