package sitegen

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// errStalePlan means that the site has changed since the plan was made.
var errStalePlan = failure.New(errors.New("the site has changed since the plan was made"), planAgain)

const planAgain = "begin again with viewer plan, and build all shards"

// A PlanReport describes how the work of a build is divided.
type PlanReport struct {
	Digest   string
	Sessions int
	Shards   int
	Bytes    int64 // of the files of the sessions
	Largest  int64 // of the largest shard
}

// Plan lists the sources once and writes a plan for the shards of a build. It replaces an earlier plan.
func Plan(ctx context.Context, o Options, shards int) (PlanReport, error) {
	return once(o, func(s *Site) (PlanReport, error) {
		return withBuilder(o, s, func(b *builder) (PlanReport, error) { return b.writePlan(ctx, shards) })
	})
}

func (b *builder) writePlan(ctx context.Context, shards int) (PlanReport, error) {
	if err := b.openSite(ctx); err != nil {
		return PlanReport{}, err
	}
	b.old.ReadSessions(b.out, &b.site.details)
	p, err := b.makePlan(ctx, shards)
	if err != nil {
		return PlanReport{}, err
	}
	dir := partsDirOf(p.Digest)
	for _, folder := range b.out.Folders(partsFolder) {
		if old := partsDir(partsFolder + "/" + folder); old != dir { // shards of the same plan may be done
			if err := b.out.DropFolder(string(old)); err != nil {
				return PlanReport{}, err
			}
		}
	}
	if err := b.out.MakeFolder(string(dir)); err != nil {
		return PlanReport{}, err
	}
	if err := state.WritePlan(b.out, dir.plan(), p); err != nil {
		return PlanReport{}, err
	}
	name := fmt.Sprintf("%x", p.Digest[:])
	if err := b.out.Top().WriteUnlisted(planName, []byte(name+"\n")); err != nil {
		return PlanReport{}, err
	}
	b.out.RemoveUnlisted(mergedName)
	report := PlanReport{Digest: name, Sessions: len(p.Sessions), Shards: shards}
	sizes := make([]int64, shards)
	for i, one := range b.plannedOrder() {
		sizes[p.Sessions[i].Shard] += one.size()
		report.Bytes += one.size()
	}
	for _, size := range sizes {
		report.Largest = max(report.Largest, size)
	}
	return report, nil
}

// makePlan finds the sessions and assigns them to shards. The site must be open.
func (b *builder) makePlan(ctx context.Context, shards int) (*state.Plan, error) {
	o := b.Options
	o.keepLists = true
	o.Notes.Off = true // shards draw none: a later build with notes draws their sessions again
	var err error
	if b.survey, err = findSessions(ctx, o); err != nil {
		return nil, err
	}
	if len(b.folders) == 0 || b.failed != nil {
		b.Prune = false // keep pages when a disk is missing
	}
	files := b.files()
	var scanned []file
	for _, fo := range b.folders {
		scanned = slices.AppendSeq(scanned, fo.logs())
	}
	b.memory.set(b.largest())
	if err := b.scan(ctx, b.old); err != nil {
		return nil, err
	}
	b.next = state.New(b.site.base)
	b.rememberFiles(files)
	p := &state.Plan{
		Program: b.program(), Base: b.site.base, Shards: shards, Start: b.start.UnixNano(),
		NoSearch: b.NoSearch, Tables: b.Tables, Prune: b.Prune, Prices: b.prices.Date,
		Problems: b.problems, Files: b.next.Files, Loose: b.next.LooseFacts,
	}
	if p.Filter, err = filterJSON(b.Filter); err != nil {
		return nil, err
	}
	kept := b.findKept()
	b.dropLogMissing(kept)
	for _, id := range fingerprint.SortedKeys(kept) {
		p.Kept, p.Taken = append(p.Kept, id), append(p.Taken, kept[id].Folder)
	}
	p.Moved = fingerprint.SortedKeys(b.movedSessions)
	b.projects = b.Options.plan(b.folders, p.Taken)
	if err := b.chooseSessions(); err != nil {
		return nil, err
	}
	p.Lookups = b.old.NewLookups
	p.Sources, p.Scans = b.listedSources(), plannedScans(scanned)
	all := b.plannedOrder()
	for i, shard := range assign(all, shards) {
		p.Sessions = append(p.Sessions, state.PlannedSession{ID: all[i].main.id, Shard: shard})
	}
	p.SetDigest()
	return p, nil
}

// listedSources returns the sources with their files, so that shards list no folders.
func (b *builder) listedSources() []state.PlannedSource {
	var all []state.PlannedSource
	for _, src := range b.sources {
		listed := state.PlannedSource{ID: src.ID}
		for _, e := range src.Listed {
			listed.Files = append(listed.Files, state.PlannedFile{Path: e.Path, Stamp: e.Stamp})
		}
		all = append(all, listed)
	}
	return all
}

// plannedScans returns what the scan of files has found, so that shards do not scan them again.
func plannedScans(scanned []file) []state.PlannedScan {
	var all []state.PlannedScan
	for _, f := range scanned {
		one := state.PlannedScan{ID: f.id, Content: f.scanned.content, Facts: f.scanned.encoded}
		if f.scanned.err != nil && asFault(f.scanned.err) == nil {
			one.Failure = f.scanned.err.Error()
		}
		all = append(all, one)
	}
	return all
}

// plannedOrder returns the sessions in the order of the build.
func (b *builder) plannedOrder() []*session {
	var all []*session
	for _, p := range b.projects {
		all = append(all, p.sessions...)
	}
	return all
}
