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
	return withBuilder(o, nil, func(b *builder) (Report, error) { return b.check(ctx, o) })
}

func (b *builder) check(ctx context.Context, o Options) (Report, error) {
	b.old, b.next = state.New(fingerprint.Digest{}), state.New(fingerprint.Digest{})
	var err error
	if b.survey, err = findSessions(ctx, o); err != nil {
		return Report{}, err
	}
	b.memory.set(b.largest())
	if err := b.scan(ctx, b.old); err != nil {
		return Report{}, err
	}
	if b.projects, err = b.choose(o.plan(b.folders, nil), b.old); err != nil {
		return Report{}, err
	}
	results, err := b.sessions(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Problems: b.problems}
	for _, r := range results {
		report.add(r, r.summary())
	}
	report.Elapsed, report.Stages = time.Since(b.start), b.stages.Times()
	return report, nil
}
