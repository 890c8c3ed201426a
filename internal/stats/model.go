package stats

import (
	"strconv"
	"strings"
)

// A modelKey has the parts of a model's name that its price depends on.
type modelKey struct {
	family       string // "opus"
	major, minor int
	mode         string // "fast" costs more; "" for the standard mode
}

// keyOf reads the names that a Claude model has in logs:
//
//	claude-opus-4-5-20251101          the API
//	claude-sonnet-4-5[1m]             with the long context asked for
//	us.anthropic.claude-opus-4-1-20250805-v1:0   Bedrock
//	claude-haiku-4-5@20251001         Vertex
//	anthropic/claude-opus-4.5         gateways
//	claude-3-5-sonnet-20241022        before version 4
//	claude-opus-5-fast                in a mode that costs more
//
// A name with an unknown word has no key, since the word may mean another price.
func keyOf(name string) (modelKey, bool) {
	name = strings.ToLower(name)
	at := strings.LastIndex(name, "claude")
	if at < 0 {
		return modelKey{}, false
	}
	name, _, _ = strings.Cut(name[at+len("claude"):], "@")
	name, _, _ = strings.Cut(name, "[")
	name, _, _ = strings.Cut(name, ":") // of the Bedrock version
	var key modelKey
	var numbers []int
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-._ ", r) }) {
		if n, err := strconv.Atoi(word); err == nil {
			switch {
			case len(word) <= 2 && n >= 0:
				numbers = append(numbers, n)
			case len(word) != 8: // the day of the release
				return modelKey{}, false
			}
		} else if !key.readWord(word) {
			return modelKey{}, false
		}
	}
	if key.family == "" || len(numbers) == 0 || len(numbers) > 2 {
		return modelKey{}, false
	}
	key.major = numbers[0]
	if len(numbers) == 2 {
		key.minor = numbers[1]
	}
	return key, true
}

// readWord reads a word of a name that is not a number. It returns false for an unknown word, which may mean another
// price.
func (k *modelKey) readWord(word string) bool {
	switch {
	case word == "latest", isRevision(word):
	case word == "fast" && k.family != "":
		k.mode = word
	case k.family == "" && isFamily(word):
		k.family = word
	default:
		return false
	}
	return true
}

// isRevision recognises the v1 of Bedrock names.
func isRevision(word string) bool {
	digits, ok := strings.CutPrefix(word, "v")
	_, err := strconv.Atoi(digits)
	return ok && err == nil
}

func isFamily(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}
