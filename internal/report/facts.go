package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/export"
	"viewer/internal/outcome"
	"viewer/internal/permissions"
	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/normalize"
)

// Facts are the content of a report about one or several runs.
type Facts struct {
	Schema  string `json:"schema"` // "viewer/report"
	Version int    `json:"version"`

	Outcome  Outcome `json:"outcome"` // the worst of the runs
	Sessions int     `json:"sessions"`
	Turns    int     `json:"turns"`
	Calls    int     `json:"calls"`
	Failed   int     `json:"failed"` // calls
	Seconds  float64 `json:"seconds"`
	export.Spent
	Tokens  export.Tokens  `json:"tokens"`
	Secrets map[string]int `json:"secrets"` // number of redacted secrets, by kind

	Failures []string   `json:"failures"` // why the job fails, in words: see Judge
	Missing  []Missing  `json:"missing"`  // sources without a run
	Runs     []struct{} `json:"runs"`     // written by JSON

	// Facts of the runs that conditions and summaries need.
	bad              string // how the first run ended that did not succeed
	denied, problems int
	agents           int
	page             string // of the last run
}

// schemaVersion is incremented when a member of the JSON is changed or removed.
const schemaVersion = 2

// An Outcome is how a run ended.
type Outcome string

// From best to worst.
const (
	Success     Outcome = "success"     // the log states success
	Finished    Outcome = "finished"    // the log ends with an answer, and does not state whether it is a success
	Interrupted Outcome = "interrupted" // the user stopped it
	Unfinished  Outcome = "unfinished"  // the log ends in the middle
	None        Outcome = "none"        // there is no run: nothing was asked, called or answered
	Failed      Outcome = "error"
)

var severityOrder = []Outcome{Success, Finished, Interrupted, Unfinished, None, Failed}

// Missing is a source of the report that has no run.
type Missing struct {
	Source string `json:"source"` // as given, "" for all sources
	Reason string `json:"reason"`
}

// String returns a sentence: "no run in run.jsonl: the file is empty".
func (m Missing) String() string {
	if m.Source == "" {
		return m.Reason
	}
	return "no run in " + m.Source + ": " + m.Reason
}

// A Run has the facts of one session.
type Run struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Project string `json:"project,omitempty"`
	File    string `json:"file"`
	Page    string `json:"page,omitempty"` // of the report, below its folder

	Outcome Outcome       `json:"outcome"`
	Reason  string        `json:"reason,omitempty"` // why it did not succeed
	Turns   int           `json:"turns"`
	Calls   int           `json:"calls"`
	Failed  int           `json:"failed"` // calls
	Agents  int           `json:"agents"`
	Start   string        `json:"start,omitempty"`
	Seconds float64       `json:"seconds"`
	Tokens  export.Tokens `json:"tokens"`
	export.Spent

	Models      []string         `json:"models"`
	ByModel     []export.ByModel `json:"byModel"`
	Prompts     int              `json:"prompts"`
	PromptTexts []string         `json:"promptTexts"`
	Answer      string           `json:"answer,omitempty"` // the last text of the model

	Files []File `json:"files"`
	export.Net
	Commands    []Command        `json:"commands"`
	Denied      []Denial         `json:"denied"`
	Permissions Permissions      `json:"permissions"`
	Errors      []Error          `json:"errors"`
	Problems    []export.Problem `json:"problems"`

	session export.Session
	source  Source
	allowed permissions.Facts
	steps   []changes.Step
	changed []changes.File
	billed  bool // the log has the cost of the run
}

// Wanted selects what is made from runs besides their totals.
type Wanted struct {
	Summary     *SummaryOptions // nil for none
	Comment     *CommentOptions // nil for none
	JSON        bool
	Annotations int // maximum number
	Work        bool
}

// A Part is what a report keeps of one run. It shares no memory with the session, since there may be many. Its texts
// are requested again when all runs are known.
type Part struct {
	facts       Facts // of this run
	annotations []Annotation
	packet      packet // if a comment is wanted
	prompts     int

	Work    *Work // lists for the page, nil if they are not wanted
	JSON    []byte
	Head    []byte // for the summary: how the run ended
	Details []byte // for the summary, below the heads of all runs
}

