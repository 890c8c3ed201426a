package sitegen

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// BuildShard builds the sessions of one shard and leaves a part for [Merge]. The report covers this shard.
func BuildShard(ctx context.Context, o Options, shard Shard) (Report, error) {
	return once(o, func(s *Site) (Report, error) {
		s.shared = true
		return withBuilder(o, s, func(b *builder) (Report, error) {
			start := b.start // run replaces it
			report, err := (&shardBuild{builder: b, shard: shard}).run(ctx)
			report.Elapsed, report.Stages = time.Since(start), b.stages.Times()
			return report, err
		})
	})
}

// A shardBuild is one attempt at one shard.
type shardBuild struct {
	*builder
	shard Shard
	dir   partsDir

	mu      sync.Mutex
	noted   io.WriteCloser   // see state.WriteEntry
	at      map[*session]int // indexes of the shard's sessions in the plan
	entries []state.Entry
}

func (b *shardBuild) run(ctx context.Context) (Report, error) {
	defer b.closeNoted()
	if err := b.openSite(ctx); err != nil {
		return Report{}, err
	}
	b.old.ReadSessions(b.out, &b.site.details)
	p, err := b.readPlan(ctx)
	if err != nil {
		return Report{}, err
	}
	if err := b.find(ctx, p); err != nil {
		return Report{}, err
	}
	b.resume()
	b.stopwatch.Lap(StageFind, 0)
	if err := b.writeAssets(); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageWrite, 0)
	b.builtSession = b.add
	results, err := b.sessions(ctx)
	closing := b.closeNoted()
	if err != nil {
		return Report{}, err
	}
	if closing != nil {
		return Report{}, fmt.Errorf("writing %s/%s: %w", b.out.Dir(), b.dir, failure.Cause(closing))
	}
	return b.finishPart(p, results)
}

// readPlan reads the plan to follow, or makes one. Several shards may do so at the same time, with the same result.
func (b *shardBuild) readPlan(ctx context.Context) (*state.Plan, error) {
	attempt := make([]byte, 6)
	rand.Read(attempt) // names files that the merge removes
	token := hex.EncodeToString(attempt)
	if b.dir = planInUse(b.out); b.dir != "" {
		p, err := state.ReadPlan(b.out, b.dir.plan())
		if err == nil {
			err = b.fits(p)
		}
		if err != nil {
			return nil, err
		}
		return p, b.begin(token)
	}
	p, err := b.makePlan(ctx, b.shard.Count)
	if err != nil {
		return nil, err
	}
	b.closeSurvey()
	b.old.NewLookups = state.New(b.old.Base).NewLookups
	b.dir = partsDirOf(p.Digest)
	if err := b.begin(token); err != nil {
		return nil, err
	}
	return p, state.WritePlan(b.out, b.dir.plan(), p)
}

// begin opens the files of this attempt other than pages.
func (b *shardBuild) begin(token string) error {
	b.out.RemoveUnlisted(mergedName)
	err := b.out.Share(string(b.dir), token)
	if err == nil {
		b.noted, err = b.out.AppendUnlisted(string(b.dir) + "/" + b.dir.noted(b.shard.Index) + token)
	}
	return err
}

// closeNoted closes the file of drawn sessions, if it is open.
func (b *shardBuild) closeNoted() error {
	if b.noted == nil {
		return nil
	}
	noted := b.noted
	b.noted = nil
	return noted.Close()
}

// fits returns an error if the plan cannot be followed.
func (b *shardBuild) fits(p *state.Plan) error {
	planned, err := plannedFilter(p)
	if err != nil {
		return err
	}
	own := b.Filter // "7 days ago" has become another time
	if !own.Since.IsZero() && !planned.Since.IsZero() {
		own.Since = planned.Since
	}
	if !own.Until.IsZero() && !planned.Until.IsZero() {
		own.Until = planned.Until
	}
	filter, err := filterJSON(own)
	b.Filter = planned
	switch {
	case err != nil:
		return err
	case p.Program != b.program():
		return failure.New(fmt.Errorf("the plan in %s was made by another version of viewer", b.out.Dir()),
			"plan, build all shards and merge with the same program")
	case p.Base != b.site.base || p.NoSearch != b.NoSearch || p.Filter != filter:
		return failure.New(fmt.Errorf("the plan in %s was made with other flags", b.out.Dir()),
			"give viewer plan and each shard the same flags")
	case p.Shards != b.shard.Count:
		return failure.New(fmt.Errorf("the plan in %s was made with --shards %d, not %d", b.out.Dir(), p.Shards,
			b.shard.Count),
			"give --shard the number of viewer plan --shards, or plan again")
	}
	return nil
}

