package prose

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/words"
)

// Prompt draws a prompt as Markdown. The rest of a long one is folded, from the beginning of a block. ok is false
// if it is better shown as typed.
func Prompt(text string) (shown, folded template.HTML, all string, ok bool) {
	const tooLong = fullLines + 20 // lines that are not folded
	if isPasted(text) {
		return "", "", "", false
	}
	if _, _, ok := insideFence(text); ok {
		return "", "", "", false
	}
	head, rest := Cut(text)
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
	return shown, folded, "all " + words.Count(markup.Lines(text)) + " lines", ok
}
