package facts

import (
	"strings"
	"time"

	"viewer/internal/export"
	"viewer/render"
)

// A Session is a row of the table of sessions. Tags name the columns, which are described in docs/formats.md.
type Session struct {
	Page             string   `parquet:"page"`
	ID               string   `parquet:"id"`
	Title            string   `parquet:"title"`
	Project          string   `parquet:"project,dict"`
	Agent            string   `parquet:"agent,dict"`
	Start            int64    `parquet:"start,optional,timestamp(millisecond)"` // 0 if unknown
	Seconds          int64    `parquet:"seconds"`
	WorkSeconds      int64    `parquet:"work_seconds"`
	Branch           string   `parquet:"branch,dict"`
	Worktree         string   `parquet:"worktree,dict"`
	Models           []string `parquet:"models,list"`
	Prompts          int64    `parquet:"prompts"`
	Requests         int64    `parquet:"requests"`
	Calls            int64    `parquet:"calls"`
	Failed           int64    `parquet:"failed"`
	Agents           int64    `parquet:"agents"`
	Compactions      int64    `parquet:"compactions"`
	InputTokens      int64    `parquet:"input_tokens"`
	OutputTokens     int64    `parquet:"output_tokens"`
	CacheReadTokens  int64    `parquet:"cache_read_tokens"`
	CacheWriteTokens int64    `parquet:"cache_write_tokens"`
	CostUSD          float64  `parquet:"cost_usd"`
	ListPrice        bool     `parquet:"list_price"`
	UnpricedTokens   int64    `parquet:"unpriced_tokens"`
	Mark             string   `parquet:"mark,dict"`
	Asked            string   `parquet:"asked"`
	Ending           string   `parquet:"ending"`
	Commits          int64    `parquet:"commits"`
	PullRequests     []string `parquet:"pull_requests,list"`
	NetFiles         int64    `parquet:"net_files"`
	NetAdded         int64    `parquet:"net_added"`
	NetRemoved       int64    `parquet:"net_removed"`
	UnknownAdded     int64    `parquet:"unknown_added"`
	UnknownRemoved   int64    `parquet:"unknown_removed"`
	Kept             bool     `parquet:"kept"`
}

// SessionOf returns the row of a session.
func SessionOf(s *render.Summary) Session {
	tokens, spent, t, o := export.TokensOf(s.Totals.Usage), export.SpentOn(s.Totals), &s.Totals, &s.Outcome
	return Session{
		Page: text(s.Path()), ID: text(s.ID), Title: text(s.Title), Project: text(s.Project.Name),
		Agent: s.Agent().ID(),
		Start: millis(s.Start), Seconds: int64(t.Time.Seconds()), WorkSeconds: int64(t.Work.Seconds()),
		Branch: text(s.Branch), Worktree: text(s.Worktree), Models: texts(s.Models),
		Prompts: int64(t.Prompts), Requests: int64(t.Requests), Calls: int64(t.Tools), Failed: int64(t.Failed),
		Agents: int64(t.Agents), Compactions: int64(t.Compacted),
		InputTokens: tokens.Input, OutputTokens: tokens.Output,
		CacheReadTokens: tokens.CacheRead, CacheWriteTokens: tokens.CacheWrite,
		CostUSD: spent.CostUSD, ListPrice: spent.ListPrice, UnpricedTokens: spent.UnpricedTokens,
		Mark: o.Mark.String(), Asked: text(o.Asked), Ending: text(o.Line()),
		Commits: int64(o.Commits), PullRequests: texts(o.PullRequests),
		NetFiles: int64(o.Files), NetAdded: int64(o.Added), NetRemoved: int64(o.Removed),
		UnknownAdded: int64(o.UnknownAdded), UnknownRemoved: int64(o.UnknownRemoved), Kept: s.Kept,
	}
}

// text returns a text that is valid in a column.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func texts(all []string) []string {
	valid := make([]string, len(all))
	for i, s := range all {
		valid[i] = text(s)
	}
	return valid
}

// millis returns a time in milliseconds since 1970, 0 for no time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