// find arranges the files of the plan into sessions with projects and folders, and keeps those of this shard.
func (b *shardBuild) find(ctx context.Context, p *state.Plan) error {
	b.start = time.Unix(0, p.Start) // the time at which the plan saw the files
	b.Prune = p.Prune
	var err error
	if b.survey, err = findPlanned(ctx, b.Options, newPlannedSources(p)); err != nil {
		return err
	}
	if err := b.scan(ctx, b.old); err != nil {
		return err
	}
	b.next = state.New(b.site.base)
	b.next.Files = p.Files
	kept, err := keptOf(p, b.old)
	if err != nil {
		return err
	}
	b.dropLogMissing(kept)
	b.projects = b.Options.plan(b.folders, p.Taken)
	shards := make(map[fingerprint.Digest]int, len(p.Sessions))
	for i, s := range p.Sessions {
		shards[s.ID] = i
	}
	b.projects = slices.DeleteFunc(b.projects, func(one *project) bool {
		one.sessions = slices.DeleteFunc(one.sessions, func(s *session) bool {
			_, chosen := shards[s.main.id]
			return !chosen
		})
		return len(one.sessions) == 0
	})
	looked := state.New(b.site.base)
	looked.Files, looked.Lookups = p.Files, p.Lookups
	for _, one := range b.projects {
		if err := relate(one, looked); err != nil {
			return err
		}
	}
	b.at = make(map[*session]int)
	n := 0
	for _, one := range b.projects {
		one.sessions = slices.DeleteFunc(one.sessions, func(s *session) bool {
			i := shards[s.main.id]
			n++
			if p.Sessions[i].Shard != b.shard.Index {
				return true
			}
			b.at[s] = i
			return false
		})
	}
	if n != len(p.Sessions) {
		return errStalePlan
	}
	largest := int64(0)
	for s := range b.at {
		largest = max(largest, s.size())
	}
	b.memory.set(largest)
	b.idleCores = len(b.at) < 2
	return nil
}

// resume reuses the results of earlier attempts at this shard, like those of an earlier build.
func (b *shardBuild) resume() {
	files, _ := b.out.ReadDir(string(b.dir)) // what cannot be read is made again
	add := func(k *state.Entry) {
		if !k.Kept {
			return
		}
		b.old.Sessions[k.ID] = k.Session
		for _, f := range k.Files {
			b.old.Files[f.ID], b.next.Files[f.ID] = f.File, f.File
		}
		b.out.Remember(k.Outputs)
	}
	for _, f := range files {
		name := string(b.dir) + "/" + f.Name()
		switch {
		case name == b.dir.part(b.shard.Index):
			if entries, err := state.ReadPart(b.out, name); err == nil {
				for i := range entries {
					add(&entries[i])
				}
			}
		case strings.HasPrefix(f.Name(), b.dir.noted(b.shard.Index)):
			if data, err := b.out.ReadFile(name); err == nil {
				entries := state.ReadEntries(data)
				for i := range entries {
					add(&entries[i])
				}
			}
		}
	}
}

// add records a finished session.
func (b *shardBuild) add(s *session, r result) error {
	at, ok := b.at[s]
	if !ok {
		return errStalePlan
	}
	k := state.Entry{At: at, ID: s.main.id, Session: r.Session, Bytes: r.bytes, Drawn: r.drawn, Reused: r.reused}
	b.nextMu.Lock()
	k.Kept = b.next.Sessions[s.main.id] == r.Session
	for _, f := range s.files() {
		k.Files = append(k.Files, state.SourceFile{ID: f.id, File: b.next.Files[f.id]})
	}
	b.nextMu.Unlock()
	k.Outputs = b.out.Listed(r.Outputs())
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries = append(b.entries, k)
	err := state.WriteEntry(b.noted, &k)
	if _, known := errors.AsType[*failure.Error](err); err == nil || known {
		return err
	}
	return failure.New(fmt.Errorf("writing %s/%s: %w", b.out.Dir(), b.dir, failure.Cause(err)), "free some space")
}

// finishPart writes the part and returns the report.
func (b *shardBuild) finishPart(p *state.Plan, results []result) (Report, error) {
	slices.SortFunc(b.entries, func(a, b state.Entry) int { return cmp.Compare(a.At, b.At) })
	part := state.Part{Plan: p.Digest, Shard: b.shard.Index, Read: b.bytesRead.Load(), Entries: b.entries}
	if err := state.WritePart(b.out, b.dir.part(b.shard.Index), &part); err != nil {
		return Report{}, err
	}
	report := Report{Filter: b.Filter.String(), Read: b.bytesRead.Load()}
	projects := make(map[string]bool)
	for _, r := range results {
		summary := r.summary()
		report.add(r, summary)
		if !summary.Empty {
			projects[summary.Project.Path] = true
		}
	}
	report.Projects = len(projects)
	report.Written, report.OutBytes = b.out.Counts()
	b.stopwatch.Lap(StageWrite, 0)
	return report, nil
}
