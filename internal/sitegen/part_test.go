package sitegen

import (
	"context"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/export"
	"viewer/internal/testing/corpus"
	"viewer/normalize"
)

// TestPart draws each prompt of sessions as a page, which must not contain texts of other prompts.
func TestPart(t *testing.T) {
	if testing.Short() {
		t.Skip("draws with one goroutine, and scans folders as all builds do: the race detector finds nothing more")
	}
	isSession := func(path string) bool {
		return filepath.Ext(path) == ".jsonl" && !strings.Contains(path, "/subagents/")
	}
	names := corpus.Files(t, isSession, "../../testdata/projects")
	if corpus.Full() {
		names = append(names, corpus.Share(corpus.Files(t, isSession, corpus.Optional(t, "dev")...))...)
	}
	looked := 0
	for _, name := range names {
		whole := openPart(t, name)
		if whole == nil {
			continue
		}
		texts, raw := textsByPrompt(whole), rawByPrompt(whole)
		for number := range texts {
			if number == 0 || number > 3 {
				continue
			}
			o := export.Options{Level: export.Everything}
			if number%2 == 0 {
				o = export.Options{Level: export.Tools, Calls: export.CallRows, NoThinking: true}
			}
			o.Turns, _ = export.ParseRange(fmt.Sprint(number))
			looked += lookFor(t, name, drawPart(t, name, o), number, texts, raw[number])
		}
	}
	if looked < 20 {
		t.Errorf("%d texts were looked for, want at least 20", looked)
	}
}

func openPart(t *testing.T, name string) *normalize.Conversation {
	t.Helper()
	s, err := OpenSession(context.Background(), Options{}, name)
	if err != nil {
		return nil
	}
	return s.Conversation
}

func drawPart(t *testing.T, name string, o export.Options) string {
	t.Helper()
	s, err := OpenSession(context.Background(), Options{Originals: true}, name)
	if err != nil {
		t.Fatal(err)
	}
	page, err := PartPage(s, o, "a part")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if strings.Contains(string(page), "drawn by nobody") {
		t.Errorf("%s: the page says that a message was not drawn", name)
	}
	return plainText(string(page))
}

var tags = regexp.MustCompile(`(?s)<(script|style)[ >].*?</(script|style)>|<[^>]*>`)

// plainText returns the text of a page without white space.
func plainText(page string) string {
	_, page, _ = strings.Cut(page, "<body") // without style sheets
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), "")
}

// unescaped replaces the most frequent escapes of JSON.
var unescaped = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// rawByPrompt returns the log of each prompt and what followed it, without white space.
func rawByPrompt(c *normalize.Conversation) map[int]string {
	all := make(map[int]string)
	number := 0
	for _, turn := range c.Turns {
		if turn.Asked() {
			number++
		}
		var raw strings.Builder
		for _, m := range turn.Messages {
			if m.Part == 0 {
				raw.WriteString(unescaped.Replace(string(m.Record.Raw)))
			}
		}
		for _, item := range turn.Items {
			if b, ok := item.(*normalize.Branch); ok {
				for _, m := range b.Conversation.Order {
					raw.WriteString(unescaped.Replace(string(m.Record.Raw)))
				}
			}
			if g, ok := item.(*normalize.Group); ok {
				for _, m := range g.Messages() {
					raw.WriteString(unescaped.Replace(string(m.Record.Raw)))
				}
				for _, a := range g.Agents {
					for inner := range a.Conversation.All() {
						for _, m := range inner.Order {
							raw.WriteString(unescaped.Replace(string(m.Record.Raw)))
						}
					}
				}
			}
		}
		all[number] += strings.Join(strings.Fields(raw.String()), "")
	}
	return all
}

// composed matches lines that pages compose from other parts of a log: commits and numbered lines.
var composed = regexp.MustCompile(`^([0-9a-f]{7}|[0-9]+")`)

// textsByPrompt returns long lines of texts, commands and results, by the number of the prompt before them.
func textsByPrompt(c *normalize.Conversation) map[int][]string {
	all := make(map[int][]string)
	number := 0
	add := func(text string) {
		for line := range strings.Lines(text) {
			line = strings.Join(strings.Fields(line), "")
			if len(line) > 30 && !composed.MatchString(line) && !strings.ContainsAny(line, "*_`[]<>\\\x1b|#~&") {
				all[number] = append(all[number], line)
			}
		}
	}
	for _, turn := range c.Turns {
		if turn.Asked() {
			number++
		}
		all[number] = append(all[number], "")
		for _, m := range turn.Messages {
			if m.Rule != "" {
				continue
			}
			add(m.Text)
			if m.Block != nil {
				for _, b := range m.Block.Content {
					add(b.Text)
				}
			}
		}
	}
	return all
}

// lookFor looks for texts of other prompts that this prompt does not repeat.
func lookFor(t *testing.T, name, page string, number int, texts map[int][]string, own string) int {
	t.Helper()
	looked := 0
	for other, lines := range texts {
		if other == number {
			continue
		}
		for _, line := range slices.Compact(lines) {
			if line == "" || strings.Contains(own, line) {
				continue
			}
			looked++
			if strings.Contains(page, line) {
				t.Errorf("%s: the page of prompt %d has a text of prompt %d: %.80q", name, number, other, line)
			}
		}
	}
	return looked
}
