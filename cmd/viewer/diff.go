package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"viewer/internal/changes"
	"viewer/internal/console"
	"viewer/internal/settings"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

type diffFlags struct {
	redactFlags
	sources []string
	files   []string
	turn    int
	stat    bool
	noPager bool
	out     string
}

func newDiff(u *ui) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff SESSION",
		Short: "Show what a session changed, as a patch",
		Long: `diff replays what the calls of a session did to files, and prints the final result: a
patch that git apply accepts in the folder of the session. SESSION is a file, an id or
the beginning of one, or - for standard input.

Calls that failed or were denied do not count, nor do attempts that were taken back.
Changes that others made in between (a command, a hook, a person) are in the patch as
far as the log shows them. Files outside of the folder of the session are only in
--stat. If the log does not have the text of a file, each of its changes is a separate
patch, unless they fit one another.

Secrets and personal data are redacted. A patch that contains redacted text applies
only with --no-redact.`,
		Example: `  viewer diff ab12
  viewer diff ab12 --stat
  viewer diff ab12 --turn 3 --file '*.go'
  viewer diff ab12 --no-redact | git apply --check`,
		Args:              oneSession,
		ValidArgsFunction: completeSession,
		RunE:              func(c *cobra.Command, args []string) error { return diffSession(c, u, f, args[0]) },
	}
	c.Flags().BoolVar(&f.stat, "stat", false, "print only the number of changed lines of each file")
	c.Flags().IntVar(&f.turn, "turn", 0, "only changes from prompt `N` to the next")
	c.Flags().StringArrayVar(&f.files, "file", nil, "only files that match `PATTERN` or are below it; may be repeated")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write to `FILE` instead of standard output")
	addNoPager(c, &f.noPager)
	addSource(c, &f.sources)
	f.add(c)
	return c
}

func diffSession(c *cobra.Command, u *ui, f diffFlags, session string) error {
	if err := checkOutputs(c.Context(), append(f.sources, session), outputFile("-o", f.out)); err != nil {
		return err
	}
	for _, pattern := range f.files {
		if _, err := path.Match(pattern, ""); err != nil {
			return usagef("--file %s: %w", pattern, err)
		}
	}
	in, err := readInput(c.Context(), u, []string{session})
	if err != nil {
		return err
	}
	defer in.drop()
	o := sitegen.Options{Sources: f.sources, Redaction: f.redaction(), Version: version, Originals: true}
	s, err := sitegen.OpenSession(c.Context(), o, in.files[0])
	if err := exportError(session, in.named(err)); err != nil {
		return err
	}
	if n := transcript.CountLost(s.Conversation.Problems); n > 0 {
		u.warn("%s of the log could not be read, and what they did is missing: viewer check lists them",
			words.Plural(n, "line", "lines"))
	}
	folder := s.Conversation.Facts.CWD
	asked := changes.Options{Folder: folder}
	if f.turn != 0 || u.from["turn"] == settings.ByCommandLine { // a file may state the default
		asked.Prompt = &f.turn
		n := 0
		for _, t := range s.Conversation.Turns {
			if t.Asked() {
				n++
			}
		}
		if f.turn < 1 || f.turn > n {
			return usagef("--turn %d: the session has %s", f.turn, words.Plural(n, "prompt", "prompts"))
		}
	}
	files := changes.Replay(changes.Steps(s.Conversation), asked).Files
	files = slices.DeleteFunc(files, func(file changes.File) bool { return !f.chooses(file, folder) })
	slices.SortFunc(files, func(a, b changes.File) int { return cmp.Compare(a.Path, b.Path) })
	if len(files) == 0 {
		u.line("the log shows no changed files")
		return nil
	}
	if f.stat {
		return f.write(u, []byte(diffStat(files, folder, cmp.Or(u.outColumns(), usualColumns), u.colors(u.out))), true)
	}
	var p changes.Patch
	for i := range files {
		files[i].Redact(s.Redact)
		p.Add(&files[i], folder)
	}
	printOmitted(u, &p, s.Redacted)
	return f.write(u, p.Bytes(), false)
}

// chooses reports whether a file is selected.
func (f diffFlags) chooses(file changes.File, folder string) bool {
	name, inside := changes.Below(file.Path, folder)
	if !inside {
		name = file.Path
	}
	return len(f.files) == 0 ||
		slices.ContainsFunc(f.files, func(pattern string) bool { return changes.Matches(pattern, name) })
}

// write prints a patch, or writes it to a file. Programs get its exact bytes. Terminals and CI logs get no control
// sequences.
func (f diffFlags) write(u *ui, text []byte, plain bool) error {
	if f.out != "" && f.out != "-" {
		if err := output.WriteFile(f.out, text); err != nil {
			return err
		}
		u.line("wrote %s", f.out)
		return nil
	}
	colored := u.colors(u.out)
	if u.outColumns() == 0 && !colored && !inCI() {
		_, err := u.out.Raw().Write(text)
		return err
	}
	if colored && !plain {
		text = colorPatch(text)
	} else if !plain {
		text = []byte(console.Text(string(text)))
	}
	if f.noPager {
		return u.printAll(text)
	}
	return u.page(text)
}

