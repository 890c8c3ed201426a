package sitegen

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/export"
	"viewer/internal/sitedata"
	"viewer/render"
)

// writeFacts writes sessions.json, the facts of each session for programs.
func (b *indexBuild) writeFacts() error { return b.out.Write(sitedata.FactsName, factsOf(b.summaries)) }

// The text around the facts of a session. A string in JSON contains no line end.
const (
	factsBegin   = "[\n {"
	factsBetween = "\n },\n {"
	factsEnd     = "\n }\n]\n"
)

// factsOf encodes the facts without encoding/json, because there may be thousands.
func factsOf(sessions []*render.Summary) []byte {
	if len(sessions) == 0 {
		return []byte("[]\n")
	}
	w := factWriter{b: append(make([]byte, 0, 1200*len(sessions)), factsBegin...)}
	for i := range sessions {
		if i > 0 {
			w.b = append(w.b, factsBetween...)
		}
		w.session(sessions[i])
	}
	return append(w.b, factsEnd...)
}

// A factWriter writes JSON.
type factWriter struct {
	b      []byte
	inside bool // the object has a member already
}

func (w *factWriter) session(s *render.Summary) {
	w.inside = false
	w.text("id", s.ID)
	w.text("title", s.Title)
	w.text("project", s.Project.Name)
	w.text("agent", s.Agent().ID())
	w.text("page", s.Path())
	if !s.Start.IsZero() {
		w.text("start", export.Stamp(s.Start))
	}
	w.member("seconds")
	w.b = strconv.AppendFloat(w.b, s.Totals.Time.Seconds(), 'f', -1, 64)
	w.number("workSeconds", int64(s.Totals.Work.Seconds()))
	if s.Branch != "" {
		w.text("branch", s.Branch)
	}
	if s.Worktree != "" {
		w.text("worktree", s.Worktree)
	}
	w.texts("models", s.Models)
	w.number("prompts", int64(s.Totals.Prompts))
	w.number("calls", int64(s.Totals.Tools))
	w.number("failed", int64(s.Totals.Failed))
	w.number("agents", int64(s.Totals.Agents))
	w.tokens(export.TokensOf(s.Totals.Usage))
	w.spent(export.SpentOn(s.Totals))
	w.ended(&s.Outcome)
	w.formerNames(s)
	if s.Kept {
		w.boolean("kept", true)
	}
}

func (w *factWriter) tokens(t export.Tokens) {
	w.member("tokens")
	w.b = append(w.b, '{')
	w.inside = false
	w.number("input", t.Input)
	w.number("output", t.Output)
	w.number("cacheRead", t.CacheRead)
	w.number("cacheWrite", t.CacheWrite)
	w.b = append(w.b, "\n  }"...)
}

// ended writes what was asked, how the session ended, and what it produced.
func (w *factWriter) ended(o *render.Outcome) {
	w.text("mark", o.Mark.String())
	w.text("asked", o.Asked)
	w.text("ending", o.Line())
	w.number("commits", int64(o.Commits))
	w.texts("pullRequests", o.PullRequests)
	w.number("netFiles", int64(o.Files))
	w.number("netAdded", int64(o.Added))
	w.number("netRemoved", int64(o.Removed))
	w.number("unknownAdded", int64(o.UnknownAdded))
	w.number("unknownRemoved", int64(o.UnknownRemoved))
}

// formerNames repeats values under the names that they had before all JSON used the same words, for existing scripts.
func (w *factWriter) formerNames(s *render.Summary) {
	w.number("changedFiles", int64(s.Outcome.Files))
	w.number("addedLines", int64(s.Outcome.Added))
	w.number("removedLines", int64(s.Outcome.Removed))
	w.number("tools", int64(s.Totals.Tools))
	w.number("inputTokens", s.Totals.Usage.Input)
	w.number("cacheReadTokens", s.Totals.Usage.CacheRead)
	w.number("cacheWriteTokens", s.Totals.Usage.CacheWrite)
	w.number("outputTokens", s.Totals.Usage.Output)
	if s.Kept {
		w.boolean("archived", true)
	}
}

func (w *factWriter) spent(s export.Spent) {
	w.member("costUSD")
	w.b = strconv.AppendFloat(w.b, s.CostUSD, 'f', -1, 64)
	w.boolean("listPrice", s.ListPrice)
	w.texts("unpriced", s.Unpriced)
	w.number("unpricedTokens", s.UnpricedTokens)
	if len(s.Credits) > 0 {
		w.member("credits")
		b, _ := json.Marshal(s.Credits) // of texts and numbers
		w.b = append(w.b, b...)
	}
}

func (w *factWriter) boolean(name string, b bool) {
	w.member(name)
	w.b = strconv.AppendBool(w.b, b)
}

func (w *factWriter) member(name string) {
	if w.inside {
		w.b = append(w.b, ',')
	}
	w.inside = true
	w.b = append(append(append(w.b, "\n  \""...), name...), "\": "...)
}

func (w *factWriter) number(name string, n int64) {
	w.member(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *factWriter) text(name, s string) {
	w.member(name)
	w.quote(s)
}

func (w *factWriter) texts(name string, all []string) {
	w.member(name)
	if len(all) == 0 {
		w.b = append(w.b, "[]"...)
		return
	}
	sep := "[\n   "
	for _, s := range all {
		w.b = append(w.b, sep...)
		w.quote(s)
		sep = ",\n   "
	}
	w.b = append(w.b, "\n  ]"...)
}

// quote writes a string, which may contain any bytes.
func (w *factWriter) quote(s string) {
	quoted, err := jsontext.AppendQuote(w.b, s)
	if err != nil { // it is not valid UTF-8
		quoted, err = jsontext.AppendQuote(w.b, strings.ToValidUTF8(s, "\uFFFD"))
	}
	if err != nil {
		panic(err) // valid UTF-8 can be quoted
	}
	w.b = quoted
}
