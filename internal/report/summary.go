package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"viewer/internal/export"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// Limit is the maximum size of the summary of a step on GitHub, which drops a longer one as a whole.
const Limit = 900_000

// SummaryOptions are options of a summary. The zero value has the defaults.
type SummaryOptions struct {
	BaseURL string // future address of the folder of the report, "" if unknown: then there are no links
	Limit   int    // bytes; 0 means Limit
}

// longestOutput limits how much a summary shows of an output, in bytes. The report has all of it.
const longestOutput = 4 << 10

// longestText limits a prompt, an answer and a message, in bytes. Markdown takes long to be made safe.
const longestText = 60 << 10

// Summary returns the facts in Markdown, for the page of a job. It has no HTML of a transcript, loads nothing and
// mentions nobody. It is never longer than the limit: sections, rows and calls that do not fit are left out, and its
// end counts them. The options must be those with which the parts of the runs were made. head is called for all runs,
// then details.
func Summary(f Facts, o SummaryOptions, head, details func(run int) ([]byte, error)) ([]byte, error) {
	w := summary{left: o.limit() - 600} // for the words at the end
	for _, why := range f.Failures {
		w.add(section{head: "## ❌ " + markup.ForgeLine(words.Clip(why, 300)) + "\n\n"})
	}
	write := func(run int, text func(int) ([]byte, error)) error {
		packed, err := text(run)
		for len(packed) > 0 && err == nil {
			var s section
			s, packed = unpack(packed)
			if rest, ok := strings.CutPrefix(s.head, "## "+successSign+" "); ok && len(f.Failures) > 0 {
				s.head = "## " + rest // the failures above give the verdict
			}
			if !s.among || f.Sessions > 1 {
				w.add(s)
			}
		}
		return err
	}
	for i := range f.Sessions { // all heads before the details
		if err := write(i, head); err != nil {
			return nil, err
		}
		if i == 0 {
			if s := secrets(f); s.parts != nil {
				w.add(s)
			}
		}
	}
	for i := range f.Sessions {
		if err := write(i, details); err != nil {
			return nil, err
		}
	}
	if w.cut > 0 {
		note := fmt.Sprintf("*This summary was cut: %s left out.*\n", words.Plural(w.cut, "part is", "parts are"))
		if page := o.Page(f.page); page != "" {
			note = fmt.Sprintf("*This summary was cut: %s left out. [The report](%s) has everything.*\n",
				words.Plural(w.cut, "part is", "parts are"), page)
		}
		w.b.WriteString(note)
	}
	return []byte(strings.TrimRight(w.b.String(), "\n") + "\n"), nil
}

// summary returns the head and the details of a run, packed.
func (r *Run) summary(o SummaryOptions) (head, details []byte) {
	d := draft{o: o, page: o.Page(r.Page), run: r}
	d.head(r)
	head, d.packed = d.packed, nil
	d.pack(section{among: true, head: "### " + markup.ForgeLine(words.Clip(r.Title, 120)) + "\n\n"})
	d.commands(r)
	d.turns(r)
	return head, d.packed
}

func (o SummaryOptions) limit() int { return cmp.Or(o.Limit, Limit) }

// Page returns the address of a page of the report.
func (o SummaryOptions) Page(name string) string {
	if o.BaseURL == "" || name == "" {
		return ""
	}
	base := addressable.Replace(o.BaseURL)
	if strings.HasSuffix(base, ".html") {
		return base
	}
	return strings.TrimSuffix(base, "/") + "/" + name
}

// A summary is a summary that is being written.
type summary struct {
	b    strings.Builder
	left int // bytes
	cut  int // number of parts that did not fit
}

// add writes a section: a head, as many parts as fit, and an end. It writes nothing if not even one part fits. A
// section without parts is written if it fits.
func (w *summary) add(s section) {
	const note = "*… and 999,999 more*\n\n"
	switch {
	case s.parts == nil && s.more == 0 && len(s.head) <= w.left:
		w.left -= len(s.head)
		w.b.WriteString(s.head)
		return
	case s.parts == nil || len(s.head)+len(s.parts[0])+len(s.end)+len(note) > w.left:
		w.cut++
		return
	}
	w.left -= len(s.head) + len(s.end) + len(note)
	w.b.WriteString(s.head)
	left := s.more
	for i, p := range s.parts {
		if len(p) > w.left {
			left += len(s.parts) - i
			break
		}
		w.left -= len(p)
		w.b.WriteString(p)
	}
	w.cut += left
	w.b.WriteString(s.end)
	if left > 0 {
		fmt.Fprintf(&w.b, "*… and %s more*\n\n", words.Count(left))
	}
}

// A draft collects the sections of a run.
type draft struct {
	o      SummaryOptions
	page   string // of the run, "" without links
	run    *Run
	packed []byte
}