// Drop removes the texts. It is called after they were stored elsewhere.
func (p *Part) Drop() { p.Work, p.JSON, p.Head, p.Details = nil, nil, nil, nil }

// PartOf returns what a report keeps of a session.
func PartOf(s export.Session, src Source, w Wanted) (Part, error) {
	r := RunOf(s, src)
	p := Part{facts: r.facts(), annotations: r.annotations(w.Annotations), prompts: r.Prompts}
	if w.Comment != nil {
		p.packet = r.packet(*w.Comment)
	}
	if w.Summary != nil {
		p.Head, p.Details = r.summary(*w.Summary)
	}
	if w.Work {
		p.Work = r.work()
	}
	var err error
	if w.JSON {
		p.JSON, err = r.json()
	}
	return p, err
}

// facts returns the facts of one run.
func (r *Run) facts() Facts {
	f := Facts{
		Outcome: r.Outcome, Sessions: 1, Turns: r.Turns, Calls: r.Calls, Failed: r.Failed,
		Seconds: r.Seconds, Spent: r.Spent,
		Tokens: r.Tokens, Secrets: r.source.Secrets, denied: len(r.Denied), problems: len(r.Problems), agents: r.Agents,
		page: r.Page,
	}
	// a run that was stopped did not finish its task
	if r.Outcome != Success && r.Outcome != Finished && r.Outcome != None {
		f.bad = r.words()
	}
	return f
}

// An Error is a failure of the run itself: a failed request, or a log without an end.
type Error struct {
	Text   string `json:"text"`
	Anchor string `json:"anchor,omitempty"`
}

// A Source describes a session apart from its conversation.
type Source struct {
	File    string         // as the user named it
	Page    string         // page of the session, below the folder of the report; "" for none
	Secrets map[string]int // number of redacted secrets, by kind

	// Pages by anchor, and the prefix of anchors on a page with several sessions.
	Places map[string]string
	Prefix string
}

// IsRun reports whether an agent worked in the session.
func (p *Part) IsRun() bool { return p.facts.Outcome != None }

// Of collects the facts of runs, and of sources without one.
func Of(parts []Part, missing ...Missing) Facts {
	f := Facts{
		Schema: "viewer/report", Version: schemaVersion, Outcome: None, Spent: export.Spent{Unpriced: []string{}},
		Secrets: map[string]int{}, Failures: []string{}, Missing: []Missing{}, Runs: []struct{}{},
	}
	f.Missing = append(f.Missing, missing...)
	if len(missing) == 0 && slices.ContainsFunc(parts, func(p Part) bool { return p.IsRun() }) {
		f.Outcome = Success
	}
	for _, p := range parts {
		r := p.facts
		f.Sessions++
		f.Turns += r.Turns
		f.Calls += r.Calls
		f.Failed += r.Failed
		f.Seconds += r.Seconds
		f.CostUSD += r.CostUSD
		f.ListPrice = f.ListPrice || r.ListPrice
		f.Unpriced = append(f.Unpriced, r.Unpriced...)
		f.UnpricedTokens += r.UnpricedTokens
		f.Spent = f.AddCredits(r.Credits)
		f.Tokens = f.Tokens.Add(r.Tokens)
		f.bad = cmp.Or(f.bad, r.bad)
		f.denied += r.denied
		f.problems += r.problems
		f.agents += r.agents
		f.page = r.page
		if p.IsRun() && slices.Index(severityOrder, r.Outcome) > slices.Index(severityOrder, f.Outcome) {
			f.Outcome = r.Outcome
		}
		for kind, n := range r.Secrets {
			f.Secrets[kind] += n
		}
	}
	slices.Sort(f.Unpriced)
	f.Unpriced = slices.Compact(f.Unpriced)
	f.Failures = append(f.Failures, f.noRun()...)
	f.CostUSD = math.Round(f.CostUSD*1e9) / 1e9 // sums of floats
	return f
}

// Changed returns the files with a net change.
func (r *Run) Changed() []changes.File {
	var all []changes.File
	for i := range r.changed {
		if r.changed[i].Left() {
			all = append(all, r.changed[i])
		}
	}
	return all
}

