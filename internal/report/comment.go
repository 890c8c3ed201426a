package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/words"
)

// commentLimit is the maximum length of a comment in bytes. GitHub refuses comments of more than 65,536 characters, and
// the script that posts one adds a line or two.
const commentLimit = 64_000

// CommentOptions are options of a comment. The zero value has the defaults.
type CommentOptions struct {
	BaseURL string // as in [SummaryOptions]
	Limit   int    // bytes; 0 means commentLimit
	Choice  string // how the sessions were chosen, one line of plain text; "" for none
}

func (o CommentOptions) summary() SummaryOptions {
	return SummaryOptions{BaseURL: o.BaseURL, Limit: cmp.Or(o.Limit, commentLimit)}
}

// A comment is a comment that is being written.
type comment struct {
	summary
	limit int
}

// part adds a section that takes at most a percentage of the comment.
func (c *comment) part(percent int, head string, parts []string, end string) {
	if len(parts) == 0 {
		return
	}
	rest := c.left
	c.left = min(rest, c.limit*percent/100)
	before := c.left
	c.add(section{head: head, parts: parts, end: end})
	c.left = rest - (before - c.left)
}

// Comment describes runs for reviewers, in Markdown: prompts, changes, commands and tests, denied calls, time and cost.
// It is made like a [Summary]. It is never longer than its limit: parts that do not fit are left out, and its end
// counts them. The parts are made by PartOf with Wanted.Comment.
func Comment(f Facts, parts []Part, o CommentOptions) []byte {
	limit := o.summary().limit()
	c := comment{summary{left: limit - 600}, limit - 600}
	all := collect(parts)
	c.head(f, parts, all, o)
	if len(parts) == 0 {
		return []byte(strings.TrimRight(c.b.String(), "\n") + "\n")
	}
	c.part(14, "### Asked\n\n", all.asked, "\n")
	c.changes(all)
	c.checks(all)
	if all.ran > 0 {
		c.part(10, "### "+all.commandTitle()+"\n\n", all.failures, "\n")
	}
	c.part(5, "### Denied\n\n", all.denied, "\n")
	c.part(5, "### Commits and pull requests\n\n", all.git, "\n")
	c.hunks(all)
	c.part(100, "<details><summary>All commands ("+words.Count(all.ran)+")</summary>\n\n| command | |\n|:--|:--|\n",
		all.commands,
		"\n</details>\n\n")
	if c.cut > 0 {
		note := fmt.Sprintf("*This comment was cut: %s left out.*\n", words.Plural(c.cut, "part is", "parts are"))
		if page := o.summary().Page(f.page); page != "" {
			note = fmt.Sprintf("*This comment was cut: %s left out. [The report](%s) has everything.*\n",
				words.Plural(c.cut, "part is", "parts are"), page)
		}
		c.b.WriteString(note)
	}
	return []byte(strings.TrimRight(c.b.String(), "\n") + "\n")
}

// collect joins the packets of runs, in their order.
func collect(parts []Part) packet {
	var all packet
	files := make(map[string]int)
	checks := make(map[string]int)
	for i := range parts {
		p := &parts[i].packet
		all.asked = append(all.asked, p.asked...)
		for _, f := range p.files {
			at, known := files[f.path]
			if !known {
				files[f.path] = len(all.files)
				all.files = append(all.files, f)
				continue
			}
			sum := &all.files[at]
			f.added, f.removed = f.added+sum.added, f.removed+sum.removed
			f.created, f.binary = f.created || sum.created && !f.gone, f.binary || sum.binary
			f.large, f.foreign = f.large || sum.large, f.foreign+sum.foreign
			*sum = f
		}
		for _, k := range p.checks {
			key := k.kind.String() + " " + k.name
			at, known := checks[key]
			if !known {
				checks[key] = len(all.checks)
				all.checks = append(all.checks, k)
				continue
			}
			k.calls += all.checks[at].calls
			all.checks[at] = k
		}
		all.hunks = append(all.hunks, p.hunks...)
		all.commands = append(all.commands, p.commands...)
		all.failures = append(all.failures, p.failures...)
		all.denied = append(all.denied, p.denied...)
		all.git = append(all.git, p.git...)
		all.lost += p.lost
		all.more, all.ran, all.failed, all.mended = all.more+p.more, all.ran+p.ran, all.failed+p.failed,
			all.mended+p.mended
	}
	slices.SortStableFunc(all.files, func(a, b changedFile) int {
		if a.outside != b.outside {
			if a.outside {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.added+b.removed, a.added+a.removed), cmp.Compare(a.path, b.path))
	})
	slices.SortStableFunc(all.hunks, compareHunks)
	slices.SortStableFunc(all.checks, func(a, b checked) int { return cmp.Compare(a.kind, b.kind) })
	slices.Sort(all.git)
	all.git = slices.Compact(all.git)
	return all
}