// inCI reports whether a CI service reads the output.
func inCI() bool {
	services := []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"}
	return slices.ContainsFunc(services, func(name string) bool { return os.Getenv(name) != "" })
}

// printOmitted prints what a patch does not contain.
func printOmitted(u *ui, p *changes.Patch, redacted map[string]int) {
	for _, left := range []struct {
		files []string
		why   string
	}{
		{p.Outside, "outside of the folder of the session"},
		{p.Binary, "binary"},
		{p.Large, "too large"},
	} {
		if n := len(left.files); n > 0 {
			u.line("%s left out, %s: %s", words.Plural(n, "file", "files"), left.why, firstOf(left.files))
		}
	}
	if n := len(p.Unplaced); n > 0 {
		files := slices.Compact(slices.Sorted(slices.Values(p.Unplaced)))
		u.line("%s left out, as the log does not show which lines they changed: %s",
			words.Plural(n, "change", "changes"), firstOf(files))
	}
	if len(redacted) > 0 && redactedText.Match(p.Bytes()) {
		u.line("text in the patch is redacted, so that parts of it may not apply; --no-redact keeps the text")
	}
}

// redactedText matches the replacement of a secret.
var redactedText = regexp.MustCompile(`\[[a-z][a-z0-9-]* [0-9]+\]|\[redacted\]`)

// firstOf returns the names of the first few files of a list.
func firstOf(files []string) string {
	const most = 3
	if n := len(files) - most; n > 0 {
		return strings.Join(files[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(files, ", ")
}

// colorPatch colours a patch.
func colorPatch(patch []byte) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(string(patch)) {
		line = strings.TrimSuffix(line, "\n")
		style := console.Style("")
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
			style = console.Bold
		case strings.HasPrefix(line, "+"):
			style = console.Green
		case strings.HasPrefix(line, "-"):
			style = console.Red
		case strings.HasPrefix(line, "@@"):
			style = console.Cyan
		}
		b.WriteString(string(style.Of(line)) + "\n")
	}
	return b.Bytes()
}

// diffStat returns a line with a bar for each file, and one with the totals.
func diffStat(files []changes.File, folder string, width int, colored bool) string {
	names, most, longest := make([]string, len(files)), 0, 0
	added, removed, byOthers := 0, 0, ""
	foreignAdded, foreignRemoved := 0, 0
	for i := range files {
		plus, minus := files[i].Lines()
		foreignAdded += files[i].Net.ForeignAdded
		foreignRemoved += files[i].Net.ForeignRemoved
		names[i] = console.Line(statName(&files[i], folder))
		most, added, removed = max(most, plus+minus), added+plus, removed+minus
		longest = max(longest, ansi.StringWidth(names[i]))
	}
	digits := len(fmt.Sprint(most))
	longest = min(longest, max(20, width-digits-25))
	room := max(10, width-longest-digits-5)
	var b strings.Builder
	for i := range files {
		plus, minus := files[i].Lines()
		name := names[i]
		if over := ansi.StringWidth(name) - longest; over > 0 { // the end of a path is the important part
			name = ansi.TruncateLeft(name, over+1, "…")
		}
		fmt.Fprintf(&b, " %s%s | %*d %s\n", name, strings.Repeat(" ", longest-ansi.StringWidth(name)), digits,
			plus+minus,
			statBar(plus, minus, most, room, colored))
	}
	if foreignAdded+foreignRemoved > 0 { // pages and lists count these apart
		byOthers = fmt.Sprintf(", of these +%d −%d by others: a command, a hook or a person",
			foreignAdded, foreignRemoved)
	}
	fmt.Fprintf(&b, " %s, +%d −%d%s\n", words.Plural(len(files), "file", "files"), added, removed, byOthers)
	return b.String()
}

// statName returns a file as a list shows it.
func statName(f *changes.File, folder string) string {
	short := func(name string) string {
		if below, ok := changes.Below(name, folder); ok {
			return below
		}
		return name
	}
	name := short(f.Path)
	switch {
	case f.From != "":
		name = short(f.From) + " → " + name
	case f.Binary:
		name += " (binary)"
	case f.Large:
		name += " (too large)"
	case f.Begin == changes.Absent && f.End != changes.Absent:
		name += " (new)"
	case f.End == changes.Absent:
		name += " (gone)"
	}
	return name
}

// statBar returns a bar of the added and removed lines. most is the length of the longest bar.
func statBar(plus, minus, most, room int, colored bool) string {
	if most > room {
		scale := func(n int) int { return (n*room + most - 1) / most }
		plus, minus = scale(plus), scale(minus)
	}
	green, red := console.Styled(strings.Repeat("+", plus)), console.Styled(strings.Repeat("-", minus))
	if colored {
		green, red = console.Green.Of(string(green)), console.Red.Of(string(red))
	}
	return string(green + red)
}
