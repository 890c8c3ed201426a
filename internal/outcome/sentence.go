package outcome

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"viewer/internal/markup"
	"viewer/internal/words"
	"viewer/normalize"
)

// Lengths of what is shown, in runes.
const (
	minAsked   = 25 // a shorter sentence is not a request by itself
	maxAsked   = 200
	maxTitle   = 120
	maxHeading = 100
	maxText    = 280
)

// request returns the first sentence of a prompt, or the heading that it begins with.
func request(prompt string) string {
	prompt = normalize.PlanOf(strings.TrimSpace(prompt))
	first, _, _ := strings.Cut(prompt, "\n")
	if isHeading(first) {
		return markup.Excerpt(first, maxAsked)
	}
	asked := sentences(markup.Excerpt(paragraph(prompt), 2*maxAsked), 1, maxAsked)
	if utf8.RuneCountInString(asked) < minAsked { // "Thanks!" alone asks for nothing
		asked = sentences(markup.Excerpt(prompt, 2*maxAsked), 2, maxAsked)
	}
	return asked
}

// Title returns the title of a session as everything shows it, on one line: the one that a person or the program gave
// it, otherwise the first sentence of the request, otherwise its name in a team, otherwise its id.
func Title(c *normalize.Conversation) string {
	f := &c.Facts
	if t := markup.Excerpt(f.GivenTitle(), maxTitle); t != "" {
		return t
	}
	if m := askingCommand(c); m != nil {
		return commandLine(m, maxTitle)
	}
	if t := markup.Excerpt(request(f.Request()), maxTitle); t != "" {
		return t
	}
	if f.AgentName != "" && f.TeamName != "" { // a member of a team without prompts of a human
		return words.Line(f.AgentName+" of team "+f.TeamName, 120)
	}
	if _, m := Asked(c); m != nil && m.Kind == normalize.Command {
		return commandLine(m, maxTitle)
	}
	name := "Session without a name"
	if head, _, _ := strings.Cut(c.ID, "-"); len(head) == 8 && len(c.ID) == 36 {
		name = "Session " + head
	} else if c.ID != "" {
		name = "Session " + words.Line(c.ID, 60)
	}
	if n := f.AgentsWithoutLog; n > 0 {
		name += ", log is missing, " + words.Plural(n, "agent", "agents")
	}
	return name
}

// Sentence returns a heading and the text after it on one line, "" for neither.
func Sentence(heading, text string) string {
	if heading == "" || text == "" {
		return heading + text
	}
	if last, _ := utf8.DecodeLastRuneInString(heading); unicode.IsPunct(last) && last != ')' {
		return heading + " " + text
	}
	return heading + ". " + text
}

// paragraph returns text up to the first empty line.
func paragraph(s string) string {
	for i := 0; ; {
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			return s
		}
		next := i + end + 1
		line, _, _ := strings.Cut(s[next:], "\n")
		if strings.TrimSpace(line) == "" {
			return s[:i+end]
		}
		i = next
	}
}

// isHeading reports whether a line is a heading, or bold from end to end.
func isHeading(line string) bool {
	line = strings.TrimSpace(line)
	words := strings.TrimLeft(line, "#")
	if marks := len(line) - len(words); 0 < marks && marks <= 6 && strings.HasPrefix(words, " ") {
		return true
	}
	inner, ok := strings.CutPrefix(line, "**")
	inner, closed := strings.CutSuffix(strings.TrimRight(inner, ":.! "), "**")
	return ok && closed && inner != "" && !strings.Contains(inner, "**")
}

func isRule(block string) bool {
	if len(block) < 3 {
		return false
	}
	return strings.Trim(block, "- ") == "" || strings.Trim(block, "* ") == "" || strings.Trim(block, "_ ") == ""
}

func isList(block string) bool {
	_, ok := listItem(block)
	return ok
}

// listItem removes the mark of a list from a line.
func listItem(line string) (text string, ok bool) {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"- ", "* ", "+ "} {
		if text, ok = strings.CutPrefix(line, mark); ok {
			return text, true
		}
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if number := line[:digits]; 0 < digits && digits < 4 {
		for _, mark := range []string{". ", ") "} {
			if text, ok = strings.CutPrefix(line, number+mark); ok {
				return text, true
			}
		}
	}
	return line, false
}

// listed adds a semicolon to the items of a list, so that they read as one sentence.
func listed(block string) string {
	if !strings.Contains(block, "\n") {
		return block
	}
	var b []byte
	items := 0
	for line := range strings.SplitSeq(block, "\n") {
		text, isItem := listItem(line)
		if isItem {
			if items++; items > 1 {
				b = bytes.TrimRight(b, "\n ")
				last, _ := utf8.DecodeLastRune(b)
				if !unicode.IsPunct(last) || strings.ContainsRune("*`)\"", last) {
					b = append(b, ';')
				}
				b = append(b, '\n')
			}
			line = text
		}
		b = append(append(b, line...), '\n')
	}
	return string(b)
}

