package render

import (
	"html/template"
	"strconv"
	"strings"

	"viewer/internal/markup"
	"viewer/normalize"
)

// Measures of the prompts below a strip, in its units. On a wide page 1000 units are 860 pixels.
const (
	promptSpace = 24 // minimum distance of two numbers: those in between are left out
	promptTight = 60 // minimum distance for a number on phones
	letterWidth = 9  // average width of a letter of a label, with the space after it
)

// A stripPrompt is a prompt with the position where the work on it began.
type stripPrompt struct {
	number, left int
	prompt       *normalize.Message
}

// promptsOn finds the prompts that have a position on the strip and space for their number.
func promptsOn(c *normalize.Conversation, all []stripEvent) []stripPrompt {
	left := make(map[int]int) // by number
	for i := range all {
		h := &all[i]
		if x, ok := left[h.prompt]; !ok || h.left < x {
			left[h.prompt] = h.left
		}
	}
	var found []stripPrompt
	number := 0
	for _, t := range c.Turns {
		number += t.Skipped
		if !t.Asked() {
			continue
		}
		number++
		x, ok := left[number]
		if n := len(found); !ok || n > 0 && x < found[n-1].left+promptSpace {
			continue
		}
		found = append(found, stripPrompt{number, min(x, stripWidth-promptSpace), t.Prompt[0]})
	}
	if number < 2 {
		return nil
	}
	return found
}

// prompts draws a line where the work on each prompt begins, and below it the number and the first words.
func (s *stripDrawing) prompts(all []stripPrompt) (lines string, labels template.HTML) {
	var b strings.Builder
	for i, p := range all {
		end := stripWidth
		if i+1 < len(all) {
			end = all[i+1].left
		}
		if p.left > stripMinWidth {
			lines += "M" + strconv.Itoa(p.left) + " 0v" + strconv.Itoa(stripHeight)
		}
		room := end - p.left
		number := count(p.number)
		words := ""
		if letters := room/letterWidth - len(number) - 2; letters > 3 {
			words = "<tspan> " + string(markup.Text(markup.Excerpt(p.prompt.Text, letters))) + "</tspan>"
		}
		href := template.HTMLEscapeString(s.page.href(p.prompt.Anchor))
		b.WriteString(`<a href="` + href + `" tabindex="-1"><svg x="` +
			stripPercent(p.left) + `" width="` + stripPercent(room) + `"`)
		if room < promptTight {
			b.WriteString(` class="tight"`)
		}
		b.WriteString(`><text y="12">` + number + words + `</text></svg></a>`)
	}
	return lines, template.HTML(b.String())
}

// stripPercent returns a position as a part of the width of the strip.
func stripPercent(x int) string {
	return strconv.FormatFloat(float64(x)*100/stripWidth, 'f', -1, 64) + "%"
}