// RunOf returns the facts of a session. They share memory with it.
func RunOf(s export.Session, src Source) Run {
	c := s.Conversation
	r := Run{
		ID: c.ID, Title: s.Title(), Project: s.Project, File: src.File, Page: src.Page,
		Calls: s.Totals.Tools, Failed: s.Totals.Failed, Agents: s.Totals.Agents,
		Seconds: s.Totals.Time.Seconds(), Start: export.Stamp(c.Facts.Start), Tokens: export.TokensOf(s.Totals.Usage),
		Spent:  export.SpentOn(s.Totals),
		Models: []string{}, ByModel: export.ByModels(s.Totals), PromptTexts: []string{}, Files: []File{},
		Commands: []Command{}, Denied: []Denial{}, Errors: []Error{}, Problems: export.Problems(c.Problems),
		session: s, source: src,
	}
	for _, t := range c.Turns {
		for _, request := range t.Requests {
			if !request.OfSession {
				r.Turns++
			}
		}
		if t.Asked() {
			var parts []string
			for _, m := range t.Prompt {
				if text := strings.TrimSpace(m.Text); text != "" {
					parts = append(parts, text)
				}
			}
			r.PromptTexts = append(r.PromptTexts, strings.Join(parts, "\n\n"))
		}
	}
	r.Prompts = s.Totals.Prompts
	r.collectWork(c)
	r.allowed = permissions.Of(c)
	r.Permissions = newPermissions(r.allowed)
	r.steps = changes.Steps(c)
	replayed := changes.Replay(r.steps, changes.Options{Folder: c.Facts.CWD, NoWriters: true})
	r.changed, r.Net = replayed.Files, export.Net(replayed.Net())
	r.netLines()
	r.end(c)
	r.unpriced(c)
	r.Models = append(r.Models, stats.ModelNames(c, s.Totals)...)
	return r
}

// unpriced finds the models whose cost is unknown rather than zero: those without a price, or without token counts in
// any request of the run.
func (r *Run) unpriced(c *normalize.Conversation) {
	add := func(name string) {
		if name = words.Line(export.ModelName(name), 60); !slices.Contains(r.Unpriced, name) {
			r.Unpriced = append(r.Unpriced, strings.Clone(name))
		}
	}
	models := r.Unpriced
	r.Unpriced = []string{}
	for _, name := range models {
		add(name)
	}
	if r.session.Totals.Requests > 0 || r.session.Totals.Tokens() > 0 || r.billed {
		return
	}
	for _, t := range c.Turns {
		for _, request := range t.Requests {
			// <synthetic>: an answer that the program wrote
			if !strings.HasPrefix(request.Model, "<") && len(r.Unpriced) < maxUnpriced {
				add(request.Model)
			}
		}
	}
}

// maxUnpriced limits how many models without a known cost are named.
const maxUnpriced = 20

// end sets how the run ended, and its last answer.
func (r *Run) end(c *normalize.Conversation) {
	for _, t := range c.Turns {
		for _, item := range t.Items {
			m, ok := item.(*normalize.Message)
			switch {
			case ok && m.Kind == normalize.Text:
				r.Answer = strings.TrimSpace(m.Text)
			case ok && m.Kind == normalize.APIError:
				r.Errors = append(r.Errors, Error{words.OneLine(m.Text), m.Anchor})
			}
		}
	}
	mark, reason := outcome.MarkOf(c)
	if endings := endingsOf(c); len(endings) > 0 {
		r.close(endings)
		if endings[len(endings)-1].says && (r.Outcome != Failed || mark != outcome.Interrupted) {
			return
		}
	}
	switch mark {
	case outcome.None:
		r.Outcome, r.Reason = None, "the log has neither a prompt nor an answer"
	case outcome.Unfinished:
		r.Outcome, r.Reason = Unfinished, reason
	case outcome.Failed:
		r.Outcome, r.Reason = Failed, reason
	case outcome.Interrupted:
		r.Outcome, r.Reason = Interrupted, "somebody stopped it"
	default:
		r.Outcome = Finished
	}
}

// sortedKinds returns the kinds of secrets, the most frequent first.
func sortedKinds(secrets map[string]int) []string {
	var kinds []string
	for kind, n := range secrets {
		if n > 0 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(secrets[b], secrets[a]), cmp.Compare(a, b))
	})
	return kinds
}
