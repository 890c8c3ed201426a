package sitegen

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"viewer/assets"
	"viewer/render"
	"viewer/stats"
	"viewer/transcript"
)

// Options say what to build and where.
type Options struct {
	Sources  []string // projects folders, project folders, session files
	Sample   fs.FS    // built instead of Sources when not nil
	Out      string
	Personal bool   // draw the account of whoever ran the sessions, too
	Force    bool   // build into a folder that holds other files
	Pricing  string // a file of prices, instead of the list prices; "" for those
	Version  string // of the program

	// Progress, when not nil, is told of each finished session, from several goroutines.
	Progress func(done, total int, bytes int64)

	prices stats.Prices // of Pricing, read once
}

// A Report says what a build made.
type Report struct {
	Sessions int // with a page
	Empty    int // without anything to show
	Projects int
	Pages    int
	Written  int // files whose bytes changed
	InBytes  int64
	OutBytes int64
	Totals   stats.Totals
	Ledger   render.Ledger
	Problems []transcript.Problem
	Elapsed  time.Duration
	Stages   []StageTime // where the time went, summed over goroutines: more than Elapsed on several cores
}

// Build makes the site. What is wrong with the data is in the report; an error
// means that the machine failed or that there is nothing to build.
func Build(ctx context.Context, o Options) (Report, error) {
	start := time.Now()
	var err error
	if o.prices, err = readPrices(o.Pricing); err != nil {
		return Report{}, err
	}
	projects, unreadable, err := find(ctx, o)
	if err != nil {
		return Report{}, err
	}
	old, err := prepare(o.Out, o.Force)
	if err != nil {
		return Report{}, err
	}
	release, err := lock(o.Out)
	if err != nil {
		return Report{}, err
	}
	defer release()

	out := newOutput(o.Out)
	for _, f := range assets.Files() {
		if err := out.write("assets/"+f.Name, []byte(f.Text)); err != nil {
			return Report{}, err
		}
	}
	results, err := buildSessions(ctx, o, projects, out)
	if err != nil {
		return Report{}, err
	}
	report, err := buildIndexes(o, unreadable, results, out)
	if err != nil {
		return Report{}, err
	}
	if err := out.finish(o.Version, old); err != nil {
		return Report{}, err
	}
	report.Written = int(out.written.Load())
	report.OutBytes = out.bytes.Load()
	report.Elapsed = time.Since(start)
	return report, nil
}

// Check reads and draws everything as Build does, and writes nothing: the
// report says what there is and what could not be used.
func Check(ctx context.Context, o Options) (Report, error) {
	start := time.Now()
	var err error
	if o.prices, err = readPrices(o.Pricing); err != nil {
		return Report{}, err
	}
	projects, unreadable, err := find(ctx, o)
	if err != nil {
		return Report{}, err
	}
	results, err := buildSessions(ctx, o, projects, nil)
	if err != nil {
		return Report{}, err
	}
	report := Report{Elapsed: time.Since(start), Problems: unreadable}
	for _, r := range results {
		report.add(r)
	}
	return report, nil
}

// add counts one session.
func (r *Report) add(s result) {
	r.Ledger = r.Ledger.Add(s.ledger)
	r.Totals = r.Totals.Add(s.summary.Totals)
	r.Problems = append(r.Problems, s.summary.Problems...)
	r.Pages += s.pages
	r.InBytes += s.bytes
	if s.empty {
		r.Empty++
	} else {
		r.Sessions++
	}
}

// A result is what is kept of a session after its pages are written.
type result struct {
	project *project
	summary render.Summary
	ledger  render.Ledger
	pages   int
	bytes   int64
	empty   bool
}

