package sitegen

import (
	"cmp"
	"context"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"viewer/internal/changes"
	"viewer/internal/export"
	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/internal/outcome"
	"viewer/internal/report"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/stats"
	"viewer/render"
)

// A Listed is one session in a list.
type Listed struct {
	ID      string
	Short   string // a prefix of the id that is unique among the sources, at least 8 characters
	Title   string
	Project string
	Agent   string // the coding agent, as transcript.Writer.ID
	CWD     string
	File    string // its absolute path, "-" for standard input
	Branch  string
	Models  []string

	Start, End time.Time
	Totals     stats.Totals

	Net export.Net // with ListOptions.Net

	Insights insights.Session // with ListOptions.Insights

	// With ListOptions.Git.
	PullRequests []string        // addresses
	Branches     []string        // with EverythingOfGit
	Commits      []report.Commit // with EverythingOfGit
}

// GitFacts selects what a list contains about repositories.
type GitFacts uint8

const (
	BranchOnly GitFacts = iota
	PullRequests
	EverythingOfGit // not in the state of a site
)

// ListOptions select what to list.
type ListOptions struct {
	Limit int                   // maximum number; 0 is all
	Keep  func(*Listed) bool    // reports whether to list a session; may be nil
	By    func(a, b Listed) int // the order; nil for the newest first
	Sites []string              // folders of sites whose state may contain the sessions
	Git   GitFacts
	Net   bool // include net changes

	Insights bool // include insights
}

// A lister lists sessions.
type lister struct {
	Options
	ListOptions
	old    *state.State      // of a site
	short  map[string]string // by id
	reused atomic.Int64      // sessions that were not read
}

// List returns the sessions that the filter chooses, the newest first, and those without a time last. A session whose
// files have not changed since a site was built is taken from the state of the site; reused counts these. Of the
// others, it reads only those that may be among the newest, unless By sorts them.
func List(ctx context.Context, o Options, l ListOptions) (listed []Listed, reused int, err error) {
	var memory memoryLimit
	memory.set(0) // until the largest session is known
	defer memory.reset()
	o.Originals = o.Originals || l.Net || l.Insights
	if err := o.ready(); err != nil {
		return nil, 0, err
	}
	v, err := findSessions(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	defer v.close()
	memory.set(v.largest())
	var details output.Spool
	defer details.Close()
	x := &lister{Options: o, ListOptions: l, old: o.lastState(l.Sites, &details)}
	projects, err := v.projects(ctx, x.old)
	x.short = shortIDs(v.folders) // now that it is known who wrote each file
	if err == nil {
		projects, err = o.choose(projects, x.old)
	}
	if err == nil {
		o.tellUnread(v.problems)
		listed, err = x.list(ctx, projects)
	}
	return listed, int(x.reused.Load()), err
}

// A projectSession is a session with its project.
type projectSession struct {
	*project
	*session
	end time.Time // the latest time in its file
}

// list lists sessions of projects in rounds. Each round reads as many as are still missing.
//
// Until a session is read, only the times in its files are known. It may begin later than the first of them, after the
// history of the session that it resumed, but not later than the last. So those that ended last are read first, until
// no other can be newer than those that are found.
func (x *lister) list(ctx context.Context, projects []*project) ([]Listed, error) {
	var all []projectSession
	for _, p := range projects {
		for _, s := range p.sessions {
			all = append(all, projectSession{p, s, s.main.facts().End})
		}
	}
	slices.SortStableFunc(all, func(a, b projectSession) int { return b.end.Compare(a.end) })
	newest := func(a, b Listed) int { return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.File, b.File)) }
	var listed []Listed
	for len(all) > 0 {
		n := len(all)
		if x.Limit > 0 && x.By == nil {
			if len(listed) >= x.Limit && all[0].end.Before(listed[x.Limit-1].Start) {
				break
			}
			n = min(n, max(0, x.Limit-len(listed))+runtime.GOMAXPROCS(0)) // some may be empty
		}
		found, err := x.each(ctx, all[:n])
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			if one != nil && (x.Keep == nil || x.Keep(one)) {
				listed = append(listed, *one)
			}
		}
		slices.SortStableFunc(listed, newest)
		all = all[n:]
	}
	if x.By != nil {
		slices.SortStableFunc(listed, x.By)
	}
	if x.Limit > 0 {
		listed = listed[:min(len(listed), x.Limit)]
	}
	return listed, nil
}

// each lists sessions on all cores. Its result is nil for empty ones.
func (x *lister) each(ctx context.Context, all []projectSession) ([]*Listed, error) {
	found := make([]*Listed, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, at := range all {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			one, err := x.listOne(at.project, at.session)
			if err != nil && asFault(err) != nil && x.skip(at.session, err) {
				return nil
			}
			found[i] = one
			return err
		})
	}
	return found, group.Wait()
}

// listOne returns what a list shows of a session, or nil when it is empty.
func (x *lister) listOne(p *project, s *session) (*Listed, error) {
	l, reused := x.fromState(p, s)
	if !reused {
		in, err := x.read(p, s)
		if asFault(err) != nil {
			return nil, err
		}
		if err != nil || isUnlisted(in) { // a file that is no longer readable has nothing to list
			return nil, nil
		}
		l = newListed(in, s.main.absolute(), x.Git)
		if x.Insights {
			l.Insights = render.Open(in).Insights()
		}
		if x.Net {
			c := in.Conversation
			net := changes.Replay(changes.Steps(c), changes.Options{Folder: c.Facts.CWD, NoWriters: true,
				Work: changes.UsualWork})
			l.Net = export.Net(net.Net())
		}
	}
	if l != nil && reused {
		x.reused.Add(1)
	}
	if short := x.short[s.id]; l != nil && strings.HasPrefix(l.ID, short) { // not if its file is named by another id
		l.Short = short
	}
	return l, nil
}

