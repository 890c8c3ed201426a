package outcome

import (
	"cmp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"viewer/internal/markup"
	"viewer/internal/words"
)

// opening returns the beginning of an answer: its heading, and the first sentences with content, plus the question that
// it ends with. If more follows, it leaves out
//
//   - words and headings that fit any answer ("Perfect!", "Summary"),
//   - sentences that announce what follows ("Here is what I found:", "Let me write a summary."), and paragraphs that
//     end by announcing more work ("I think I see it. Let me check:").
//
// For an answer that begins with a heading, the text below the heading of the result is taken, if there is one.
func opening(answer string) (first, text string) {
	answer = withoutDirectives(answer)
	o := openingReader{blocks: blocksOf(answer), asks: lastQuestion(answer)}
	for i, b := range o.blocks {
		if b.kind == heading {
			o.sections++
			if o.heading == "" && !isGeneric(b.text) {
				o.heading = clip(strings.TrimRight(b.text, ":"), maxHeading)
			}
			continue
		}
		if o.introducesCase(i) {
			o.keep(b.text)
			continue
		}
		if text = o.says(i); text == "" {
			continue
		}
		if result := o.result(i); result > i {
			if better := o.says(result); better != "" {
				return o.heading, o.withQuestion(better)
			}
		}
		return o.heading, o.withQuestion(o.withNextSection(text, i))
	}
	if o.heading == "" {
		text = o.withQuestion(o.fallback)
	}
	return o.heading, text
}

// An openingReader finds the opening of an answer.
type openingReader struct {
	blocks   []block
	heading  string // the heading that the answer begins with
	sections int    // number of headings above the first text
	asks     string // the question that the answer ends with, "" for none
	fallback string // the first text that only announces, or code, for an answer with nothing else
}

// result returns the index of the block that most likely has the result of the answer, by the heading above it or by a
// label, as in "**Recommendation:** one function". It returns 0 for none, and for an answer that begins with text.
func (o *openingReader) result(first int) int {
	at, best := 0, 0
	switch isAnnounced := o.announcesSections(first); {
	case o.sections == 0 && !isAnnounced:
		return 0
	case o.sections == 1 && !isAnnounced: // the text below the title is better than how something was solved
		best = solved
	}
	for i := range o.blocks[1:] {
		above, b := o.blocks[i], o.blocks[i+1]
		if b.kind != prose || isList(b.text) {
			continue
		}
		rank := resultHeadings()[labelOf(b.text)]
		if above.kind == heading {
			rank = max(rank, resultHeadings()[headingWords(above.text)])
		}
		switch {
		case rank > best:
			best, at = rank, i+1
		case rank == solved && best == solved && at > 0: // of several problems
			at = 0
		}
	}
	return at
}

// labelOf returns the bold label that a paragraph begins with, "" for none.
func labelOf(text string) string {
	bold, ok := strings.CutPrefix(text, "**")
	label, rest, hasColon := strings.Cut(bold, ":")
	if !ok || !hasColon || len(label) > maxLabel || strings.Trim(rest, "* ") == "" {
		return ""
	}
	return headingWords(label)
}

// maxLabel is the maximum size of a label in bytes.
const maxLabel = 40

// introducesCase reports whether a block only introduces the next one: "For a new session:" and a list.
func (o *openingReader) introducesCase(at int) bool {
	first, list, _ := strings.Cut(o.blocks[at].text, "\n")
	return o.blocks[at].kind == prose && at+1 < len(o.blocks) && o.blocks[at+1].kind == prose && isList(list) &&
		caseIntroduction().MatchString(first)
}

var caseIntroduction = expression(`(?i)^(?:for|when|if|given|with) (?:an?|each|every)\b[^.!?]*:$`)

// withNextSection returns the text of the first section. If that is short, it adds the first sentence of the next one.
func (o *openingReader) withNextSection(text string, at int) string {
	if o.sections < 2 || len(text) >= shortBlock {
		return text
	}
	for i := at + 1; i < len(o.blocks); i++ {
		if b := o.blocks[i]; b.kind == prose && o.blocks[i-1].kind == heading {
			first, _, _ := strings.Cut(b.text, "\n")
			if all := cutSentences(withoutInterjection(markup.Excerpt(first, maxText), true)); len(all) > 0 {
				text += " " + strings.TrimRight(all[0], ":：")
			}
			return text
		}
	}
	return text
}

