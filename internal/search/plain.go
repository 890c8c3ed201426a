package search

// Constants with the same value in each byte.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones // the highest bits
)

// plain returns a text without terminal sequences and control characters.
func plain(s string) string {
	if changed(s) == len(s) {
		return s
	}
	return string(inPlain([]byte(s)))
}

// changed returns the offset of the first character that plain changes, or the length of the text.
func changed[T string | []byte](s T) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := load64(s, i)
		low := x &^ highs
		// Set the highest bit of each byte that is neither a line end nor a tab, and of each that is not a control
		// character.
		other := (low ^ '\n'*ones + 0x7f*ones) & (low ^ '\t'*ones + 0x7f*ones)
		if text := low + 0x60*ones; other&^text&^x&highs != 0 {
			break
		}
	}
	for i < len(s) && (s[i] >= ' ' || s[i] == '\n' || s[i] == '\t') {
		i++
	}
	return i
}

// inPlain is plain, but changes the text in place.
func inPlain(s []byte) []byte {
	i := changed(s)
	b := s[:i]
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == 0x1b:
			i += escape(asText(s[i+1:]))
		case c >= ' ' || c == '\n' || c == '\t':
			b = append(b, c)
		default:
			b = append(b, ' ')
		}
	}
	return b
}

// escape returns the length of a terminal sequence after its first character.
func escape(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[': // up to a letter
		for i := 1; i < len(s); i++ {
			if s[i] >= '@' && s[i] <= '~' {
				return i + 1
			}
			if s[i] < ' ' || s[i] > '?' {
				return i
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X': // up to a bell or ESC \
		for i := 1; i < min(len(s), 2048); i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b {
				return i
			}
		}
		return 0
	}
	return 1
}
