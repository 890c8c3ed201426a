package sitegen

import (
	"fmt"
	"slices"

	"viewer/internal/failure"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// readParts yields the entries of all parts in the order of the plan, each with its session as the state has it. After
// these it yields the files of the plan. It reads all parts at once.
func (b *builder) readParts(
	dir partsDir, plan *state.PlanReader, entry func(k *state.Entry, session string), file func(state.SourceFile),
) error {
	parts := make([]*state.PartReader, plan.Shards)
	defer func() {
		for _, p := range parts {
			if p != nil {
				p.Close()
			}
		}
	}()
	left := 0
	for shard := range parts {
		p, err := state.OpenPart(b.out, dir.part(shard))
		if err != nil {
			return err
		}
		parts[shard] = p
		if p.Plan != plan.Digest || p.Shard != shard {
			return b.ofOtherPlan(dir, shard)
		}
		b.bytesRead.Add(p.Read)
		left += p.Entries
	}
	for at := range plan.Sessions {
		planned, err := plan.Session()
		if err != nil {
			return err
		}
		if planned.Shard < 0 || planned.Shard >= len(parts) || parts[planned.Shard].Entries == 0 {
			return b.ofOtherPlan(dir, min(max(planned.Shard, 0), len(parts)-1))
		}
		part := parts[planned.Shard]
		part.Entries--
		k, encoded, err := part.Next()
		if err != nil {
			return err
		}
		if k.At != at || k.ID != planned.ID {
			return b.ofOtherPlan(dir, planned.Shard)
		}
		left--
		entry(&k, encoded)
	}
	if left > 0 {
		return b.ofOtherPlan(dir, slices.IndexFunc(parts, func(p *state.PartReader) bool { return p.Entries > 0 }))
	}
	for shard, p := range parts {
		parts[shard] = nil
		if err := p.Close(); err != nil {
			return err
		}
	}
	return plan.ReadFiles(file)
}

// ofOtherPlan returns the error for a part that does not fit the plan.
func (b *builder) ofOtherPlan(dir partsDir, shard int) error {
	return failure.New(fmt.Errorf("%s belongs to another plan", b.out.PathOf(dir.part(shard))), planAgain)
}

// withoutAssets returns the files of a part that the merge does not write itself.
func withoutAssets(files []output.File) []output.File {
	return slices.DeleteFunc(files, func(f output.File) bool { return isAsset(f.Name) })
}
