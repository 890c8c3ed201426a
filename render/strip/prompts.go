package strip

import (
	"html/template"
	"strconv"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/words"
	"viewer/normalize"
)

// Measures of the prompts below a strip, in its units. On a wide page 1000 units are 860 pixels.
const (
	promptSpace = 24 // minimum distance of two numbers: those in between are left out
	digitWidth  = 8  // what each digit of a number needs; from the third on, numbers need more space
	promptTight = 60 // minimum distance on narrower pages, which leave out more
	letterWidth = 9  // average width of a letter of a label, with the space after it

	firstWide = '\u2e80' // most letters from here on, those of East Asia and emoji, are half as wide again
)

// A prompt is a prompt with the position where the work on it began.
type prompt struct {
	number, left int
	prompt       *normalize.Message
}

// promptsOn finds the prompts that have a position on the strip and space for their number.
func promptsOn(c *normalize.Conversation, all []event) []prompt {
	left := make(map[int]int) // by number
	for i := range all {
		h := &all[i]
		if x, ok := left[h.prompt]; !ok || h.left < x {
			left[h.prompt] = h.left
		}
	}
	var found []prompt
	number := 0
	for _, t := range c.Turns {
		number += t.Skipped
		if !t.Asked() {
			continue
		}
		number++
		x, ok := left[number]
		space := max(promptSpace, digitWidth*(len(words.Count(number))+1))
		x = min(x, fullWidth-space)
		if n := len(found); !ok || n > 0 && x < found[n-1].left+space {
			continue
		}
		found = append(found, prompt{number, x, t.Prompt[0]})
	}
	if number < 2 {
		return nil
	}
	return found
}

// prompts draws a line where the work on each prompt begins, and below it the number and the first words.
func (s *drawing) prompts(all []prompt) (lines string, labels template.HTML) {
	var b, starts strings.Builder
	shown := -promptTight // where the last number is that narrower pages show
	for i, p := range all {
		end := fullWidth
		if i+1 < len(all) {
			end = all[i+1].left
		}
		if p.left > minWidth {
			starts.WriteString("M" + strconv.Itoa(p.left) + " 0v" + strconv.Itoa(fullHeight))
		}
		room := end - p.left
		number := words.Count(p.number)
		text := ""
		if letters := room/letterWidth - len(number) - 2; letters > 3 {
			text = "<tspan> " + string(markup.Text(labelOf(p.prompt.Text, letters))) + "</tspan>"
		}
		href := template.HTMLEscapeString(s.href(p.prompt.Anchor))
		b.WriteString(`<a href="` + href + `" tabindex="-1"><svg x="` +
			percent(p.left) + `" width="` + percent(room) + `"`)
		if p.left < shown+promptTight {
			b.WriteString(` class="tight"`)
		} else {
			shown = p.left
		}
		b.WriteString(`><text y="12">` + number + text + `</text></svg></a>`)
	}
	return starts.String(), template.HTML(b.String())
}

// labelOf returns the first words of a prompt, as many as have room for a number of letters.
func labelOf(text string, letters int) string {
	label := markup.Excerpt(text, letters)
	fits, room := 0, 2*letters
	for _, r := range label {
		room -= 2
		if r >= firstWide {
			room--
		}
		if room < 0 {
			return markup.Excerpt(text, fits)
		}
		fits++
	}
	return label
}

// percent returns a position as a part of the width of the strip.
func percent(x int) string {
	return strconv.FormatFloat(float64(x)*100/fullWidth, 'f', -1, 64) + "%"
}
