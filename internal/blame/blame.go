package blame

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/internal/changes"
	"viewer/internal/failure"
	"viewer/internal/git"
	"viewer/internal/sitegen"
)

// A Result contains the lines of a file with their writers.
type Result struct {
	file  string // as given
	path  string // absolute
	repo  git.File
	lines []fileLine // the selected ones
	calls map[*sitegen.FileStep]sitegen.FileCall

	Problems int // of the sessions that touched it
}

// A fileLine is a line of a file.
type fileLine struct {
	number int
	text   string
	call   *sitegen.FileStep // that wrote it, or nil if unknown
	words  *sitegen.FileStep // that wrote it up to white space, if call is nil
	commit git.Commit        // that added it
}

// Empty returns a file without lines.
func Empty(file string) *Result { return &Result{file: file} }

// IsEmpty reports whether no line was selected.
func (b *Result) IsEmpty() bool { return len(b.lines) == 0 }

// A Query describes the file to look up.
type Query struct {
	File, Text string // its name and its content
	Since      time.Time
	Roots      []string // other paths of the repository
	Lines      Lines
}

// File finds the writer of each line of a text.
func File(ctx context.Context, o sitegen.Options, q Query) (*Result, error) {
	file, since := q.File, q.Since
	names, whole, err := namesOf(file)
	if err != nil {
		return nil, err
	}
	b := &Result{file: file, path: whole, repo: git.ReadFile(ctx, whole)}
	for _, former := range b.repo.Names {
		names[changes.CleanNative(former.Real)] = changes.CleanNative(former.Path)
		names[changes.CleanNative(former.Path)] = changes.CleanNative(former.Path)
	}
	b.repo.AddTrees(ctx, names, whole, q.Roots)
	h, err := sitegen.History(ctx, o, names)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if err := missing(h, file, o.Sources, since); err != nil {
		return nil, err
	}
	b.Problems = h.Problems
	b.take(h, q.Text, since)
	if err := b.describe(h); err != nil {
		return nil, err
	}
	b.lines = slices.DeleteFunc(b.lines, func(l fileLine) bool { return !q.Lines.has(l.number) })
	return b, nil
}

// missing returns an error if no session can have written the file.
func missing(h *sitegen.FileHistory, file string, sources []string, since time.Time) error {
	if slices.ContainsFunc(h.Steps, func(s sitegen.FileStep) bool { return !s.OnlyReads() }) {
		return nil
	}
	where := cmp.Or(strings.Join(sources, ", "), sitegen.UsualWords())
	if !since.IsZero() {
		where += " since " + since.Format("2006-01-02 15:04")
	}
	if !h.Covered {
		return failure.New(fmt.Errorf("%s is in the folder of no session in %s", file, where),
			"--source names the folder of the sessions, --root that of the repository on the machine of the logs")
	}
	return failure.New(fmt.Errorf("no session in %s changed %s with an edit tool", where, file),
		"lines that commands and people wrote are not in the logs")
}

// take replays the calls of all sessions: first those that edited the file itself, then, for lines without a writer,
// those that edited it in other work trees.
func (b *Result) take(h *sitegen.FileHistory, text string, since time.Time) {
	lines := changes.SplitLines(text)
	commits := b.repo.CommitsOf(lines, linesOf)
	for i, line := range lines {
		b.lines = append(b.lines, fileLine{number: i + 1, text: line, commit: commits[i]})
	}
	steps := b.steps(h)
	byID := make(map[string]*sitegen.FileStep)
	for i := range h.Steps {
		byID[stepKey(&h.Steps[i].Step)] = &h.Steps[i]
	}
	for _, name := range append([]string{changes.CleanNative(b.path)}, b.otherTrees(h)...) {
		all := append(slices.Clone(steps), changes.ReadStep(name, text))
		for _, f := range changes.Replay(all, changes.Options{Path: name, Proven: true}).Files {
			by := func(writers []changes.Writer, line int, from git.Commit) *sitegen.FileStep {
				if line >= len(writers) || writers[line] < 0 {
					return nil
				}
				s := byID[stepKey(&all[writers[line]])]
				if s == nil || s.Time.Before(since) || !from.Time.IsZero() &&
					from.Time.Before(s.Session.Began.Truncate(time.Second)) {
					return nil
				}
				return s
			}
			for i := range b.lines {
				l := &b.lines[i]
				if l.call == nil {
					l.call = by(f.Writers, i, l.commit)
				}
				if l.words == nil {
					l.words = by(f.Words, i, l.commit)
				}
			}
		}
	}
	for i := range b.lines {
		if l := &b.lines[i]; l.call != nil {
			l.words = nil
		}
	}
}

// otherTrees returns the paths of the file in other work trees, the one that changed last first.
func (b *Result) otherTrees(h *sitegen.FileHistory) []string {
	met := map[string]bool{changes.CleanNative(b.path): true}
	for _, former := range b.repo.Names {
		met[changes.CleanNative(former.Path)] = true
	}
	var all []string
	for i := range slices.Backward(h.Steps) {
		for _, op := range h.Steps[i].Ops {
			name := cmp.Or(op.To, op.Path)
			if !met[name] {
				all = append(all, name)
			}
			met[name] = true
		}
	}
	return all
}

// stepKey identifies a call among those of all sessions.
func stepKey(s *changes.Step) string { return s.ID + " " + s.Anchor + " " + s.Time.String() }

// steps returns the calls of all sessions and the renames that git knows. A rename is before the first call that uses
// the new name.
func (b *Result) steps(h *sitegen.FileHistory) []changes.Step {
	steps := make([]changes.Step, len(h.Steps))
	turn := 0 // a block that was cut in one turn is not pasted in another
	for i := range h.Steps {
		if i > 0 && (h.Steps[i].Session != h.Steps[i-1].Session || h.Steps[i].Turn != h.Steps[i-1].Turn) {
			turn++
		}
		steps[i] = h.Steps[i].Step
		steps[i].Turn = turn
	}
	to := changes.CleanNative(b.path)
	for _, former := range b.repo.Names {
		from := changes.CleanNative(former.Path)
		at := slices.IndexFunc(steps, func(s changes.Step) bool { return s.Ops[0].Path == to })
		if late := slices.IndexFunc(steps,
			func(s changes.Step) bool { return s.Time.After(former.Till) }); late >= 0 && (at < 0 || late < at) {
			at = late
		}
		if at < 0 {
			at = len(steps)
		}
		steps = slices.Insert(steps, at, changes.RenameStep(from, to))
		to = from
	}
	return steps
}

// describe adds the prompts and titles of the calls from their sessions.
func (b *Result) describe(h *sitegen.FileHistory) error {
	bySession := make(map[*sitegen.FileSession][]*sitegen.FileStep)
	var order []*sitegen.FileSession
	for _, l := range b.lines {
		s := cmp.Or(l.call, l.words)
		if s == nil {
			continue
		}
		if bySession[s.Session] == nil {
			order = append(order, s.Session)
		}
		bySession[s.Session] = append(bySession[s.Session], s)
	}
	b.calls = make(map[*sitegen.FileStep]sitegen.FileCall)
	for _, session := range order {
		anchors := make(map[string]bool)
		for _, s := range bySession[session] {
			anchors[s.Anchor] = true
		}
		calls, err := h.Describe(session, anchors)
		if err != nil {
			return err
		}
		for _, s := range bySession[session] {
			b.calls[s] = calls[s.Anchor]
		}
	}
	return nil
}
