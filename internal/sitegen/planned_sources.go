package sitegen

import (
	"context"
	"errors"
	"fmt"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/transcript"
)

// plannedSources are the sources of a build as its plan found them. With them, shards list no folders, and do not scan
// sessions of other shards.
type plannedSources struct {
	sources []state.PlannedSource
	scans   map[fingerprint.Digest]*state.PlannedScan // by the id of the file
}

func newPlannedSources(p *state.Plan) *plannedSources {
	planned := &plannedSources{p.Sources, make(map[fingerprint.Digest]*state.PlannedScan, len(p.Scans))}
	for i := range p.Scans {
		planned.scans[p.Scans[i].ID] = &p.Scans[i]
	}
	return planned
}

// list returns the files of source i: those in the plan, or those that exist.
func (v *survey) list(ctx context.Context, i int) ([]input.Entry, []transcript.Problem, error) {
	src := v.sources[i]
	if v.planned == nil {
		src.KeepList = v.options.keepLists
		return src.List(ctx)
	}
	if i >= len(v.planned.sources) || v.planned.sources[i].ID != src.ID {
		return nil, nil, failure.New(fmt.Errorf("reading %s: the plan is of other sources", src.Name),
			"give each shard the sources that viewer plan was given, by the same paths")
	}
	files := make([]input.Entry, len(v.planned.sources[i].Files))
	for j, f := range v.planned.sources[i].Files {
		files[j] = input.Entry{Path: f.Path, Stamp: f.Stamp}
	}
	files, problems := src.Arranged(files)
	return files, problems, nil
}

// scanned sets the scan of a file from the plan, and reports whether the plan has the file.
func (p *plannedSources) scanned(f file) bool {
	known := p.scans[f.id]
	if known == nil {
		return false
	}
	f.scanned.setFacts(known.Facts)
	f.scanned.content = known.Content
	if known.Content != (fingerprint.Digest{}) {
		f.scanned.size = f.Size
	}
	if known.Failure != "" {
		f.scanned.err = errors.New(known.Failure)
	}
	return true
}