// whole adds a section of one part.
func (w *draft) whole(part string) { w.pack(section{head: part}) }

// section adds parts between a head and an end.
func (w *draft) section(head string, parts []string, end string) {
	if len(parts) > 0 {
		w.pack(section{head: head, parts: parts, end: end})
	}
}

// pack packs a section, without parts that can never fit.
func (w *draft) pack(s section) { w.packed = s.pack(w.packed, w.o.limit()) }

// to returns words as a link to a place of the report.
func (w *draft) to(words, anchor string) string {
	if w.page == "" || anchor == "" {
		return words
	}
	page := w.page
	if other := w.run.source.Places[anchor]; other != "" {
		page = w.o.Page(other)
	}
	return "[" + words + "](" + page + "#" + w.run.source.Prefix + anchor + ")"
}

// addressable escapes an address for the parentheses of a link.
var addressable = strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "<", "%3C", ">", "%3E", "|", "%7C", "\\",
	"%5C", "\n", "")

// head writes how a run ended, and its totals.
func (w *draft) head(r *Run) {
	sign := outcomeWords[r.Outcome].sign
	said := r.words()
	w.whole("## " + sign + " " + strings.ToUpper(said[:1]) + markup.ForgeLine(said[1:]) + "\n\n")
	title := "**" + markup.ForgeLine(words.Clip(r.Title, 120)) + "**"
	if r.Project != "" {
		title += " · " + markup.ForgeLine(r.Project)
	}
	if w.page != "" {
		title += " · [open the report](" + w.page + ")"
	}
	w.whole(title + "\n\n")
	w.whole(r.numbers())
	if len(r.Unpriced) > 0 {
		w.whole("*The cost of " + forgeUnpriced(r.Unpriced) + " is unknown and not in the cost above.*\n\n")
	}
	if a := r.answer(); a != "" {
		w.whole("### Answer\n\n" + a + "\n\n")
	}
	w.errors(r)
	w.denied(r)
	w.failedCommands(r)
	w.permissions(r)
	w.files(r)
	w.problems(r)
	w.models(r)
}

// forgeUnpriced names the models whose cost is unknown.
func forgeUnpriced(models []string) string {
	var names []string
	for _, name := range models[:min(len(models), maxUnpriced)] {
		if w := export.ModelWords(name); w != name {
			names = append(names, w)
		} else {
			names = append(names, markup.ForgeCode(name))
		}
	}
	return strings.Join(names, ", ")
}

// numbers returns the counts of a run in one table.
func (r *Run) numbers() string {
	cost := "unknown"
	if r.CostUSD > 0 {
		cost = words.Dollars(r.CostUSD)
		if r.ListPrice {
			cost += " list price"
		}
		if len(r.Unpriced) > 0 {
			cost += " and unknown"
		}
	}
	calls := words.Count(r.Calls)
	if r.Failed > 0 {
		calls += ", " + words.Count(r.Failed) + " failed"
	}
	return "| turns | cost | duration | tokens in | tokens out | tool calls | agents |\n|--:|--:|--:|--:|--:|--:|--:|\n" +
		fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %d |\n\n", words.Count(r.Turns), cost,
			words.Duration(time.Duration(r.Seconds*1e9)),
			words.Short(r.Tokens.In())+r.Tokens.FromCache(), words.Short(r.Tokens.Output), calls, r.Agents)
}

func (r *Run) answer() string {
	if len(r.Answer) > longestText {
		return markup.Forge(strings.ToValidUTF8(r.Answer[:longestText], "")) + "\n\n*… the report has the rest.*"
	}
	return markup.Forge(r.Answer)
}

func (w *draft) errors(r *Run) {
	var rows []string
	for _, e := range r.Errors {
		rows = append(rows, "- "+markup.ForgeLine(words.Clip(e.Text, 500))+w.mark(e.Anchor)+"\n")
	}
	w.section("### Errors\n\n", rows, "\n")
}

// mark returns a link to put after a text that cannot be a link itself.
func (w *draft) mark(anchor string) string {
	if w.page == "" || anchor == "" {
		return ""
	}
	return " · " + w.to("show", anchor)
}

func (w *draft) denied(r *Run) {
	var rows []string
	for _, d := range r.Denied {
		rows = append(rows, "- "+w.to(markup.ForgeLine(words.Clip(d.Tool, 60)), d.Anchor)+" "+
			markup.ForgeCode(words.Clip(d.Target, 300))+"\n")
	}
	w.section("### Denied\n\n", rows, "\n")
}

