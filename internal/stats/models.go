package stats

import (
	"slices"

	"viewer/normalize"
)

// maxNames is the maximum number of models of a conversation in lists.
const maxNames = 100

// ModelNames returns the models of a conversation, each once: its own in order of appearance, then those of its agents,
// then those that only the totals name, such as the ones that the end of a run lists.
func ModelNames(c *normalize.Conversation, t Totals) []string {
	var all []string
	add := func(name string) {
		if name != "" && len(all) < maxNames && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for inner := range c.All() {
		for _, name := range inner.Facts.Models {
			add(name)
		}
	}
	for _, m := range t.Models {
		if m.Requests == 0 { // otherwise the name is that of a request, to which its speed may be added
			add(m.Name)
		}
	}
	return all
}
