package page

import (
	"strings"

	"viewer/internal/words"
)

// A Fact is a short remark at the end of a row: "+3", "exit 1", "148 lines".
type Fact struct {
	Text string
	Look string // add, del, bad, warn, or "" for grey
	Main bool   // stays on a narrow screen
}

// Facts returns facts of those texts that say something.
func Facts(texts ...string) []Fact {
	var all []Fact
	for _, t := range texts {
		if t != "" {
			all = append(all, Fact{Text: t})
		}
	}
	return all
}

// PlusMinus returns the facts of an edit.
func PlusMinus(added, removed int) []Fact {
	var all []Fact
	if added > 0 || removed == 0 {
		all = append(all, Fact{Text: "+" + words.Count(added), Look: "add", Main: true})
	}
	if removed > 0 {
		all = append(all, Fact{Text: "−" + words.Count(removed), Look: "del", Main: true})
	}
	return all
}

// DisplayedPath returns a path as the row of a call has it.
func DisplayedPath(path string) (dir, name string) {
	cut := strings.LastIndexAny(path, `/\`) + 1
	return words.Clip(path[:cut], 160), words.Clip(path[cut:], 160)
}

// A Key says what a colour of a drawing stands for.
type Key struct{ Look, Text string }

// LineFacts count the lines of a change; there are none if the log does not tell.
func LineFacts(added, removed int) []Fact {
	if added+removed == 0 {
		return nil
	}
	return PlusMinus(added, removed)
}
