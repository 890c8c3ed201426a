package corpusgen

import "slices"

// Sizes in bytes, as counted in real sessions.
var (
	promptSizes   = distribution{2, 8, 90, 200, 700, 6000, 20_000}
	remarkSizes   = distribution{20, 44, 120, 240, 420, 900, 1500}
	answerSizes   = distribution{60, 120, 400, 1000, 2200, 5500, 14_000}
	thoughtSizes  = distribution{20, 60, 170, 400, 900, 2500, 8600}
	taskSizes     = distribution{100, 260, 510, 960, 2800, 4700, 4800} // of the prompt of Task
	agentTasks    = distribution{380, 700, 1750, 3300, 4900, 14_000, 15_000}
	noteSizes     = distribution{0, 100, 4000, 6600, 11_000, 26_000, 27_000} // reports of agents in the background
	bodySizes     = distribution{100, 300, 3700, 6800, 12_600, 27_000, 27_500}
	shellSizes    = distribution{0, 60, 2200, 6000, 20_000, 24_000, 24_200}
	planSizes     = distribution{600, 1300, 3400, 5600, 6300, 9000, 10_400}
	summarySizes  = distribution{4000, 6000, 10_000, 13_000, 16_000, 20_000, 24_000}
	snippetSizes  = distribution{0, 400, 6300, 7700, 8000, 8300, 8400}
	fetchedSizes  = distribution{300, 500, 1600, 4100, 5900, 30_000, 44_000}
	questionSizes = distribution{60, 80, 120, 160, 200, 300, 400}
)

// plain returns about so many bytes of sentences.
func (s *session) plain(size int) []byte {
	out := append([]byte(nil), pick(s.rng, s.texts.prose)...)
	for len(out) < size {
		out = append(append(out, ' '), pick(s.rng, s.texts.prose)...)
	}
	return out
}

// sentence returns one sentence.
func (s *session) sentence() []byte { return pick(s.rng, s.texts.prose) }

// markdown returns an answer of about so many bytes: paragraphs, lists, headings, code, tables.
func (s *session) markdown(size int) []byte {
	out := append([]byte(nil), s.sentence()...)
	for len(out) < size {
		out = append(out, "\n\n"...)
		switch at := s.rng.IntN(100); {
		case at < 40:
			out = append(out, s.plain(min(300, size-len(out)))...)
		case at < 65:
			for i := range 2 + s.rng.IntN(5) {
				if i > 0 {
					out = append(out, '\n')
				}
				out = append(append(out, pick(s.rng, []string{"- ", "- ", "- ", "  - "})...), s.sentence()...)
			}
		case at < 75:
			out = append(append(out, "## "...), s.texts.commands[s.rng.IntN(len(s.texts.commands))][2]...)
		case at < 83:
			for i := range 2 + s.rng.IntN(4) {
				if i > 0 {
					out = append(out, '\n')
				}
				out = appendf(out, "%d. **%s** %s", i+1, pick(s.rng, s.texts.commands)[2], s.sentence())
			}
		case at < 93:
			language := s.language()
			out = appendf(out, "```%s\n%s\n```", language, cut(s.rng, s.texts.code[language], 60+s.rng.IntN(500)))
		case at < 98:
			out = append(out, "| place | count | remark |\n|---|--:|---|"...)
			for range 2 + s.rng.IntN(5) {
				out = appendf(out, "\n| `%s` | %d | %s |", pick(s.rng, s.texts.commands)[0],
					s.rng.IntN(900), s.sentence())
			}
		default:
			out = append(append(out, "> "...), s.sentence()...)
		}
	}
	return out
}

// closings are last sentences of answers that occur nowhere else.
var closings = []string{
	"Shall I continue with the remaining ones?", "Let me know whether that suits you.",
	"Nothing beyond that needed touching.", "I would merge it in this form.",
}

// answer returns the model's text at the end of a turn.
func (s *session) answer() []byte {
	out := s.markdown(answerSizes.pick(s.rng))
	if s.rng.IntN(3) == 0 {
		out = append(append(out, "\n\n"...), pick(s.rng, closings)...)
	}
	return out
}

// typed returns a prompt of about so many bytes. Long prompts contain pasted logs.
func (s *session) typed(size int) []byte {
	out := slices.Clone(pick(s.rng, s.texts.prompts))
	if size > 400 {
		out = append(append(out, "\n\n"...), cut(s.rng, s.texts.outputs["log"], size-len(out))...)
	}
	for len(out) < size {
		out = append(append(out, ' '), pick(s.rng, s.texts.prompts)...)
	}
	return out
}

// languages are the file extensions of the languages that are read and edited.
var languages = []weighted[string]{
	{28, "go"}, {20, "md"}, {20, "py"}, {13, "ts"}, {6, "tsx"}, {8, "json"}, {5, "js"}, {4, "html"},
	{3, "rs"}, {2, "java"},
	{2, "sh"}, {2, "yaml"}, {2, "css"}, {1, "toml"}, {1, "sql"}, {1, "txt"},
}

func (s *session) language() string { return draw(s.rng, languages) }