// announcesSections reports whether a block ends by announcing the sections after it.
func (o *openingReader) announcesSections(at int) bool {
	if at+1 >= len(o.blocks) || o.blocks[at+1].kind != heading {
		return false
	}
	all := cutSentences(markup.Excerpt(o.blocks[at].text, 4*maxText))
	return len(all) > 0 && endsWithColon(all[len(all)-1]) && announces(all[len(all)-1])
}

// How reliably the result follows a heading.
const (
	solved = iota + 1
	concluded
)

// resultHeadings has headings above the result of an answer, with how reliable they are.
var resultHeadings = sync.OnceValue(func() map[string]int {
	all := make(map[string]int)
	for heading := range words.Set(`fix the+fix solution the+solution answer the+answer short+answer root+cause
		the+root+cause`) {
		all[heading] = solved
	}
	for heading := range words.Set(`result results outcome conclusion conclusions verdict recommendation recommendations
		bottom+line summary tl;dr tldr final+summary executive+summary`) {
		all[heading] = concluded
	}
	return all
})

// says returns the text of a block, with what it announces; "" if it has no content of its own.
func (o *openingReader) says(at int) string {
	b := o.blocks[at]
	switch {
	case b.kind == code:
		if at == 0 { // an answer that is a file or a command
			return sentences(markup.Excerpt(paragraph(strings.TrimSpace(b.text)), 4*maxText), 3, maxText)
		}
		o.keep(b.text)
		return ""
	case b.kind == heading:
		return ""
	}
	more := at+1 < len(o.blocks)
	line := withoutInterjection(markup.Excerpt(listed(b.text), 4*maxText), more)
	all := cutSentences(line)
	if more && isPreparation(b.text) {
		all = nil
	}
	var said []string
	for i, s := range all {
		last := i == len(all)-1
		switch {
		case last && endsWithColon(s):
			said = o.announcing(said, s, at+1)
		case more && announces(s) && !strings.ContainsAny(s, ":："):
		default:
			said = append(said, s)
		}
	}
	text := joinSentences(said)
	if text == "" {
		o.keep(line)
		return ""
	}
	if next := at + 1; len(text) < shortBlock && !endsWithColon(line) && next < len(o.blocks) {
		if n := o.blocks[next]; n.kind == prose && !strings.HasPrefix(n.text, ">") { // "Done, committed and pushed."
			o.sections = 0
			if below := o.says(next); below != "" {
				text += " " + below
			}
		}
	}
	return text
}

// keep keeps a text as the fallback.
func (o *openingReader) keep(text string) {
	if o.fallback == "" {
		o.fallback = markup.Excerpt(listed(text), maxText)
	}
}

// announcing adds a sentence that ends with a colon to those before it, with what it announces in the next blocks.
func (o *openingReader) announcing(said []string, sentence string, next int) []string {
	items := announced(o.blocks[min(next, len(o.blocks)):])
	isBare := announces(sentence)
	switch {
	case isBare && (items == "" || len(said) == 0 && isWork(sentence)):
		return said
	case items == "" && len(said) > 0:
		return said
	case items == "":
		return append(said, strings.TrimRight(sentence, ":：")+"…")
	case isBare && (len(said) > 0 || o.heading != ""):
		return append(said, items)
	}
	return append(said, sentence, items)
}

// withQuestion returns the first sentences of a text, and the question that the answer ends with.
func (o *openingReader) withQuestion(text string) string {
	room := maxText
	if o.asks != "" && strings.Contains(text, o.asks) {
		o.asks = ""
	}
	if o.asks != "" {
		room -= utf8.RuneCountInString(o.asks) + 1
	}
	return Sentence(sentences(text, 3, room), o.asks)
}

// maxQuestion is the maximum length of a question at the end of an answer, in runes.
const maxQuestion = 120

// lastQuestion returns the question that an answer ends with, "" if there is none or it is too long.
func lastQuestion(answer string) string {
	answer = strings.TrimSpace(answer)
	last := answer[strings.LastIndexByte(answer, '\n')+1:]
	if isList(last) || !asks(strings.TrimRight(last, "*_")) {
		return ""
	}
	if q := Question(answer); asks(q) && utf8.RuneCountInString(q) <= maxQuestion {
		return q
	}
	return ""
}

// shortBlock is the size in bytes below which a first paragraph is not enough by itself.
const shortBlock = 80

