package stats

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Filling is the largest context of a conversation, with the size of its window.
type Filling struct {
	Peak int64 // tokens of the largest request, 0 if unknown

	// Window is the size of the context in tokens, 0 if unknown. If Large is not 0, the size was one of the two.
	Window, Large int64
}

// Peak returns the largest context of a conversation. The window comes from the log of the request, or from the records
// at the end of a run (modelUsage.contextWindow, the largest of several), otherwise from the table of prices for the
// model of the request.
// A model with two windows had the larger one if its name says so ("[1m]"), or if the request was larger than the
// smaller one. A window is never smaller than the request.
func Peak(c *normalize.Conversation, prices Prices) Filling {
	var f Filling
	model, told := "", int64(0)
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			if n := Context(r); n > f.Peak {
				f.Peak, model, told = n, r.Model, r.Window
			}
		}
	}
	if f.Peak == 0 {
		return f
	}
	if told <= 0 || told > 1e12 { // no window is that large
		told = loggedWindow(c)
	}
	if told >= f.Peak {
		f.Window = told
		return f
	}
	p, _ := prices.price(model, "")
	switch isLarge := strings.Contains(strings.ToLower(model), "[1m]"); {
	case p.LargeWindow >= f.Peak && (isLarge || f.Peak > p.Window):
		f.Window = p.LargeWindow
	case p.Window >= f.Peak:
		f.Window, f.Large = p.Window, p.LargeWindow
	}
	return f
}

// loggedWindow returns the window from the records at the end of a run, 0 for none.
func loggedWindow(c *normalize.Conversation) int64 {
	var most int64
	for _, m := range c.Order {
		if m.Record.Type != "result" {
			continue
		}
		for _, u := range transcript.Members(transcript.Field(m.Record.Raw, "modelUsage")) {
			if n := int64(transcript.Amount(transcript.Field(u, "contextWindow"))); n < 1e12 {
				most = max(most, n)
			}
		}
	}
	return most
}
