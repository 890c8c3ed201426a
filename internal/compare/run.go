package compare

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/export"
	"viewer/internal/outcome"
	"viewer/internal/report"
	"viewer/internal/words"
)

// A Run holds what a comparison needs of a session. It shares no memory with the session.
type Run struct {
	ID      string
	Title   string
	Project string
	Agent   string // the name of the coding agent
	Models  []string
	Source  string // as given by the user: the folder or file of the session
	File    string // of the session
	Page    string // its first, below the top of the site

	// The place of the run in a matrix. ReadRuns of sitegen sets these.
	Path    string   // of its file on this machine; it is not shown
	Folder  string   // the first folder below the source that contains the session
	Task    string   // as a file of verdicts names it, "" if none does
	Trial   string   // the file of verdicts of the only trial of the session, "" if there is none
	Verdict *Verdict // nil if no file has one

	Asked    string // the first prompt, one line
	AskedKey string // the same for the same prompt
	Outcome  report.Outcome
	Reason   string // why it did not succeed
	Answer   string // the beginning of the last answer, one line

	Prompts, Turns, Calls, Failed, Agents int
	Seconds                               float64
	Tokens                                export.Tokens
	Spent                                 export.Spent
	Files                                 []File
	Net                                   export.Net

	Steps []Step
	Left  int // steps that are not compared
}

// A File is the net change of a file.
type File struct {
	Path           string // below the folder of the run, if it is there
	Added, Removed int
	Created, Gone  bool
	Binary         bool
	Link           string // of its net diff, below the top of the site; "" for none
	Diff           string // a digest of the lines that changed: the same for the same net change, "" if it is unknown
}

// A Place is where the pages of a session are in a site.
type Place struct {
	Folder string                     // of its pages, below the top of the site: "s/ab12/"
	PageOf func(anchor string) string // below that
	DiffOf func(path string) string   // the address of the net diff of a file, as replayed; below the folder, too
}

// Limits of a run.
const (
	maxFiles = 500
	maxLine  = 400
)

// Of returns the run of a session.
func Of(s export.Session, src report.Source, at Place) Run {
	c := s.Conversation
	told := report.RunOf(s, src)
	r := headOf(s, &told, at.Folder+"index.html")
	r.Steps, r.Left = steps(c, func(anchor string) string { return at.Folder + at.PageOf(anchor) })
	k := keys{folder: c.Facts.CWD}
	for _, f := range told.Changed() {
		if len(r.Files) == maxFiles {
			break
		}
		r.Files = append(r.Files, fileOf(&f, k, at))
	}
	return r
}

// headOf returns the run of a session without its steps and files, which a table of runs does not show.
func headOf(s export.Session, told *report.Run, page string) Run {
	c := s.Conversation
	r := Run{
		ID: told.ID, Title: words.Clip(told.Title, maxLine), Project: told.Project, Agent: c.Writer.String(),
		File: told.File, Page: page,
		Outcome: told.Outcome, Reason: words.Line(told.Reason, maxLine),
		Prompts: told.Prompts, Turns: told.Turns, Calls: told.Calls,
		Failed: told.Failed, Agents: told.Agents, Seconds: told.Seconds, Tokens: told.Tokens, Spent: told.Spent,
		Net: told.Net,
	}
	k := keys{folder: c.Facts.CWD}
	if len(told.PromptTexts) > 0 {
		r.Asked = words.Line(told.PromptTexts[0], maxLine)
		r.AskedKey = digest("asked", k.plain(told.PromptTexts[0]))
	}
	for _, m := range told.Models[:min(len(told.Models), 20)] {
		r.Models = append(r.Models, strings.Clone(words.Line(m, 80)))
	}
	if ended := outcome.Of(c, s.Spilled); ended.Answer != nil && !ended.Halted {
		r.Answer = words.Line(ended.Text, maxLine)
	}
	if r.Answer == "" {
		r.Answer = words.Line(told.Answer, maxLine)
	}
	r.Spent.Unpriced = slices.Clone(r.Spent.Unpriced)
	for _, text := range []*string{&r.ID, &r.Title, &r.Project, &r.File, &r.Reason, &r.Answer, &r.Asked} {
		*text = strings.Clone(*text)
	}
	return r
}

func fileOf(f *changes.File, k keys, at Place) File {
	added, removed := f.ByCalls()
	file := File{
		Path: strings.Clone(k.path(f.Path)), Added: added, Removed: removed, Created: f.Created(), Gone: f.Gone(),
		Binary: f.Binary,
	}
	if to := at.DiffOf(f.Path); to != "" {
		file.Link = at.Folder + to
	}
	hunks := f.Net.Hunks
	switch {
	case f.Binary || f.Large:
		return file
	case len(f.Alone) == 1 && len(hunks) == 0: // one change to a text that the log does not have
		hunks = f.Alone[0].Hunks
	case len(f.Alone) > 0:
		return file
	}
	h := sha256.New()
	for i := range hunks {
		for _, l := range hunks[i].Lines {
			if l.Sign != ' ' {
				fmt.Fprintf(h, "%c%d %s", l.Sign, len(l.Text), l.Text)
			}
		}
		h.Write([]byte{0})
	}
	file.Diff = string(h.Sum(nil)[:16])
	return file
}