// lastState returns the state of the first of these sites that was built with these options. Some of it is in a spool.
func (o Options) lastState(sites []string, details *output.Spool) *state.State {
	base := o.base()
	for _, dir := range sites {
		if !output.IsSite(dir) {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			continue // treated as no site
		}
		out := output.New(dir, root)
		s := state.Read(out, base)
		if len(s.Files) > 0 {
			s.ReadSessions(out, details)
		}
		out.Close()
		if s.Unusable == "" && len(s.Files) > 0 {
			return s
		}
	}
	return state.New(fingerprint.Digest{})
}

// fromState returns a session from the state of a site, nil when it is empty. The state is used if the key of the
// session is the same.
func (x *lister) fromState(p *project, s *session) (l *Listed, reused bool) {
	k := x.old.Sessions[s.main.id]
	if k == nil || x.Git == EverythingOfGit || !unchanged(x.old, s.files()) {
		return nil, false
	}
	r := &reader{Options: x.Options, old: x.old}
	files, err := r.open(s, p, false)
	if err != nil || k.Key != files.key() {
		return nil, false
	}
	sum := k.Summary()
	for _, problem := range sum.Problems {
		if problem.Fault { // a repeated fault is reported again
			return nil, false
		}
	}
	if sum.Empty {
		return nil, true
	}
	l = &Listed{
		ID: sum.ID, Title: sum.Title, Project: sum.Project.Name, CWD: s.main.facts().CWD, File: s.main.absolute(),
		Agent: sum.Agent().ID(), Branch: sum.Branch, Models: sum.Models, Start: sum.Start, Totals: sum.Totals,
	}
	if o := &sum.Outcome; x.Net {
		l.Net = export.Net{Files: o.Files, Added: o.Added, Removed: o.Removed, UnknownAdded: o.UnknownAdded,
			UnknownRemoved: o.UnknownRemoved}
	}
	if x.Insights {
		l.Insights = k.Insights(nil)
	}
	if x.Git != BranchOnly {
		l.PullRequests = sum.Outcome.PullRequests
	}
	if !l.Start.IsZero() {
		l.End = l.Start.Add(l.Totals.Time)
	}
	return l, true
}

// unchanged reports whether no file has changed since a state was written.
func unchanged(s *state.State, files []file) bool {
	return !slices.ContainsFunc(files, func(f file) bool {
		_, same := s.Unchanged(f.id, f.Stamp)
		return !same
	})
}

// shortIDs returns a unique prefix of each id, by id.
func shortIDs(folders []*folder) map[string]string {
	const least, whole = 8, 12 // shorter ids are not cut
	var ids []string
	for _, fo := range folders {
		for _, s := range fo.sessions {
			ids = append(ids, s.id)
		}
	}
	slices.Sort(ids)
	shared := func(a, b string) int {
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		return n
	}
	short := make(map[string]string, len(ids))
	for i, id := range ids {
		n := least
		if i > 0 {
			n = max(n, shared(ids[i-1], id)+1)
		}
		if i < len(ids)-1 {
			n = max(n, shared(ids[i+1], id)+1)
		}
		if short[id] = id; n < len(id) && len(id) > whole && utf8.RuneStart(id[n]) {
			short[id] = id[:n]
		}
	}
	return short
}

// newListed returns what a list shows of a session. It shares no memory with the session.
func newListed(s render.Session, file string, git GitFacts) *Listed {
	c := s.Conversation
	l := &Listed{
		ID: strings.Clone(c.ID), Title: strings.Clone(outcome.Title(c)), Project: s.Project.Name,
		Agent: c.Writer.ID(), CWD: strings.Clone(c.Facts.CWD), File: file,
		Start: c.Facts.Start, End: c.Facts.End, Totals: stats.Of(c, s.Prices),
	}
	for _, m := range stats.ModelNames(c, l.Totals) {
		l.Models = append(l.Models, strings.Clone(m))
	}
	for i := range l.Totals.Models {
		l.Totals.Models[i].Name = strings.Clone(l.Totals.Models[i].Name)
	}
	if n := len(c.Facts.Branches); n > 0 {
		l.Branch = strings.Clone(c.Facts.Branches[n-1])
	}
	if git != BranchOnly {
		l.addGit(s, git)
	}
	return l
}

// addGit adds what the session did to repositories.
func (l *Listed) addGit(s render.Session, git GitFacts) {
	requests, commits := report.GitOf(Exported(s))
	l.PullRequests = requests
	if git != EverythingOfGit {
		return
	}
	for _, name := range s.Conversation.Facts.Branches {
		l.Branches = append(l.Branches, strings.Clone(name))
	}
	l.Commits = commits
}

// IDs returns the ids of the sessions of the sources with their folders, without reading any. Shells complete them.
func IDs(ctx context.Context, sources []string) [][2]string {
	v, err := findSessions(ctx, Options{Sources: sources})
	if err != nil {
		return nil
	}
	defer v.close()
	var all [][2]string
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if s.main.Size > 0 {
				all = append(all, [2]string{s.id, path.Base(fo.name)})
			}
		}
	}
	return all
}
