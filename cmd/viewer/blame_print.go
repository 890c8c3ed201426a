package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/sitegen"
)

// table returns a line for each line of the file, followed by a legend of the calls.
func (b *blamed) table(colored bool) string {
	p := paint{colored}
	rows := make([][4]string, len(b.lines))
	var widths [4]int
	for i, l := range b.lines {
		rows[i] = l.row()
		for c, cell := range rows[i] {
			widths[c] = max(widths[c], ansi.StringWidth(cell))
		}
	}
	var out strings.Builder
	for i, l := range b.lines {
		for c, cell := range rows[i] {
			pad := strings.Repeat(" ", widths[c]-ansi.StringWidth(cell))
			switch {
			case c == 3:
				out.WriteString(pad + string(p.grey(cell)) + "  ")
			case l.call == nil:
				out.WriteString(string(p.grey(cell)) + pad + "  ")
			default:
				out.WriteString(string(p.as("", cell)) + pad + "  ")
			}
		}
		out.WriteString(string(p.as("", oneLine(strings.ReplaceAll(l.text, "\t", "    ")))) + "\n")
	}
	return out.String() + b.legend(p)
}

// row returns the cells before the text of a line.
func (l *blamedLine) row() [4]string {
	number := strconv.Itoa(l.number)
	switch s := cmp.Or(l.call, l.words); {
	case s == nil:
		return [4]string{"unknown", "", "", number}
	case l.call == nil:
		return [4]string{"unknown", "(" + console.Line(s.Session.Short) + stepPrompt(s) + ")", "formatted", number}
	default:
		return [4]string{
			console.Line(s.Session.Short) + stepPrompt(s), console.Line(s.Tool),
			s.Time.Local().Format("2006-01-02 15:04"), number,
		}
	}
}

// stepPrompt returns the number of the prompt before a call.
func stepPrompt(s *sitegen.FileStep) string {
	if s.Prompt == 0 {
		return ""
	}
	return " #" + strconv.Itoa(s.Prompt)
}

// legend lists each prompt with its text, and where a site shows its first call.
func (b *blamed) legend(p paint) string {
	var out strings.Builder
	met := make(map[string]bool)
	for _, l := range b.lines {
		s := cmp.Or(l.call, l.words)
		if s == nil || met[s.Session.ID+stepPrompt(s)] {
			continue
		}
		met[s.Session.ID+stepPrompt(s)] = true
		c := b.calls[s.ID]
		name := console.Line(s.Session.Short) + stepPrompt(s)
		fmt.Fprintf(&out, "%s  %s  %s\n", p.bold(name), p.as("", console.Line(cmp.Or(c.Prompt, c.Title))),
			p.grey(console.Line(c.Page)))
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n" + out.String()
}

type jsonBlame struct {
	File     string      `json:"path"`
	Revision string      `json:"revision,omitempty"`
	Lines    int         `json:"lines"`
	Known    int         `json:"known"`
	Ranges   []jsonRange `json:"ranges"`
}

type jsonRange struct {
	From      int        `json:"from"`
	To        int        `json:"to"`
	Writer    string     `json:"writer"`
	Call      *jsonWrote `json:"by,omitempty"`
	Formatted *jsonWrote `json:"formatted,omitempty"`
	Commit    string     `json:"commit,omitempty"`
}

type jsonWrote struct {
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

func (b *blamed) wrote(s *sitegen.FileStep) *jsonWrote {
	if s == nil {
		return nil
	}
	c := b.calls[s.ID]
	page, _, _ := strings.Cut(c.Page, "#")
	return &jsonWrote{
		Session: s.Session.ID, Title: c.Title, Prompt: s.Prompt, Asked: c.Prompt, ID: s.ID, Tool: s.Tool,
		Agent: s.Agent,
		Time:  export.Stamp(s.Time), Anchor: s.Anchor, Page: page,
	}
}

// json returns the lines as ranges of one writer each.
func (b *blamed) json() jsonBlame {
	all := jsonBlame{File: filepath.ToSlash(b.file), Revision: b.repo.Revision, Lines: len(b.lines),
		Ranges: []jsonRange{}}
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
		r := jsonRange{From: l.number, To: l.number, Writer: "unknown", Commit: l.commit.Hash, Call: b.wrote(l.call),
			Formatted: b.wrote(l.words)}
		if l.call != nil {
			r.Writer = "call"
		}
		all.Ranges = append(all.Ranges, r)
	}
	return all
}

// The Agent Trace format, version 0.1.0.
type (
	traceRecord struct {
		Version   string      `json:"version"`
		ID        string      `json:"id"`
		Timestamp string      `json:"timestamp"`
		VCS       *traceVCS   `json:"vcs,omitempty"`
		Tool      traceTool   `json:"tool"`
		Files     []traceFile `json:"files"`
	}
	traceVCS struct {
		Type     string `json:"type"`
		Revision string `json:"revision"`
	}
	traceTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	traceFile struct {
		Path          string              `json:"path"`
		Conversations []traceConversation `json:"conversations"`
	}
	traceConversation struct {
		URL         string           `json:"url,omitempty"`
		Contributor traceContributor `json:"contributor"`
		Ranges      []traceRange     `json:"ranges"`
	}
	traceContributor struct {
		Type  string `json:"type"`
		Model string `json:"model_id,omitempty"`
	}
	traceRange struct {
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
		Hash  string `json:"content_hash"`
	}
)

// agentTrace returns the lines that calls wrote. Its time is that of the last call, and its id is a hash of the rest,
// so the same lines give the same trace.
func (b *blamed) agentTrace() traceRecord {
	path := b.file
	if below, err := filepath.Rel(b.repo.Root, b.path); err == nil && b.repo.Root != "" && !strings.HasPrefix(below,
		"..") {
		path = below
	}
	t := traceRecord{Version: "0.1.0", Tool: traceTool{"viewer", version}}
	if b.repo.Revision != "" {
		t.VCS = &traceVCS{"git", b.repo.Revision}
	}
	file := traceFile{Path: filepath.ToSlash(path), Conversations: []traceConversation{}}
	places := make(map[string]int)
	var latest time.Time
	for i := 0; i < len(b.lines); {
		s, n := b.lines[i].call, 1
		for i+n < len(b.lines) && b.lines[i+n].call == s {
			n++
		}
		if s != nil {
			at, known := places[s.ID]
			if !known {
				at = len(file.Conversations)
				places[s.ID] = at
				call := b.calls[s.ID]
				file.Conversations = append(file.Conversations, traceConversation{URL: call.Page,
					Contributor: traceContributor{"ai", modelID(call.Model)}})
			}
			c := &file.Conversations[at]
			c.Ranges = append(c.Ranges, traceRange{b.lines[i].number, b.lines[i+n-1].number, hashOf(b.lines[i : i+n])})
			if s.Time.After(latest) {
				latest = s.Time
			}
		}
		i += n
	}
	t.Files, t.Timestamp = []traceFile{file}, export.Stamp(latest)
	whole, _ := json.Marshal(t) // all its fields can be encoded
	t.ID = uuid.NewSHA1(uuid.NameSpaceURL, whole).String()
	return t
}

// modelID returns the name of a model in traces, with its provider.
func modelID(model string) string {
	if strings.HasPrefix(model, "claude") {
		return "anthropic/" + model
	}
	return model
}

func hashOf(lines []blamedLine) string {
	h := sha256.New()
	for _, l := range lines {
		_, _ = h.Write([]byte(l.text + "\n"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
