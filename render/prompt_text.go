package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
)

// drawPrompt draws a prompt as Markdown; the rest of a long one folds, from where a block begins. ok is
// false for what is better shown as it was typed.
func drawPrompt(text string) (shown, folded template.HTML, all string, ok bool) {
	const tooLong = proseFull + 20 // lines that do not fold
	if isPasted(text) {
		return "", "", "", false
	}
	if _, _, ok := insideFence(text); ok {
		return "", "", "", false
	}
	head, rest := cutProse(text)
	if n := markup.Lines(head); n > tooLong || len(head) > 8<<10 {
		return "", "", "", false
	}
	shown, ok = markup.Typed(strings.TrimRight(head, "\n"))
	if !ok {
		shown = markup.Text(strings.TrimRight(head, "\n"))
	}
	if rest != "" {
		drawn := false
		if folded, drawn = markup.Typed(rest); !drawn {
			folded = markup.Text(rest)
		}
		ok = ok || drawn
	}
	return shown, folded, "all " + count(markup.Lines(text)) + " lines", ok
}
