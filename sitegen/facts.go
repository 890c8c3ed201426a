package sitegen

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/render"
)

// writeFacts writes sessions.json: what lists say of each session, for programs.
func writeFacts(sessions []render.Summary, out *output) error {
	return out.write("sessions.json", factsOf(sessions))
}

// factsOf puts the facts together by hand, because all of them are written
// whenever a session grows.
func factsOf(sessions []render.Summary) []byte {
	if len(sessions) == 0 {
		return []byte("[]\n")
	}
	w := factWriter{b: make([]byte, 0, 640*len(sessions))}
	for i := range sessions {
		w.session(&sessions[i])
	}
	return append(append(w.b, '\n'), "]\n"...)
}

// A factWriter writes JSON of one shape.
type factWriter struct {
	b      []byte
	inside bool // an object that has a member
}

func (w *factWriter) session(s *render.Summary) {
	if len(w.b) == 0 {
		w.b = append(w.b, "[\n {"...)
	} else {
		w.b = append(w.b, ",\n {"...)
	}
	w.inside = false
	w.text("id", s.ID)
	w.text("title", s.Title)
	w.text("project", s.Project.Name)
	w.text("page", s.Path())
	if !s.Start.IsZero() {
		w.text("start", s.Start.UTC().Format(time.RFC3339))
	}
	w.number("seconds", int64(s.Totals.Time.Seconds()))
	if s.Branch != "" {
		w.text("branch", s.Branch)
	}
	w.texts("models", s.Models)
	w.number("prompts", int64(s.Totals.Prompts))
	w.number("tools", int64(s.Totals.Tools))
	w.number("failed", int64(s.Totals.Failed))
	w.number("agents", int64(s.Totals.Agents))
	w.number("inputTokens", s.Totals.Usage.Input)
	w.number("cacheReadTokens", s.Totals.Usage.CacheRead)
	w.number("cacheWriteTokens", s.Totals.Usage.CacheWrite)
	w.number("outputTokens", s.Totals.Usage.Output)
	w.member("costUSD") // at list price where the log does not tell
	w.b = strconv.AppendFloat(w.b, s.Totals.Cost.Total().Dollars(), 'f', -1, 64)
	w.number("unpricedTokens", s.Totals.Cost.Unpriced) // of models without a known price
	if s.Archived {
		w.member("archived")
		w.b = append(w.b, "true"...)
	}
	w.b = append(w.b, "\n }"...)
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

// quote writes a string, which may be of any bytes.
func (w *factWriter) quote(s string) {
	quoted, err := jsontext.AppendQuote(w.b, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		panic(err) // valid UTF-8 can be quoted
	}
	w.b = quoted
}
