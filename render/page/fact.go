package page

import (
	"strings"

	"viewer/internal/words"
)

// A Fact is a short remark at the end of a row: "+3", "exit 1", "148 lines".
type Fact struct {
	Text string
	Look string // add, del, bad, warn, or "" for grey
	Main bool   // shown on narrow screens
}

// Facts returns facts with the texts that are not empty.
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

// DisplayedPath splits a path for the row of a call.
func DisplayedPath(path string) (dir, name string) {
	cut := strings.LastIndexAny(path, `/\`) + 1
	return words.Clip(path[:cut], 160), words.Clip(path[cut:], 160)
}

// A Key is an entry of the legend of a drawing.
type Key struct{ Look, Text string }

// LineFacts returns the numbers of lines of a change, none if they are unknown.
func LineFacts(added, removed int) []Fact {
	if added+removed == 0 {
		return nil
	}
	return PlusMinus(added, removed)
}
