package sitegen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/render"
)

// indexes writes the index pages that show something new, and sessions.json.
func (b *builder) indexes(results []result) (Report, error) {
	report := Report{Problems: b.problems}
	site := render.Site{Generator: "viewer " + b.Version, Prices: b.prices.Date}
	if b.Sample != nil {
		site.Sample = "No sessions were found, so this is a sample. Build your own with: viewer build ~/.claude/projects -o site"
	}
	projects := make(map[string]bool)
	for _, r := range results {
		report.add(r)
		report.Wrong = append(report.Wrong, r.wrong...)
		if r.Summary.Empty {
			continue
		}
		summary := r.Summary
		summary.Archived = r.Archived
		site.Sessions = append(site.Sessions, summary)
		projects[summary.Project.Path] = true
	}
	site.Ledger, site.Problems, site.Empty = report.Ledger, report.Problems, report.Empty
	pages := render.PlanIndexes(site)
	slices.Reverse(pages) // what leads to others comes after them: a killed build leaves no dead link
	for _, page := range pages {
		if strings.HasSuffix(page.Name, ".html") {
			report.Pages++
		}
		key := digestOf([]byte(page.Key))
		b.next.indexes[page.Name] = key
		if b.old.indexes[page.Name] == key && !b.Force && !b.Verify && b.out.intact(page.Name) {
			b.out.keep([]string{page.Name})
			continue
		}
		if err := b.out.write(page.Name, page.HTML()); err != nil {
			return report, err
		}
	}
	if err := b.search(results); err != nil {
		return report, err
	}
	if err := writeFacts(site.Sessions, b.out); err != nil {
		return report, err
	}
	report.Projects = len(projects)
	return report, nil
}

// A fact is one session in sessions.json.
type fact struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Project   string   `json:"project"`
	Page      string   `json:"page"`
	Start     string   `json:"start,omitempty"`
	Seconds   int64    `json:"seconds"`
	Branch    string   `json:"branch,omitempty"`
	Models    []string `json:"models"`
	Prompts   int      `json:"prompts"`
	Tools     int      `json:"tools"`
	Failed    int      `json:"failed"`
	Agents    int      `json:"agents"`
	Input     int64    `json:"inputTokens"`
	CacheRead int64    `json:"cacheReadTokens"`
	CacheNew  int64    `json:"cacheWriteTokens"`
	Output    int64    `json:"outputTokens"`
	CostUSD   float64  `json:"costUSD"`        // at list price where the log does not tell
	Unpriced  int64    `json:"unpricedTokens"` // of models without a known price
	Archived  bool     `json:"archived,omitempty"`
}

func writeFacts(sessions []render.Summary, out *output) error {
	facts := make([]fact, 0, len(sessions))
	for _, s := range sessions {
		f := fact{
			ID: s.ID, Title: s.Title, Project: s.Project.Name, Page: s.Path(), Seconds: int64(s.Totals.Time.Seconds()), Branch: s.Branch,
			Models: append([]string{}, s.Models...), Prompts: s.Totals.Prompts, Tools: s.Totals.Tools, Failed: s.Totals.Failed, Agents: s.Totals.Agents,
			Input: s.Totals.Usage.Input, CacheRead: s.Totals.Usage.CacheRead, CacheNew: s.Totals.Usage.CacheWrite, Output: s.Totals.Usage.Output,
			CostUSD: s.Totals.Cost.Total().Dollars(), Unpriced: s.Totals.Cost.Unpriced, Archived: s.Archived,
		}
		if !s.Start.IsZero() {
			f.Start = s.Start.UTC().Format(time.RFC3339)
		}
		facts = append(facts, f)
	}
	data, err := json.MarshalIndent(facts, "", " ")
	if err != nil {
		return fmt.Errorf("writing sessions.json: %w", err)
	}
	return out.write("sessions.json", append(data, '\n'))
}
