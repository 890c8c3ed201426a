package blame

import (
	"fmt"
	"path/filepath"
	"strings"

	"viewer/internal/export"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// An Answer lists the writers of the lines, for programs.
type Answer struct {
	File     string  `json:"path"`
	Revision string  `json:"revision,omitempty"`
	Lines    int     `json:"lines"`
	Known    int     `json:"known"`
	Ranges   []Range `json:"ranges"`
}

// A Range is a run of lines with the same writer.
type Range struct {
	From      int    `json:"from"`
	To        int    `json:"to"`
	Writer    string `json:"writer"`
	Call      *Call  `json:"by,omitempty"`
	Formatted *Call  `json:"formatted,omitempty"`
	Commit    string `json:"commit,omitempty"`
}

// A Call identifies a tool call and the prompt that led to it.
type Call struct {
	Session string `json:"id"`
	Title   string `json:"title"`
	Prompt  int    `json:"prompt"`
	Asked   string `json:"asked,omitempty"`
	ID      string `json:"call"`
	Tool    string `json:"tool"`
	Agent   string `json:"agent,omitempty"`
	Time    string `json:"time,omitempty"`
	Anchor  string `json:"anchor"`
	Page    string `json:"page"`
}

func (b *Result) wrote(s *sitegen.FileStep) *Call {
	if s == nil {
		return nil
	}
	c := b.calls[s]
	page, _, _ := strings.Cut(c.Page, "#")
	return &Call{
		Session: s.Session.ID, Title: c.Title, Prompt: s.Prompt, Asked: c.Prompt, ID: s.ID, Tool: s.Tool,
		Agent: s.Agent,
		Time:  export.Stamp(s.Time), Anchor: s.Anchor, Page: page,
	}
}

// Answer returns the lines as ranges of one writer each.
func (b *Result) Answer() Answer {
	all := Answer{File: filepath.ToSlash(b.file), Revision: b.repo.Revision, Lines: len(b.lines),
		Ranges: []Range{}}
	for i, l := range b.lines {
		if l.call != nil {
			all.Known++
		}
		if i > 0 {
			if before := b.lines[i-1]; before.call == l.call && before.words == l.words &&
				before.commit.Hash == l.commit.Hash {
				all.Ranges[len(all.Ranges)-1].To = l.number
				continue
			}
		}
		r := Range{From: l.number, To: l.number, Writer: "unknown", Commit: l.commit.Hash, Call: b.wrote(l.call),
			Formatted: b.wrote(l.words)}
		if l.call != nil {
			r.Writer = "call"
		}
		all.Ranges = append(all.Ranges, r)
	}
	return all
}

// Ranges returns the ranges of lines with their writers, as text without the lines.
func (b *Result) Ranges() string {
	all := b.Answer()
	var out strings.Builder
	fmt.Fprintf(&out, "%s: calls wrote %s of %s\n", all.File, words.Count(all.Known),
		words.Plural(all.Lines, "line", "lines"))
	for _, r := range all.Ranges {
		if r.From == r.To {
			fmt.Fprintf(&out, "\nline %d: ", r.From)
		} else {
			fmt.Fprintf(&out, "\nlines %d-%d: ", r.From, r.To)
		}
		if r.Call == nil {
			out.WriteString("unknown\n")
			continue
		}
		fmt.Fprintf(&out, "session %s, prompt %d, call of %s #%s, %s\n", r.Call.Session, r.Call.Prompt, r.Call.Tool,
			r.Call.Anchor, r.Call.Time)
		if r.Call.Asked != "" {
			fmt.Fprintf(&out, "  asked: %s\n", r.Call.Asked)
		}
	}
	return out.String()
}
