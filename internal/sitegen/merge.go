package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/segments"
	"viewer/internal/sitegen/state"
	"viewer/internal/stats"
	"viewer/internal/storage"
)

// Merge builds a site from the parts that the shards of a build left in its folder. It reads no session and draws only
// indexes. The site is the same as that of one build. Of the options, it uses the folder, the version and the
// callbacks.
func Merge(ctx context.Context, o Options) (Report, error) {
	if folder := storage.Folder(o.Out); !storage.IsAddress(o.Out) && !output.IsSite(folder) {
		_, err := os.Stat(filepath.Join(folder, output.StateDir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Report{}, failure.New(fmt.Errorf("reading %s: %w", folder, failure.Cause(err)),
				"give the folder of a site that can be read")
		}
		return Report{}, noParts(o.Out)
	}
	return once(o, func(s *Site) (Report, error) {
		return withBuilder(o, s, func(b *builder) (Report, error) { return b.merge(ctx) })
	})
}

// ErrMerged is returned when the parts have been merged already and no shard has begun since.
var ErrMerged = errors.New("it is up to date")

func noParts(out string) error {
	return failure.New(fmt.Errorf("%s contains no parts to merge", out),
		"build the shards first: viewer build SOURCE -o FOLDER --shard 0/2, then 1/2")
}

func (b *builder) merge(ctx context.Context) (Report, error) {
	s := b.site
	b.survey = new(survey)
	if err := s.open(ctx); err != nil {
		return Report{}, err
	}
	dir, p, err := completePlan(s.out)
	if p != nil {
		defer p.Close()
	}
	if done := mergedParts(s.out); errors.Is(err, ErrMerged) || err == nil && dir == done {
		if p != nil {
			p.Close() // so that it can be removed
		}
		if err := s.removeParts(done); err != nil { // left by a merge that was killed
			return Report{}, err
		}
		return Report{}, ErrMerged
	}
	if err != nil {
		return Report{}, err
	}
	if p.Program != b.program() {
		return Report{}, failure.New(fmt.Errorf("the parts in %s were made by another version of viewer", s.out.Dir()),
			"plan, build all shards and merge with the same program")
	}
	if b.Filter, err = plannedFilter(&p.Plan); err != nil {
		return Report{}, err
	}
	b.NoSearch, b.Tables, b.Prune, b.prices = p.NoSearch, p.Tables, p.Prune, stats.Prices{Date: p.Prices}
	s.base = p.Base
	b.out = s.out
	b.segments = segments.New(b.out, new(state.State))
	b.segments.Read = b.segment
	b.out.StartBuild()
	report, err := b.mergeParts(ctx, dir, p)
	p.Close()                                    // so that it can be removed
	if err != nil && mergedParts(s.out) == dir { // and has removed the parts meanwhile
		return Report{}, s.mergedByOther()
	}
	if err != nil {
		return Report{}, err
	}
	if err := s.Save(); err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageWrite, 0)
	report.Elapsed, report.Stages = time.Since(b.start), b.stages.Times()
	return report, s.dropParts(dir)
}

// mergeParts builds the site from the parts of a plan.
func (b *builder) mergeParts(ctx context.Context, dir partsDir, plan *state.PlanReader) (Report, error) {
	if err := plan.ReadRest(); err != nil {
		return Report{}, err
	}
	b.found = len(plan.Problems) // so that a build that finds others does not take over the report
	b.movedSessions = make(map[fingerprint.Digest]bool, len(plan.Moved))
	for _, id := range plan.Moved {
		b.movedSessions[id] = true
	}
	if b.large(plan.Sessions + len(plan.Kept)) {
		report, done, err := b.mergeLarge(ctx, dir, plan)
		if done || err != nil {
			return report, err
		}
		b.out.StartBuild() // most sessions are empty: start again
		b.bytesRead.Store(0)
		if plan, err = state.OpenPlan(b.out, dir.plan()); err != nil {
			return Report{}, err
		}
		defer plan.Close()
		if err := plan.ReadRest(); err != nil {
			return Report{}, err
		}
	}
	return b.mergeSmall(ctx, dir, plan)
}

// mergeSmall merges the parts of a site that is not large, with all sessions in memory.
func (b *builder) mergeSmall(ctx context.Context, dir partsDir, plan *state.PlanReader) (Report, error) {
	b.old = state.Read(b.out, plan.Base)
	b.old.ReadSessions(b.out, &b.site.details)
	b.site.stored, b.segments.Before = b.old, b.old
	b.out.Adopt(b.old.Outputs)
	for _, folder := range b.out.Folders(partsFolder) {
		b.out.AdoptAttempts(partsFolder + "/" + folder)
	}
	b.next = state.New(plan.Base)
	b.next.LooseFacts, b.old.NewLookups = plan.Loose, plan.Lookups
	if err := b.writeAssets(); err != nil {
		return Report{}, err
	}
	results := make([]result, 0, plan.Sessions)
	err := b.readParts(dir, plan, func(k *state.Entry, _ string) { results = append(results, b.readEntry(k)) },
		func(f state.SourceFile) {
			if _, read := b.next.Files[f.ID]; !read { // what a shard has read is newer
				b.next.Files[f.ID] = f.File
			}
		})
	if err != nil {
		return Report{}, err
	}
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	kept, err := keptOf(&plan.Plan, b.old)
	if err != nil {
		return Report{}, err
	}
	results = b.addKept(results, kept)
	b.problems = plan.Problems
	b.stopwatch.Lap(StageFind, 0)
	report, err := b.writeIndexes(results)
	if err != nil {
		return Report{}, err
	}
	b.stopwatch.Lap(StageIndex, 0)
	err = b.finish(&report)
	return report, err
}

