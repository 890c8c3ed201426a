package sitegen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// Several processes on several machines can build one site. They share only the folder of the site. Each draws the
// sessions of one shard and leaves a part. A merge makes the indexes from all parts.
//
// A plan assigns sessions to shards. If there is none, the first shard makes it; all shards would make the same. The
// names of the files of a shard depend only on sessions and content, so a shard that runs twice, even at the same time,
// leaves the same bytes. A part is complete or missing. Until it is complete, each drawn session is recorded, so that a
// killed shard can continue.

// A Shard is one of the parts into which the work of a build is divided.
type Shard struct{ Index, Count int } // from 0 to Count-1

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Names of what shards leave in the folder of a site until they are merged.
const (
	planName    = output.StateDir + "/plan"   // names the plan that was made first, if any
	mergedName  = output.StateDir + "/merged" // names the plan that was merged last, until a shard begins
	partsFolder = output.StateDir + "/parts"  // has a folder for each plan, which is named by its digest
)

// A partsDir is the folder of a plan.
type partsDir string

func partsDirOf(plan fingerprint.Digest) partsDir {
	return partsDir(fmt.Sprintf("%s/%x", partsFolder, plan[:]))
}

func (d partsDir) plan() string          { return string(d) + "/plan" }
func (d partsDir) part(shard int) string { return fmt.Sprintf("%s/part-%05d", d, shard) }

// noted returns the prefix of the names of files in which attempts at a shard record their sessions.
func (d partsDir) noted(shard int) string { return fmt.Sprintf("drawn-%05d-", shard) }

// planInUse returns the folder of the plan that shards should follow, or "" when they make it themselves.
func planInUse(out *output.Writer) partsDir {
	name, err := out.ReadFile(planName)
	if err != nil {
		return ""
	}
	var d fingerprint.Digest
	if n, err := fmt.Sscanf(string(name), "%x", &name); n != 1 || err != nil || len(name) != len(d) {
		return ""
	}
	return partsDirOf(fingerprint.Digest(name))
}

// keptOf returns the sessions of the last build that a plan keeps.
func keptOf(p *state.Plan, old *state.State) (map[fingerprint.Digest]*state.Session, error) {
	kept := make(map[fingerprint.Digest]*state.Session, len(p.Kept))
	for i, id := range p.Kept {
		known := old.Sessions[id]
		if known == nil || known.Folder != p.Taken[i] {
			return nil, errStalePlan
		}
		kept[id] = known
	}
	return kept, nil
}

// filterJSON encodes a filter for a plan.
func filterJSON(f Filter) (string, error) {
	if f.everything() {
		return "", nil
	}
	data, err := json.Marshal(f)
	return string(data), err
}

func plannedFilter(p *state.Plan) (f Filter, err error) {
	if p.Filter != "" {
		if err = json.Unmarshal([]byte(p.Filter), &f); err != nil {
			err = fmt.Errorf("reading the filter of a plan: %w", err)
		}
	}
	return f, err
}

// assign assigns sessions to shards by size. Related sessions get the same shard, because a copied history is read for
// each session that shares it. The result depends only on the sessions and their order.
func assign(all []*session, shards int) []int {
	at := make(map[*session]int, len(all))
	for i, s := range all {
		at[s] = i
	}
	groups := newGroups(len(all))
	for i, s := range all {
		if s.family != nil {
			for _, other := range s.family.members {
				if j, ok := at[other]; ok {
					groups.join(i, j)
				}
			}
		}
		for _, r := range s.related {
			if j, ok := at[r.session]; ok {
				groups.join(i, j)
			}
		}
	}
	weights := make(map[int]int64) // by the first session of a group
	for i, s := range all {
		weights[groups.first(i)] += s.size() + sessionWeight
	}
	order := slices.SortedFunc(maps.Keys(weights), func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]),
			slices.Compare(all[a].main.id[:], all[b].main.id[:]), cmp.Compare(a, b))
	})
	loads := make([]int64, shards)
	shardOf := make(map[int]int, len(order))
	for _, first := range order {
		least := 0
		for i, load := range loads {
			if load < loads[least] {
				least = i
			}
		}
		loads[least] += weights[first]
		shardOf[first] = least
	}
	dealt := make([]int, len(all))
	for i := range all {
		dealt[i] = shardOf[groups.first(i)]
	}
	return dealt
}

// sessionWeight is the constant cost of a session, as a number of bytes that take the same time.
const sessionWeight = 32 << 10

// groups is a union-find structure over indexes.
type groups []int

func newGroups(n int) groups {
	g := make(groups, n)
	for i := range g {
		g[i] = i
	}
	return g
}

// first returns the smallest index of a group.
func (g groups) first(i int) int {
	for g[i] != i {
		g[i] = g[g[i]]
		i = g[i]
	}
	return i
}

func (g groups) join(i, j int) {
	i, j = g.first(i), g.first(j)
	g[max(i, j)] = min(i, j)
}