func (w *draft) failedCommands(r *Run) {
	var parts []string
	for _, c := range r.Commands {
		if !c.failed() || c.Mended {
			continue
		}
		exit := ""
		if c.Exit != "" {
			exit = " · exit " + c.Exit
		}
		output := export.Plain(c.Output)
		part := "<details><summary>❌ <code>" + markup.ForgeHTML(words.Line(c.Command, 160)) + "</code>" + exit +
			"</summary>\n\n"
		if w.page != "" {
			part += w.to("show in the report", c.Anchor) + "\n\n"
		}
		part += markup.Fence(c.Command, "sh") + "\n\n"
		if strings.TrimSpace(output) != "" {
			part += markup.Fence(output, "") + "\n\n"
		}
		parts = append(parts, part+"</details>\n\n")
	}
	w.section("### Commands that failed\n\n", parts, "")
}

func (w *draft) files(r *Run) {
	var rows []string
	for _, f := range r.Files {
		if f.undone {
			continue
		}
		what := f.state()
		path := w.to(markup.ForgeCell(words.Clip(f.Path, 200)), f.Anchor)
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", path, signed("+", f.Added),
			signed("−", f.Removed), what))
	}
	const beside = "*" + ofCommands + "*\n\n"
	switch {
	case len(r.Commands) == 0:
		w.section("### Files changed\n\n| file | added | removed | |\n|:--|--:|--:|:--|\n", rows, "\n")
	case len(rows) == 0:
		w.whole("### Files changed\n\nNone. " + beside)
	default:
		w.section("### Files changed\n\n| file | added | removed | |\n|:--|--:|--:|:--|\n", rows, "\n"+beside)
	}
}

// ofCommands says what commands changed counts.
const ofCommands = "Of commands, only files that they removed, renamed or restored and here documents count."

func (f *File) state() string {
	switch {
	case f.Created:
		return "new"
	case f.Deleted:
		return "deleted"
	}
	return ""
}

func signed(sign string, n int) string {
	if n == 0 {
		return ""
	}
	return sign + words.Count(n)
}

func (w *draft) problems(r *Run) {
	var rows []string
	for _, p := range r.Problems {
		rows = append(rows, "- "+markup.ForgeLine(words.Clip(p.String(), 300))+"\n")
	}
	w.section("### Problems in the log\n\n", rows, "\n")
}

func (w *draft) models(r *Run) {
	var rows []string
	for _, m := range r.ByModel {
		cost := ""
		if m.CostUSD > 0 {
			cost = words.Dollars(m.CostUSD)
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", markup.ForgeCell(words.Clip(m.Model, 60)),
			words.Short(m.Tokens.Input), words.Short(m.Tokens.CacheRead),
			words.Short(m.Tokens.CacheWrite), words.Short(m.Tokens.Output), cost))
	}
	w.section("### Models\n\n| model | input | cache read | cache written | output | cost |\n|:--|--:|--:|--:|--:|--:|\n", rows, "\n")
}

func (w *draft) commands(r *Run) {
	var rows []string
	failed := 0
	for _, c := range r.Commands {
		how := c.State
		switch {
		case c.Exit != "":
			how = "exit " + c.Exit
		case c.Unclear:
			how = "ran"
		case c.State == "done":
			how = ""
		}
		if c.failed() {
			failed++
		}
		took := ""
		if c.Seconds > 0 {
			took = words.Duration(time.Duration(c.Seconds * 1e9))
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n",
			w.to(markup.ForgeCell(words.Line(c.Command, 200)), c.Anchor), how, took))
	}
	title := words.Plural(len(r.Commands), "command", "commands")
	if failed > 0 {
		title += ", " + words.Count(failed) + " failed"
	}
	w.section("<details><summary>"+title+"</summary>\n\n| command | | took |\n|:--|:--|--:|\n", rows,
		"\n</details>\n\n")
}

// turns writes all prompts and what followed them, folded.
func (w *draft) turns(r *Run) {
	o := export.Options{Level: export.Tools, Longest: longestOutput, LongestText: longestText}
	number := 0
	for _, t := range r.session.Conversation.Turns {
		blocks := export.MarkdownBlocks(r.session, o, t)
		title := "What was done"
		if t.Asked() {
			number++
			title = "Prompt " + words.Count(number)
			if words := markup.Excerpt(r.PromptTexts[number-1], 100); words != "" {
				title += ": " + markup.ForgeHTML(words)
			}
		}
		for i, b := range blocks {
			if len(b) > w.o.limit()/4 { // an agent that worked for hours
				blocks[i] = "*A call that is too long for a summary: the report has it.*\n\n"
			}
		}
		w.section("<details><summary>"+title+"</summary>\n\n", blocks, "</details>\n\n")
	}
}

func secrets(f Facts) section {
	s := section{head: "### Redacted secrets\n\n", end: "\n"}
	for _, kind := range sortedKinds(f.Secrets) {
		s.parts = append(s.parts, fmt.Sprintf("- %s × %d\n", markup.ForgeLine(kind), f.Secrets[kind]))
	}
	return s
}