// readEntry adds the session of an entry to the next state.
func (b *builder) readEntry(k *state.Entry) result {
	if old := b.old.Sessions[k.ID]; old != nil && old.Same(k.Session) {
		k.Session = old // the state on disk has the same, so one in memory is enough
	}
	if k.Kept {
		b.next.Sessions[k.ID] = k.Session
	}
	for _, f := range k.Files {
		b.next.Files[f.ID] = f.File
	}
	b.out.Accept(withoutAssets(k.Outputs))
	return result{Session: k.Session, bytes: k.Bytes, drawn: k.Drawn, reused: k.Reused}
}

// completePlan returns the plan whose parts are complete: preferably the one that was made first.
func completePlan(out *output.Writer) (partsDir, *state.PlanReader, error) {
	if dir := planInUse(out); dir != "" {
		p, err := state.OpenPlan(out, dir.plan())
		if err != nil {
			return dir, nil, err
		}
		return dir, p, missingParts(out, dir, p.Shards)
	}
	var incomplete error
	var complete []*state.PlanReader
	plans := 0
	for _, folder := range out.Folders(partsFolder) {
		dir := partsDir(partsFolder + "/" + folder)
		p, err := state.OpenPlan(out, dir.plan())
		if errors.Is(err, fs.ErrNotExist) { // the first shard was killed before it wrote the plan
			continue
		}
		if err != nil {
			return dir, nil, err
		}
		plans++
		if missing := missingParts(out, dir, p.Shards); missing != nil {
			p.Close()
			incomplete = missing
			continue
		}
		complete = append(complete, p)
	}
	switch {
	case len(complete) == 1:
		return partsDirOf(complete[0].Digest), complete[0], nil
	case plans == 0:
		if _, err := out.ReadFile(mergedName); err == nil {
			return "", nil, ErrMerged
		}
		return "", nil, noParts(out.Dir())
	}
	for _, p := range complete {
		p.Close()
	}
	if plans > 1 {
		return "", nil, failure.New(fmt.Errorf("%s contains parts of %d plans: the shards have not seen the same sources or flags",
			out.Dir(), plans), "make one plan for all shards: viewer plan SOURCE -o FOLDER --shards N")
	}
	return "", nil, incomplete
}

// missingParts returns an error that names the shards without a part.
func missingParts(out *output.Writer, dir partsDir, shards int) error {
	there := make(map[string]bool)
	entries, err := out.ReadDir(string(dir))
	if err != nil {
		return fmt.Errorf("reading %s: %w", dir, failure.Cause(err))
	}
	for _, e := range entries {
		there[string(dir)+"/"+e.Name()] = e.Type().IsRegular()
	}
	var missing []string
	for i := range shards {
		if !there[dir.part(i)] {
			missing = append(missing, Shard{i, shards}.String())
		}
	}
	if len(missing) == 0 {
		return nil
	}
	const most = 10
	named := strings.Join(missing[:min(most, len(missing))], ", ")
	if n := len(missing) - most; n > 0 {
		named += fmt.Sprintf(" and %d more", n)
	}
	parts, which := "parts", "shards"
	if shards == 1 {
		parts = "part"
	}
	if len(missing) == 1 {
		which = "shard"
	}
	return failure.New(fmt.Errorf("%s lacks %d of %d %s: %s %s", out.Dir(), len(missing), shards, parts, which, named),
		"build them: viewer build SOURCE -o FOLDER --shard "+missing[0])
}

// dropParts removes what only the merge needed, in an order that lets a killed merge run again.
func (s *Site) dropParts(merged partsDir) error {
	err := s.out.WriteIfAbsent(mergedName, []byte(path.Base(string(merged))+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return s.mergedByOther()
	}
	if err != nil {
		return err
	}
	return s.removeParts(merged)
}

// mergedByOther returns the error of the slower of two concurrent merges.
func (s *Site) mergedByOther() error {
	return failure.New(fmt.Errorf("another merge has made the site in %s", s.out.Dir()),
		"the site is complete: nothing is left to do")
}

// mergedParts returns the folder of the plan that was merged last, "" if a shard has started since.
func mergedParts(out *output.Writer) partsDir {
	name, err := out.ReadFile(mergedName)
	if err != nil {
		return ""
	}
	plan, _, _ := strings.Cut(string(name), "\n")
	return partsDir(partsFolder + "/" + plan)
}

// removeParts removes the files of shards, plans first, because parts without a plan are not merged.
func (s *Site) removeParts(merged partsDir) error {
	s.out.RemoveUnlisted(planName)
	for _, folder := range s.out.Folders(partsFolder) {
		if dir := partsDir(partsFolder + "/" + folder); dir != merged {
			s.out.RemoveUnlisted(dir.plan())
		}
	}
	s.out.RemoveUnlisted(merged.plan())
	if err := s.out.RemoveFolder(partsFolder); err != nil {
		return err
	}
	return s.out.Finish(func(*output.Writer) error { return nil }) // completes the removal above
}