// head writes the totals of the runs, and lists them.
func (c *comment) head(f Facts, parts []Part, all packet, o CommentOptions) {
	for _, why := range f.Failures {
		c.add(section{head: "## ❌ " + markup.ForgeLine(words.Clip(why, 300)) + "\n\n"})
	}
	if len(parts) == 0 {
		c.add(section{head: "## Agent work: no session\n\n"})
		return
	}
	title := "## Agent work"
	n, outside, added, removed := 0, 0, 0, 0
	for _, file := range all.files {
		if file.outside {
			outside++
			continue
		}
		n, added, removed = n+1, added+file.added, removed+file.removed
	}
	if n > 0 {
		title += ": " + words.Plural(n, "file", "files")
		if net := plusMinus(added, removed); net != "" {
			title += ", " + net
		}
	}
	if outside > 0 {
		title += fmt.Sprintf("%s %s outside of the project", map[bool]string{true: ",", false: ":"}[n > 0],
			words.Plural(outside, "file", "files"))
	}
	c.add(section{head: title + "\n\n"})
	if o.Choice != "" {
		c.add(section{head: "*" + markup.ForgeLine(words.Line(o.Choice, 500)) + "*\n\n"})
	}
	prompts := 0
	var rows []string
	for i := range parts {
		prompts += parts[i].prompts
		rows = append(rows, parts[i].packet.row)
	}
	if len(parts) == 1 {
		ending := parts[0].packet.ending
		if len(f.Failures) > 0 {
			ending = strings.TrimPrefix(ending, successSign+" ")
		}
		c.add(section{head: parts[0].packet.title + " · " + ending + "\n\n"})
	}
	c.add(section{head: f.commentNumbers(prompts)})
	if len(f.Unpriced) > 0 {
		c.add(section{head: "*The cost of " + forgeUnpriced(f.Unpriced) +
			" is unknown and not in the cost above.*\n\n"})
	}
	if len(parts) > 1 {
		c.part(10, "| session | began | prompts | cost | outcome |\n|:--|:--|--:|--:|:--|\n", rows, "\n")
	}
	if s := secrets(f); s.parts != nil {
		c.part(3, s.head, s.parts, s.end)
	}
}

// commentNumbers returns the totals of the runs in one table.
func (f *Facts) commentNumbers(prompts int) string {
	t := Run{
		Turns: f.Turns, Calls: f.Calls, Failed: f.Failed, Agents: f.agents, Seconds: f.Seconds, Tokens: f.Tokens,
		Spent: f.Spent,
	}
	table := t.numbers()
	rows := strings.SplitN(table, "\n", 4)
	return "| sessions | prompts " + rows[0] + "\n|--:|--:" + rows[1] + "\n" +
		fmt.Sprintf("| %s | %s ", words.Count(f.Sessions), words.Count(prompts)) + rows[2] + "\n\n"
}

// changes writes the net change of each file.
func (c *comment) changes(all packet) {
	rows := make([]string, len(all.files))
	for i, f := range all.files {
		what := ""
		switch {
		case f.large:
			what = "too large to compare"
		case f.binary:
			what = "binary"
		case f.gone:
			what = "deleted"
		case f.created:
			what = "new"
		}
		if f.foreign > 0 {
			what = strings.TrimPrefix(what+", "+words.Plural(f.foreign, "line", "lines")+" by others", ", ")
		}
		if f.outside {
			what = strings.TrimPrefix(what+", outside", ", ")
		}
		rows[i] = fmt.Sprintf("| %s | %s | %s | %s |\n", f.link, signed("+", f.added), signed("−", f.removed), what)
	}
	var notes []string
	if all.ran > 0 {
		notes = append(notes, ofCommands)
	}
	if all.lost > 0 {
		notes = append(notes, fmt.Sprintf("%s of the log could not be read: what they did is missing here.",
			words.Plural(all.lost, "line", "lines")))
	}
	beside := ""
	if len(notes) > 0 {
		beside = "*" + strings.Join(notes, " ") + "*\n\n"
	}
	if len(rows) == 0 {
		c.add(section{head: "### Changed\n\nNo file by a tool.\n\n" + beside})
		return
	}
	c.part(12, "### Changed\n\n| file | added | removed | |\n|:--|--:|--:|:--|\n", rows, "\n"+beside)
}

// hunks writes the largest hunks, folded.
func (c *comment) hunks(all packet) {
	parts := make([]string, len(all.hunks))
	for i, h := range all.hunks {
		parts[i] = h.text
	}
	if len(parts) > 0 {
		c.part(30, "### Largest changes\n\n", parts, "")
		c.cut += all.more
	}
}

// checks writes the tests, linters and builds.
func (c *comment) checks(all packet) {
	rows := make([]string, len(all.checks))
	for i, k := range all.checks {
		last := map[outcome.Verdict]string{
			outcome.Green: "✅ green", outcome.Red: "❌ red", outcome.Unclear: "ran",
		}[k.verdict]
		rows[i] = fmt.Sprintf("| %s | %s | %s | %s |\n", k.link, k.kind, words.Count(k.calls), last)
	}
	c.part(5, "### Tests and checks\n\n| check | | runs | last |\n|:--|:--|--:|:--|\n", rows, "\n")
}

// commandTitle returns counts of the commands: "41 commands, 3 failed, 2 of them mended".
func (p *packet) commandTitle() string {
	title := words.Plural(p.ran, "command", "commands")
	if p.failed > 0 {
		title += ", " + words.Count(p.failed) + " failed"
	}
	if p.mended > 0 {
		title += ", " + words.Count(p.mended) + " of them mended"
	}
	return title
}
