package corpusgen

import "slices"

// Sizes in bytes, as counted.
var (
	promptSizes   = spread{2, 8, 90, 200, 700, 6000, 20_000}
	remarkSizes   = spread{20, 44, 120, 240, 420, 900, 1500}
	answerSizes   = spread{60, 120, 400, 1000, 2200, 5500, 14_000}
	thoughtSizes  = spread{20, 60, 170, 400, 900, 2500, 8600}
	taskSizes     = spread{100, 260, 510, 960, 2800, 4700, 4800} // of Task
	agentTasks    = spread{380, 700, 1750, 3300, 4900, 14_000, 15_000}
	noteSizes     = spread{0, 100, 4000, 6600, 11_000, 26_000, 27_000} // what an agent in the background reports
	bodySizes     = spread{100, 300, 3700, 6800, 12_600, 27_000, 27_500}
	shellSizes    = spread{0, 60, 2200, 6000, 20_000, 24_000, 24_200}
	planSizes     = spread{600, 1300, 3400, 5600, 6300, 9000, 10_400}
	summarySizes  = spread{4000, 6000, 10_000, 13_000, 16_000, 20_000, 24_000}
	snippetSizes  = spread{0, 400, 6300, 7700, 8000, 8300, 8400}
	fetchedSizes  = spread{300, 500, 1600, 4100, 5900, 30_000, 44_000}
	questionSizes = spread{60, 80, 120, 160, 200, 300, 400}
)

// plain returns sentences of about so many bytes.
func (s *session) plain(size int) []byte {
	out := append([]byte(nil), pick(s.dice, s.stock.prose)...)
	for len(out) < size {
		out = append(append(out, ' '), pick(s.dice, s.stock.prose)...)
	}
	return out
}

// sentence returns one of them.
func (s *session) sentence() []byte { return pick(s.dice, s.stock.prose) }

// markdown returns an answer of about so many bytes: paragraphs, lists, headings, code, tables.
func (s *session) markdown(size int) []byte {
	out := append([]byte(nil), s.sentence()...)
	for len(out) < size {
		out = append(out, "\n\n"...)
		switch at := s.dice.IntN(100); {
		case at < 40:
			out = append(out, s.plain(min(300, size-len(out)))...)
		case at < 65:
			for i := range 2 + s.dice.IntN(5) {
				if i > 0 {
					out = append(out, '\n')
				}
				out = append(append(out, pick(s.dice, []string{"- ", "- ", "- ", "  - "})...), s.sentence()...)
			}
		case at < 75:
			out = append(append(out, "## "...), s.stock.commands[s.dice.IntN(len(s.stock.commands))][2]...)
		case at < 83:
			for i := range 2 + s.dice.IntN(4) {
				if i > 0 {
					out = append(out, '\n')
				}
				out = appendf(out, "%d. **%s** %s", i+1, pick(s.dice, s.stock.commands)[2], s.sentence())
			}
		case at < 93:
			language := s.language()
			out = appendf(out, "```%s\n%s\n```", language, cut(s.dice, s.stock.code[language], 60+s.dice.IntN(500)))
		case at < 98:
			out = append(out, "| place | count | remark |\n|---|--:|---|"...)
			for range 2 + s.dice.IntN(5) {
				out = appendf(out, "\n| `%s` | %d | %s |", pick(s.dice, s.stock.commands)[0],
					s.dice.IntN(900), s.sentence())
			}
		default:
			out = append(append(out, "> "...), s.sentence()...)
		}
	}
	return out
}

// closings are what answers end with, and nothing else says.
var closings = []string{
	"Shall I continue with the remaining ones?", "Let me know whether that suits you.",
	"Nothing beyond that needed touching.", "I would merge it in this form.",
}

// answer returns what the model says at the end of a turn.
func (s *session) answer() []byte {
	out := s.markdown(answerSizes.pick(s.dice))
	if s.dice.IntN(3) == 0 {
		out = append(append(out, "\n\n"...), pick(s.dice, closings)...)
	}
	return out
}

// typed returns a prompt of about so many bytes; people paste logs into long ones.
func (s *session) typed(size int) []byte {
	out := slices.Clone(pick(s.dice, s.stock.prompts))
	if size > 400 {
		out = append(append(out, "\n\n"...), cut(s.dice, s.stock.outputs["log"], size-len(out))...)
	}
	for len(out) < size {
		out = append(append(out, ' '), pick(s.dice, s.stock.prompts)...)
	}
	return out
}

// languages are the languages of the files that are read and edited, by ending.
var languages = []lot[string]{
	{28, "go"}, {20, "md"}, {20, "py"}, {13, "ts"}, {6, "tsx"}, {8, "json"}, {5, "js"}, {4, "html"},
	{3, "rs"}, {2, "java"},
	{2, "sh"}, {2, "yaml"}, {2, "css"}, {1, "toml"}, {1, "sql"}, {1, "txt"},
}

func (s *session) language() string { return draw(s.dice, languages) }