// buildSessions draws and writes the sessions on all cores, the longest first;
// the results are in the order of the sessions.
func buildSessions(ctx context.Context, o Options, projects []*project, out *output) ([]result, error) {
	var results []result
	type task struct {
		s  *session
		p  *project
		at int
	}
	var tasks []task
	for _, p := range projects {
		for _, s := range p.sessions {
			tasks = append(tasks, task{s, p, len(tasks)})
		}
	}
	results = make([]result, len(tasks))
	slices.SortStableFunc(tasks, func(a, b task) int { return int(min(max(b.s.size()-a.s.size(), -1), 1)) })

	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	var done, bytes atomic.Int64
	for _, t := range tasks {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := buildSession(o, t.s, t.p, out)
			if err != nil {
				return err
			}
			results[t.at] = r
			n := done.Add(1)
			b := bytes.Add(t.s.size())
			if o.Progress != nil {
				o.Progress(int(n), len(tasks), b)
			}
			return nil
		})
	}
	return results, group.Wait()
}

func buildSession(o Options, s *session, p *project, out *output) (result, error) {
	in, err := s.input(p, o)
	if err != nil { // it was there a moment ago: the others are built
		return result{project: p, empty: true, summary: render.Summary{Problems: []transcript.Problem{unreadable(s.main, err)}}}, nil
	}
	in.Generator, in.Prices = "viewer "+o.Version, o.prices
	d := render.DrawSession(in)
	r := result{project: p, summary: d.Summary, ledger: d.Ledger, bytes: s.size()}
	r.empty = d.Summary.Empty
	if r.empty || out == nil {
		return r, nil
	}
	for _, m := range d.Media {
		if err := out.write(m.Name, m.Data); err != nil {
			return result{}, err
		}
	}
	for _, page := range d.Pages {
		if err := out.write("s/"+s.folder+"/"+page.Name, page.HTML); err != nil {
			return result{}, err
		}
		if strings.HasSuffix(page.Name, ".html") {
			r.pages++
		}
	}
	return r, nil
}

func readFile(f file) (*transcript.File, error) {
	data, err := f.read()
	if err != nil {
		return nil, err
	}
	read := transcript.Read(f.name, data)
	return &read, nil
}

func validJSON(data []byte) bool { return jsontext.Value(data).IsValid() }

// buildIndexes writes the index of the site, those of the projects, and
// sessions.json.
func buildIndexes(o Options, unreadable []transcript.Problem, results []result, out *output) (Report, error) {
	report := Report{Problems: unreadable}
	all := render.Index{Generator: "viewer " + o.Version}
	if o.Sample != nil {
		all.Sample = "No sessions were found, so this is a sample. Build your own with: viewer build ~/.claude/projects -o site"
	}
	byProject := make(map[*project][]render.Summary)
	for _, r := range results {
		report.add(r)
		if r.empty {
			continue
		}
		all.Sessions = append(all.Sessions, r.summary)
		byProject[r.project] = append(byProject[r.project], r.summary)
	}
	all.Ledger, all.Problems, all.Empty = report.Ledger, report.Problems, report.Empty
	for p, sessions := range byProject {
		all.Projects = append(all.Projects, render.ProjectCount{Project: p.Project, Sessions: len(sessions)})
	}
	slices.SortFunc(all.Projects, func(a, b render.ProjectCount) int {
		if a.Sessions != b.Sessions {
			return b.Sessions - a.Sessions
		}
		return strings.Compare(a.Name, b.Name)
	})
	if err := out.write("index.html", render.DrawIndex(all)); err != nil {
		return report, err
	}
	for p, sessions := range byProject {
		one := all
		one.Project = &p.Project
		one.Sessions = sessions
		if err := out.write(p.Path, render.DrawIndex(one)); err != nil {
			return report, err
		}
	}
	if err := writeFacts(all.Sessions, out); err != nil {
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

// HasSessions says whether a folder holds a session to build.
func HasSessions(dir string) bool {
	if dir == "" {
		return false
	}
	if _, err := os.Stat(dir); err != nil {
		return false
	}
	folders, err := discover(dir)
	return err == nil && len(folders) > 0
}
