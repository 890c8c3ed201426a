package outcome

import (
	"slices"
	"strings"

	"viewer/normalize"
)

// Answer returns how a turn ended for the reader: the texts of the last request after the last call and the last prompt
// of the turn, and the status or the failed request that ended it. It returns nil if the log ends before that.
func Answer(t *normalize.Turn) []*normalize.Message {
	var all []*normalize.Message // from the last to the first
	for _, item := range slices.Backward(t.Items) {
		m, ok := item.(*normalize.Message)
		if _, isCall := item.(*normalize.Group); isCall || ok && m.Kind == normalize.Prompt {
			break
		}
		if !ok || !answers(m) {
			continue
		}
		last := len(all) - 1
		switch {
		case len(all) == 0:
		case m.Kind != normalize.Text:
			continue // the last of several retries is enough
		case all[last].Kind == normalize.Text && !sameRequest(m, all[last]):
			slices.Reverse(all)
			return all
		}
		all = append(all, m)
	}
	slices.Reverse(all)
	return all
}

// answers reports whether a message can end a turn.
func answers(m *normalize.Message) bool {
	switch m.Kind {
	case normalize.Text:
		return strings.TrimSpace(m.Text) != "" || m.Ending != normalize.NoEnding
	case normalize.Status:
		return m.Status != normalize.NoResponse
	}
	return m.Kind == normalize.APIError
}

// sameRequest reports whether one request returned both texts.
func sameRequest(a, b *normalize.Message) bool {
	if a.Record == b.Record {
		return true
	}
	one, other := a.Record.Message, b.Record.Message
	return one != nil && other != nil && one.ID != "" && one.ID == other.ID
}
