package sitegen

import (
	"context"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// Check reads and draws everything like Build, but writes nothing. The report lists what the sources contain and what
// could not be used.
func Check(ctx context.Context, o Options) (Report, error) {
	start := time.Now()
	b, err := newBuilder(o, start)
	if err != nil {
		return Report{}, err
	}
	defer b.memory.reset()
	b.memory.set(0) // until the largest session is known
	b.old, b.next = state.New(fingerprint.Digest{}), state.New(fingerprint.Digest{})
	if b.survey, err = findSessions(ctx, o); err != nil {
		return Report{}, err
	}
	defer b.survey.close()
	b.memory.set(b.largest())
	if err := b.scan(ctx, b.old); err != nil {
		return Report{}, err
	}
	if b.projects, err = o.Filter.choose(o.plan(b.folders, nil)); err != nil {
		return Report{}, err
	}
	for _, p := range b.projects {
		if err := relate(p, b.old); err != nil {
			return Report{}, err
		}
	}
	results, err := b.sessions(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Problems: b.problems}
	for _, r := range results {
		report.add(r, r.summary())
	}
	report.Elapsed, report.Stages = time.Since(start), b.stages.Times()
	return report, nil
}