// interjections are first words without meaning if more text follows.
var interjections = words.Set(`perfect excellent great awesome done good nice ok okay sure right absolutely yes fantastic
	wonderful all+done great+job certainly alright got+it thanks thank+you you're+welcome you’re+welcome`)

// withoutInterjection removes the first sentence if it is a word without meaning. more reports that other paragraphs
// follow.
func withoutInterjection(s string, more bool) string {
	end := strings.IndexAny(s, ".!:,")
	if end < 0 || end > 20 {
		if more && isInterjection(s) {
			return ""
		}
		return s
	}
	rest := strings.TrimLeftFunc(s[end:], func(r rune) bool {
		return notLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("`\"“(#/", r)
	})
	isPath := s[end] == '.' && len(s) > end+1 && s[end+1] != ' '
	goesOn := s[end] == ',' && !startsUpper(rest)
	if !isInterjection(s[:end]) || isPath || goesOn || rest == "" && !more {
		return s
	}
	return rest
}

func isInterjection(s string) bool {
	return interjections[strings.ToLower(strings.TrimFunc(s, notLetter))]
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// Question returns what an answer asks, for prompts that reply in a word: the last question of its last paragraph,
// otherwise its last sentence, on one line. It returns "" if the answer ends with code or a table.
func Question(answer string) string {
	answer = strings.TrimSpace(withoutDirectives(answer))
	last := answer
	if i := strings.LastIndex(answer, "\n\n"); i >= 0 {
		last = answer[i+2:]
	}
	if first, _, _ := strings.Cut(last, "\n"); isCode(first) || strings.HasSuffix(last, "```") {
		return ""
	}
	var line, found string
	for line = markup.Excerpt(listed(last), 4*maxText); line != ""; {
		n := sentenceEnd(line)
		sentence := strings.TrimSpace(line[:n])
		if asks(sentence) || !asks(found) {
			found = sentence
		}
		line = line[n:]
	}
	return clip(found, maxHeading)
}

// directives match a line of directives such as ::git-commit{cwd="/tide"}, with which Codex ends an answer to tell its
// window what to offer.
var directives = expression(`(?m)^[ \t]*(?:::[a-z][a-z-]*\{[^\n]*\}[ \t]*)+$`)

// withoutDirectives returns what an answer says to the reader.
func withoutDirectives(answer string) string {
	if !strings.Contains(answer, "::") {
		return answer
	}
	return directives().ReplaceAllString(answer, "")
}

func asks(sentence string) bool {
	return strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？")
}

// sentences returns the first sentences of one line, limited by their number and by the total of runes. One that is too
// long ends with "…".
func sentences(line string, many, runes int) string {
	end := 0
	for range many {
		next := sentenceEnd(line[end:])
		if end >= shortBlock && utf8.RuneCountInString(line[:end+next]) > runes {
			break
		}
		if end += next; end == len(line) || utf8.RuneCountInString(line[:end]) > runes {
			break
		}
	}
	return clip(strings.TrimSpace(line[:end]), runes)
}

// sentenceEnd returns the length of the first sentence in bytes.
func sentenceEnd(s string) int {
	for i, r := range s {
		after := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return after
		case '.', '!', '?':
			closed := strings.TrimLeft(s[after:], `)"'”’*`)
			if endsSentence(s[:i], closed) {
				return len(s) - len(closed)
			}
		}
	}
	return len(s)
}

// endsSentence reports whether a full stop ends a sentence, given the text before it, and the text after it and the
// quotes and brackets that it closes.
func endsSentence(before, after string) bool {
	if after != "" && after[0] != ' ' {
		return false
	}
	next := strings.TrimLeft(after, " ")
	if r, _ := utf8.DecodeRuneInString(next); unicode.IsLower(r) {
		return false
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	word = strings.ToLower(strings.TrimLeft(word, "("))
	isInitial, isNumber := utf8.RuneCountInString(word) == 1, strings.Trim(word, "0123456789") == ""
	return !abbreviations[word] && !isInitial && !isNumber
}

var abbreviations = words.Set("e.g i.e etc vs cf no nr approx incl resp z.b d.h u.a ca mr mrs dr st fig sec")

// recapText returns the recap that the program wrote, without its advice.
func recapText(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), "(disable recaps in /config)")
	return sentences(markup.Excerpt(s, 2*maxText), 4, maxText)
}

// clip returns s with at most n characters. A shortened text has no blank or comma before its "…".
func clip(s string, n int) string {
	cut := words.Clip(s, n)
	if cut == s {
		return s
	}
	return strings.TrimRight(strings.TrimSuffix(cut, "…"), " ,;:") + "…"
}

// cutSentences cuts one line into its sentences.
func cutSentences(line string) []string {
	var all []string
	for line != "" {
		n := sentenceEnd(line)
		if s := strings.TrimSpace(line[:n]); s != "" {
			all = append(all, s)
		}
		line = line[n:]
	}
	return all
}

// joinSentences joins sentences, with a blank between them if the script has blanks.
func joinSentences(all []string) string {
	var b strings.Builder
	for i, s := range all {
		if last, _ := utf8.DecodeLastRuneInString(b.String()); i > 0 && !strings.ContainsRune("。！？", last) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}
