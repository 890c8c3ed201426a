package settings

import (
	"strings"

	"github.com/spf13/cobra"
)

// CommandNames returns the names of the subcommands of a command.
func CommandNames(parent *cobra.Command) []string {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Nearest returns the name that a word was most likely meant to be: one that begins with it, or one in which at most a
// third of the letters differ. It returns "" if there is none.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, least := "", max(1, len(word)/3)
	for _, name := range names {
		d := distance(word, name)
		if len(word) > 1 && strings.HasPrefix(name, word) {
			d = 0
		}
		if d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	return best
}

// distance returns how many letters have to be inserted, deleted, replaced or swapped to turn a into b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := last[j-1]
			if a[i-1] != b[j-1] {
				other++
			}
			row[j] = min(other, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
