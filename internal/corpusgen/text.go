package corpusgen

import (
	"fmt"
	"strings"
)

var (
	topics   = []string{"the lamp index", "street corners", "the night tariff", "bulb ages", "fog alarms", "the repair queue", "map tiles", "the dimming plan"}
	prompts  = []string{"Please look at %s: the numbers of Monday look too low.", "Can %s be faster? It takes a minute on the small machine.", "Write a test for %s first, then make it pass.", "What would change if %s came from the new sensors?", "Rename things in %s so that a newcomer understands them."}
	openings = []string{"I'll read how %s works today.", "Let me measure %s before I change anything.", "First the tests around %s, then the code."}
	files    = []string{"lamps", "corner", "tariff", "queue", "tiles", "dimmer", "sensor", "report"}
	streets  = []string{"Quince Lane", "Old Harbour Street", "Windmill Rise", "Platz der Laternen", "Rue du Four", "提灯通り", "Baker's Row"}
	says     = []string{
		"The lamps of a street share one clock, so a single late reading moves all of them.",
		"Two corners have the same number; the second one wins, which explains the gap.",
		"The sensor reports lux times ten, and only one of the callers divides.",
		"Nothing here depends on the order, so the readings can come in as they like.",
		"The old tariff ends at 23:00 and the new one starts at 23:30; half an hour belongs to nobody.",
		"A lamp without a bulb counts as dark, not as broken.",
		"With `sync.Pool` it is not faster; the time goes into parsing dates.",
	}
)

func (w *writer) pick(from []string) string { return from[w.dice.IntN(len(from))] }

func (w *writer) prose(sentences int) string {
	said := make([]string, sentences)
	for i := range said {
		said[i] = w.pick(says)
	}
	return strings.Join(said, " ")
}

// extra makes some prompts long, as people paste lists and logs.
func (w *writer) extra(n int) string {
	switch n % 6 {
	case 2:
		return "\n\n- " + w.pick(says) + "\n- " + w.pick(says) + "\n\n```\n" + w.log(3) + "\n```"
	case 5:
		return "\n\n" + w.prose(3)
	}
	return ""
}

func (w *writer) log(lines int) string {
	var b strings.Builder
	for i := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%07x %s", w.dice.IntN(1<<28), w.pick(says))
	}
	return b.String()
}

func (w *writer) source(topic string, lines int) []string {
	source := []string{"package " + w.pick(files), "", "// " + w.pick(says), "func " + w.pick(files) + "(ctx context.Context, lamps []Lamp) error {", "\treturn errNotYet", "}", "", "// " + topic}
	for len(source) < lines {
		source = append(source, fmt.Sprintf("\tif lamp.Lux < %d && lamp.Street == %q { // %s", w.dice.IntN(400), w.pick(streets), w.pick(files)), "\t\tcontinue", "\t}")
	}
	return source
}

func (w *writer) answer(topic string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Done:** %s is right again.\n\n%s\n\n", topic, w.prose(3))
	switch n % 3 {
	case 0:
		b.WriteString("| street | lamps | lux |\n|---|--:|--:|\n")
		for range 3 + w.dice.IntN(5) {
			fmt.Fprintf(&b, "| %s | %d | %.1f |\n", w.pick(streets), w.dice.IntN(80), float64(w.dice.IntN(900))/10)
		}
	case 1:
		b.WriteString("```go\n" + strings.Join(w.source(topic, 12), "\n") + "\n```\n\n1. " + w.pick(says) + "\n2. " + w.pick(says) + "\n")
	default:
		b.WriteString("- " + w.pick(says) + "\n  - " + w.pick(says) + "\n- " + w.pick(says) + "\n\n> " + w.pick(says) + "\n")
	}
	return b.String()
}