// announced returns what a colon announces: the list or the text after it, or the headings and the first words of the
// parts that follow. It returns "" for code or a table.
func announced(blocks []block) string {
	var items []string
	below := "" // the first heading
	level := 0  // of the first heading: deeper ones, and names below it, are its parts
	for i, b := range blocks[:min(len(blocks), maxAnnounced)] {
		first, _, _ := strings.Cut(b.text, "\n")
		switch {
		case b.kind == code && i == 0:
			return ""
		case b.kind == code:
		case b.kind == heading:
			level = cmp.Or(level, b.level)
			if i == 0 && headingWords(b.text) == "how it works" {
				return ""
			}
			if !isGeneric(b.text) && b.level <= level {
				items = append(items, strings.TrimRight(b.text, ":："))
			}
		case level == 0 && isLabel(first):
			items = append(items, strings.TrimRight(markup.Excerpt(first, maxHeading), ":："))
		case len(items) == 0:
			text := markup.Excerpt(listed(b.text), 4*maxText)
			if all := cutSentences(text); len(all) > 0 && endsWithColon(all[len(all)-1]) {
				all = all[:len(all)-1]
				text = joinSentences(all)
			}
			return text
		case below == "":
			below = markup.Excerpt(listed(b.text), 4*maxText)
		}
	}
	if len(items) == 1 && below != "" && !endsWithColon(below) {
		return below
	}
	return strings.Join(items, "; ")
}

// maxAnnounced is the maximum number of blocks after a colon that are read.
const maxAnnounced = 24

// isLabel reports whether the first line of a paragraph begins with a name, bold or as code, and is not an item of a
// list.
func isLabel(first string) bool {
	return strings.HasPrefix(first, "**") || strings.HasPrefix(first, "`")
}

// announcement matches the beginning of sentences that only say what comes next.
var announcement = expression(`(?i)^(?:(?:ok|okay|so|now|first|next|then|great|perfect|excellent|good|alright|` +
	`based on [^:]{1,120}),?!? )*(?:` + working + `|` +
	`(?:here|below) (?:is|are|was|were)\b|here['’]s\b|the following\b|` +
	`i (?:now )?have (?:all|enough|everything|a (?:complete|full|clear|good|comprehensive))\b|` +
	`i (?:think i )?(?:now )?(?:understand|see) (?:the|what|how|why)\b)`)

// working matches the beginning of sentences in which the model says what it will do.
const working = `(?:i think )?(?:let me|let['’]s|i['’]ll|i will|i am going to|i['’]m going to|i need to)\b`

// maxAnnouncement is the maximum length of a sentence that only announces, in runes. A longer one has content, too.
const maxAnnouncement = 100

// announces reports whether a sentence only announces what comes next.
func announces(sentence string) bool {
	sentence = strings.TrimSpace(sentence)
	return announcement().MatchString(sentence) &&
		(endsWithColon(sentence) || isWork(sentence) || utf8.RuneCountInString(sentence) <= maxAnnouncement)
}

var workAhead = expression(`(?i)\b` + working)

// isWork reports whether a sentence says what the model will do.
func isWork(sentence string) bool { return workAhead().MatchString(sentence) }

// research matches what a model says it will do before it has an answer.
var research = expression(`(?i)\b` + working + ` (?:also |now |just |first |quickly )*` +
	`(?:check|verify|look|examine|explore|read|see|try|run|test|search|find|confirm|inspect|investigate|analyze|` +
	`analyse|trace|think|create|write|compile)\b`)

// isPreparation reports whether a paragraph ends by announcing work, so that the answer comes later.
func isPreparation(text string) bool {
	all := cutSentences(markup.Excerpt(text, 4*maxText))
	return len(all) > 0 && research().MatchString(all[len(all)-1])
}

// generic are words of headings. A heading with only these words tells nothing about its answer.
var generic = words.Set(`a an and the of to in for with my our your i we you it its is are was were be did do does how what
	which why where here now this that
	tl;dr tldr summary summaries result results answer overview conclusion conclusions done complete completed finished
	report recap outcome update updates status final executive change changes changed made key main short brief
	project session work investigation analysis findings found files file created updated modified added removed
	next step steps required setup manual current behaviour behavior implementation implemented
	root cause causes problem problems issue issues fix solution details detail note notes background context
	introduction approach works left verification testing test tests tested coverage features feature usage information
	structure directory section sections documentation example examples`)

var parenthesis = expression(`\([^()]*\)`)

// isGeneric reports whether any answer could have the heading.
func isGeneric(heading string) bool {
	for word := range strings.FieldsSeq(headingWords(heading)) {
		if !generic[word] {
			return false
		}
	}
	return true
}

// headingWords returns the words of a heading in lower case, without numbers, pictures and parentheses.
func headingWords(heading string) string {
	plain := strings.ToLower(parenthesis().ReplaceAllString(heading, ""))
	var kept []string
	for word := range strings.FieldsSeq(plain) {
		if word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

func endsWithColon(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }
