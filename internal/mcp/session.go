package mcp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"viewer/internal/search"
	"viewer/internal/sitedata"
	"viewer/internal/words"
)

type listInput struct {
	Project string `json:"project,omitempty" jsonschema:"only sessions whose project contains this word"`
	Agent   string `json:"agent,omitempty" jsonschema:"only sessions of this coding agent, such as claude-code or codex"`
	Since   string `json:"since,omitempty" jsonschema:"only sessions that began at this date or later: 2026-05-01, 2026-05"`
	Until   string `json:"until,omitempty" jsonschema:"only sessions that began before the end of this date"`
	Words   string `json:"words,omitempty" jsonschema:"only sessions whose title, prompt or outcome contains this text"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"where to continue a longer answer"`
}

func (in listInput) cursor() string { return in.Cursor }

// list returns a paragraph for each session, the newest first.
func (o Options) list(v *sitedata.View, in listInput) (string, error) {
	for _, date := range []string{in.Since, in.Until} {
		if date != "" && !isDate(date) {
			return "", fmt.Errorf("%q is not a date: use 2026-05-01 or 2026-05", date)
		}
	}
	if in.Agent != "" {
		id, err := o.Agent(in.Agent)
		if err != nil {
			return "", err
		}
		in.Agent = id
	}
	some, err := v.Sessions(sitedata.Chosen{Project: in.Project, Since: in.Since, Until: in.Until})
	if err != nil {
		return "", err
	}
	some = slices.DeleteFunc(some, func(s sitedata.Session) bool { return !in.chooses(&s) })
	slices.SortStableFunc(some, func(a, b sitedata.Session) int { return b.Start.Compare(a.Start) })
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", words.Plural(len(some), "session", "sessions"))
	for i := range some {
		s := &some[i]
		fmt.Fprintf(&b, "\nsession %s\n  %s\n  %s\n", s.ID, oneLine(s.Title, 200), facts(s))
		if s.Ending != "" {
			fmt.Fprintf(&b, "  outcome: %s\n", oneLine(s.Ending, 300))
		}
	}
	return b.String(), nil
}

func isDate(s string) bool {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func (in listInput) chooses(s *sitedata.Session) bool {
	day := dayOf(s)
	return holds(s.Project, in.Project) && (in.Agent == "" || s.Agent == in.Agent) &&
		day >= in.Since && (in.Until == "" || day != "" && day[:len(in.Until)] <= in.Until) &&
		(holds(s.Title, in.Words) || holds(s.Asked, in.Words) || holds(s.Ending, in.Words))
}

// dayOf returns the date on which a session began, or "" if it is unknown.
func dayOf(s *sitedata.Session) string {
	if s.Start.IsZero() {
		return ""
	}
	return s.Start.UTC().Format("2006-01-02")
}

func holds(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}

// facts returns the facts of a session on one line.
func facts(s *sitedata.Session) string {
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if !s.Start.IsZero() {
		say("%s", s.Start.UTC().Format("2006-01-02 15:04 UTC"))
	}
	say("%s", s.Agent)
	say("%s", s.Project)
	if s.Branch != "" {
		say("branch %s", s.Branch)
	}
	if s.Mark != "" {
		say("%s", s.Mark)
	}
	say("%s", words.Plural(s.Prompts, "prompt", "prompts"))
	say("%s", words.Plural(s.Calls, "call", "calls"))
	if s.Failed > 0 {
		say("%d failed", s.Failed)
	}
	if s.Files > 0 {
		say("%s +%d -%d", words.Plural(s.Files, "file", "files"), s.Added, s.Removed)
	}
	if s.Commits > 0 {
		say("%s", words.Plural(s.Commits, "commit", "commits"))
	}
	for _, pr := range s.PullRequests {
		say("%s", pr)
	}
	if s.Cost > 0 {
		say("%s", words.Dollars(s.Cost))
	}
	return oneLine(strings.Join(all, " · "), 500)
}

type sessionInput struct {
	Session string `json:"session" jsonschema:"id of a session, or the beginning of one"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"where to continue a longer answer"`
}

func (in sessionInput) cursor() string { return in.Cursor }

// outline returns the facts of a session and its prompts.
func outline(v *sitedata.View, in sessionInput) (string, error) {
	s, docs, err := documents(v, in.Session)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "session %s\n%s\n%s\n", s.ID, oneLine(s.Title, 200), facts(s))
	if s.Asked != "" {
		fmt.Fprintf(&b, "asked: %s\n", oneLine(s.Asked, 400))
	}
	if s.Ending != "" {
		fmt.Fprintf(&b, "outcome: %s\n", oneLine(s.Ending, 600))
	}
	agent := ""
	for _, t := range turnsOf(docs) {
		if !search.IsMain(t[0].Page) && agentOf(t[0].Page) != agent {
			agent = agentOf(t[0].Page)
			fmt.Fprintf(&b, "\nagent %s\n", agent)
		}
		if t[0].Kind == search.Prompt || slices.ContainsFunc(t, said) {
			b.WriteString("\n" + summary(t))
		}
	}
	return b.String(), nil
}

// said reports whether a message is from the model.
func said(d search.StoredDocument) bool { return d.Kind == search.Tool || d.Kind == search.Answer }

// summary returns a prompt, and one line about what followed it.
func summary(turn []search.StoredDocument) string {
	var b strings.Builder
	head := &turn[0]
	if head.Kind == search.Prompt {
		fmt.Fprintf(&b, "%s%s\n", heading(head), oneLine(head.Text, 300))
	} else {
		fmt.Fprintf(&b, "%swithout a prompt\n", heading(head))
	}
	calls, answers := make(map[string]int), 0
	var order, failed []string
	for i := range turn {
		d := &turn[i]
		switch d.Kind {
		case search.Tool:
			if calls[d.Tool] == 0 {
				order = append(order, d.Tool)
			}
			calls[d.Tool]++
			if d.Failed {
				failed = append(failed, d.Tool+" #"+d.Anchor)
			}
		case search.Answer:
			answers++
		}
	}
	var all []string
	if answers > 0 {
		all = append(all, words.Plural(answers, "answer", "answers"))
	}
	for _, name := range order {
		all = append(all, strconv.Itoa(calls[name])+" × "+name)
	}
	if len(failed) > 0 {
		all = append(all, "failed: "+strings.Join(failed[:min(len(failed), 8)], ", "))
	}
	if len(all) > 0 {
		b.WriteString("  " + oneLine(strings.Join(all, " · "), 400) + "\n")
	}
	return b.String()
}

type turnInput struct {
	Session string `json:"session" jsonschema:"id of a session, or the beginning of one"`
	Message string `json:"message,omitempty" jsonschema:"id of the prompt, or of a message after it; without it the last turn"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"where to continue a longer answer"`
}

func (in turnInput) cursor() string { return in.Cursor }

// turn returns the text of a prompt and of everything that followed.
func turn(v *sitedata.View, in turnInput) (string, error) {
	s, docs, err := documents(v, in.Session)
	if err != nil {
		return "", err
	}
	wanted := strings.TrimPrefix(in.Message, "#")
	var found []search.StoredDocument
	for _, t := range turnsOf(docs) {
		if wanted == "" && search.IsMain(t[0].Page) ||
			wanted != "" && slices.ContainsFunc(t, func(d search.StoredDocument) bool { return d.Anchor == wanted }) {
			found = t
		}
	}
	if found == nil {
		return "", noMessage(in.Message, s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "session %s\n", s.ID)
	for i := range found {
		b.WriteString("\n" + brief(&found[i]))
	}
	return b.String(), nil
}

func noMessage(name string, s *sitedata.Session) error {
	return fmt.Errorf("no message %q in session %s: session gives the ids of its prompts, search those of what it finds",
		name, s.ID)
}

type callInput struct {
	Session string `json:"session" jsonschema:"id of a session, or the beginning of one"`
	Call    string `json:"call" jsonschema:"id of the call, or of any message"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"where to continue a longer answer"`
}

func (in callInput) cursor() string { return in.Cursor }

// call returns the text of one message.
func call(v *sitedata.View, in callInput) (string, error) {
	s, docs, err := documents(v, in.Session)
	if err != nil {
		return "", err
	}
	wanted := strings.TrimPrefix(in.Call, "#")
	for i := range docs {
		if wanted != "" && docs[i].Anchor == wanted {
			return fmt.Sprintf("session %s\n\n%s", s.ID, whole(&docs[i])), nil
		}
	}
	return "", noMessage(in.Call, s)
}

// documents returns the documents of the session with an id, or with the only id that begins with it.
func documents(v *sitedata.View, id string) (*sitedata.Session, []search.StoredDocument, error) {
	s, err := choose(v, id)
	if err != nil {
		return nil, nil, err
	}
	docs, err := v.Index.Documents(s.Folder())
	return s, docs, err
}

var errNoID = errors.New("the id of a session is needed: list_sessions gives them")

func choose(v *sitedata.View, id string) (*sitedata.Session, error) {
	if id == "" {
		return nil, errNoID
	}
	found, err := v.Named(id)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no session %q: list_sessions gives the ids", id)
	case 1:
		return &found[0], nil
	}
	return nil, fmt.Errorf("%d sessions begin with %q: give more of the id", len(found), id)
}

// turnsOf splits the documents of a session into turns. Each begins with a prompt or an agent.
func turnsOf(docs []search.StoredDocument) [][]search.StoredDocument {
	var all [][]search.StoredDocument
	for i := range docs {
		d := &docs[i]
		if d.Kind == search.Title {
			continue
		}
		if n := len(all); n == 0 || d.Kind == search.Prompt || agentOf(d.Page) != agentOf(all[n-1][0].Page) {
			all = append(all, nil)
		}
		n := len(all) - 1
		all[n] = append(all[n], *d)
	}
	return all
}

// agentOf returns the name of the agent that a page belongs to, "" for the session itself. Later pages of an agent have
// a number after the name.
func agentOf(page string) string {
	if search.IsMain(page) {
		return ""
	}
	name := strings.TrimSuffix(page[strings.LastIndexByte(page, '/')+1:], ".html")
	if base, number, ok := strings.Cut(name, "-"); ok {
		if _, err := strconv.Atoi(number); err == nil {
			return base
		}
	}
	return name
}

// heading returns the line above the text of a message.
func heading(d *search.StoredDocument) string {
	kind := d.Kind.String()
	if d.Kind == search.Tool {
		kind = "call of " + d.Tool
	}
	h := kind
	if d.Anchor != "" {
		h += " #" + d.Anchor
	}
	if !d.Time.IsZero() {
		h += " " + d.Time.UTC().Format("2006-01-02 15:04:05")
	}
	if d.Failed {
		h += " failed"
	}
	return h + ": "
}

// whole returns a message with all of its text. A record that is not chat is shown as one line; the tool "call" returns
// all of it.
func whole(d *search.StoredDocument) string {
	text := body(d)
	if d.Rest != "" {
		text += "\n[the rest of this text is on the page of the session]"
	}
	return strings.TrimSuffix(heading(d), " ") + "\n" + text + "\n"
}

func brief(d *search.StoredDocument) string {
	if d.Kind == search.Event || d.Kind == search.Hook {
		return heading(d) + oneLine(d.Text, 160) + "\n"
	}
	return whole(d)
}

// body returns the text of a message without the name of the tool, which is in the heading.
func body(d *search.StoredDocument) string {
	if d.Kind == search.Tool {
		return strings.TrimSpace(strings.TrimPrefix(d.Text, d.Tool))
	}
	return strings.TrimSpace(d.Text)
}

// oneLine returns the beginning of a text on one line, at most n bytes plus an ellipsis.
func oneLine(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
