package stats

import (
	"strconv"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Window is how many tokens the context of the session's models holds, as far as the records that end a run tell
// (modelUsage.contextWindow), the largest of several; 0 when the log does not say.
func Window(c *normalize.Conversation) int64 {
	var most int64
	for _, m := range c.Order {
		if m.Record.Type != "result" {
			continue
		}
		for _, u := range transcript.Members(transcript.Field(m.Record.Raw, "modelUsage")) {
			n, err := strconv.ParseInt(string(transcript.Field(u, "contextWindow")), 10, 64)
			if err == nil && n < 1e12 {
				most = max(most, n)
			}
		}
	}
	return most
}
