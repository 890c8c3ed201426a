package sitegen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/render"
)

// indexes writes the index of the site, those of the projects, and
// sessions.json.
func (b *builder) indexes(results []result) (Report, error) {
	report := Report{Problems: b.problems}
	all := render.Index{Generator: "viewer " + b.Version}
	if b.Sample != nil {
		all.Sample = "No sessions were found, so this is a sample. Build your own with: viewer build ~/.claude/projects -o site"
	}
	byProject := make(map[string][]render.Summary)
	for _, r := range results {
		report.add(r)
		report.Wrong = append(report.Wrong, r.wrong...)
		if r.Summary.Empty {
			continue
		}
		all.Sessions = append(all.Sessions, r.Summary)
		path := r.Summary.Project.Path
		if byProject[path] == nil {
			all.Projects = append(all.Projects, render.ProjectCount{Project: r.Summary.Project})
		}
		byProject[path] = append(byProject[path], r.Summary)
	}
	all.Ledger, all.Problems, all.Empty = report.Ledger, report.Problems, report.Empty
	for i := range all.Projects {
		all.Projects[i].Sessions = len(byProject[all.Projects[i].Path])
	}
	slices.SortFunc(all.Projects, func(a, b render.ProjectCount) int {
		if a.Sessions != b.Sessions {
			return b.Sessions - a.Sessions
		}
		return strings.Compare(a.Name, b.Name)
	})
	if err := b.out.write("index.html", render.DrawIndex(all)); err != nil {
		return report, err
	}
	for _, p := range all.Projects {
		one := all
		one.Project = &p.Project
		one.Sessions = byProject[p.Path]
		if err := b.out.write(p.Path, render.DrawIndex(one)); err != nil {
			return report, err
		}
	}
	if err := writeFacts(all.Sessions, b.out); err != nil {
		return report, err
	}
	report.Projects = len(byProject)
	report.Pages += 1 + len(byProject)
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
}

func writeFacts(sessions []render.Summary, out *output) error {
	facts := make([]fact, 0, len(sessions))
	for _, s := range sessions {
		f := fact{
			ID: s.ID, Title: s.Title, Project: s.Project.Name, Page: s.Path(), Seconds: int64(s.Totals.Time.Seconds()), Branch: s.Branch,
			Models: append([]string{}, s.Models...), Prompts: s.Totals.Prompts, Tools: s.Totals.Tools, Failed: s.Totals.Failed, Agents: s.Totals.Agents,
			Input: s.Totals.Usage.Input, CacheRead: s.Totals.Usage.CacheRead, CacheNew: s.Totals.Usage.CacheWrite, Output: s.Totals.Usage.Output,
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
