package export

import (
	"strings"

	"viewer/internal/outcome"
	"viewer/internal/words"
)

// ending returns at most two lines on how the session ended, and what it produced and checked; nil if that is not
// wanted.
func (s Session) ending() []string {
	f := outcome.Of(s.Conversation, s.Spilled)
	if f.Mark == outcome.None {
		return nil
	}
	first := f.Mark.String()
	if f.Reason != "" {
		first += " (" + f.Reason + ")"
	}
	if line := outcome.Sentence(f.Heading, f.Text); line != "" {
		first += ": " + line
	}
	all := []string{words.OneLine(first)}
	var left []string
	if n := len(f.Commits); n > 0 {
		left = append(left, words.Plural(n, "commit", "commits"))
	}
	for i, pr := range f.PullRequests {
		if i < maxEndings {
			left = append(left, words.Line(pr.URL, 200))
		}
	}
	for i, c := range f.Checks {
		if i < maxEndings {
			left = append(left, words.Line(c.Name, 40)+" "+c.Last.String())
		}
	}
	if n := f.APIErrors; n > 0 {
		left = append(left, words.Plural(n, "API error", "API errors"))
	}
	if len(left) > 0 {
		all = append(all, strings.Join(left, ", "))
	}
	return all
}

// maxEndings limits how many pull requests and how many checks are listed.
const maxEndings = 5
