package sitegen

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/corpus"
)

// sameSite checks that two sites have the same files with the same bytes, and the same stored state of sessions.
func sameSite(t *testing.T, want, got string) {
	t.Helper()
	compareTrees(t, want, got)
	one, err := os.ReadFile(filepath.Join(want, state.SessionsName))
	other, failed := os.ReadFile(filepath.Join(got, state.SessionsName))
	if err != nil || failed != nil || string(one) != string(other) {
		t.Errorf("the stored state of sessions differs: %d and %d bytes, errors %v, %v",
			len(one), len(other), err, failed)
	}
	for _, left := range []string{partsFolder, planName, output.StateDir + "/journal"} {
		if _, err := os.Stat(filepath.Join(got, left)); err == nil {
			t.Errorf("%s of the shards is left", left)
		}
	}
	err = filepath.WalkDir(got, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".new") {
			t.Errorf("%s is left, a temporary file", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func buildShards(t *testing.T, o Options, count int, order ...int) {
	t.Helper()
	for _, i := range order {
		if _, err := BuildShard(context.Background(), o, Shard{i, count}); err != nil {
			t.Fatalf("shard %d/%d: %v", i, count, err)
		}
	}
}

func mustMerge(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Merge(context.Background(), Options{Out: o.Out, Version: o.Version})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustPlan(t *testing.T, o Options, shards int) PlanReport {
	t.Helper()
	r, err := Plan(context.Background(), o, shards)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestShardsAreOneBuild: shards and a merge give the same as one build, with and without a plan, in any order, and if
// shards run twice.
func TestShardsAreOneBuild(t *testing.T) {
	for _, source := range append([]string{testdata}, corpus.Share(corpus.Optional(t, "dev/*"))...) {
		one := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
		mustBuild(t, one)
		planned := one
		planned.Out = t.TempDir()
		mustPlan(t, planned, 7)
		buildShards(t, planned, 7, 3, 6, 0, 1, 2, 5, 4, 3, 0)
		mustMerge(t, planned)
		sameSite(t, one.Out, planned.Out)
		if again := buildInto(t, planned.Out, source); again.Written != 0 || again.Rendered != 0 {
			t.Errorf("%s: a build after the merge draws %d sessions and writes %d files, want none",
				source, again.Rendered, again.Written)
		}

		unplanned := one
		unplanned.Out = t.TempDir()
		buildShards(t, unplanned, 3, 2, 1, 0)
		mustMerge(t, unplanned)
		sameSite(t, one.Out, unplanned.Out)
	}
}

// TestShardsOfJoinedFiles: shards join the files of each session that is kept in several, with and without a plan.
func TestShardsOfJoinedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{droidSession, droidAgent} {
		write(t, filepath.Join(dir, "-w-lamp", id+".jsonl"), []byte(`{"type":"session_start","id":"`+id+
			`","cwd":"/w/lamp"}`+"\n"+droidMessage("user", `{"type":"text","text":"Mend the lamp"}`)+"\n"))
		write(t, filepath.Join(dir, "-w-lamp", id+".settings.json"),
			[]byte(`{"model":"gpt-5","tokenUsage":{"inputTokens":5,"outputTokens":7}}`))
	}
	one := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	if r := mustBuild(t, one); r.Sessions != 2 || r.Totals.Usage.Output != 14 {
		t.Errorf("got %d sessions, %+v", r.Sessions, r.Totals.Usage)
	}
	for _, planned := range []bool{true, false} {
		o := one
		o.Out = t.TempDir()
		if planned {
			mustPlan(t, o, 2)
		}
		buildShards(t, o, 2, 1, 0)
		mustMerge(t, o)
		sameSite(t, one.Out, o.Out)
	}
}

// TestShardsAtOnce runs all shards at the same time, each of them twice.
func TestShardsAtOnce(t *testing.T) {
	one := Options{Sources: []string{testdata}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, one)
	o := one
	o.Out = t.TempDir()
	var group sync.WaitGroup
	for i := range 10 {
		group.Go(func() {
			if _, err := BuildShard(context.Background(), o, Shard{i % 5, 5}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	mustMerge(t, o)
	sameSite(t, one.Out, o.Out)
}

// TestShardsOfAChange: unchanged sessions are neither read nor drawn, and the merge gives the site of one build.
func TestShardsOfAChange(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	buildShards(t, o, 3, 0, 1, 2)
	mustMerge(t, o)
	other := o
	other.Out = t.TempDir()
	mustBuild(t, other)

	file := filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[0])
	appendTo(t, file, fmt.Sprintf(line, 1, 1))
	gone := filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[1])
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	mustPlan(t, o, 3)
	buildShards(t, o, 3, 0, 1, 2)
	r := mustMerge(t, o)
	if r.Rendered != 1 || r.Kept != 1 {
		t.Errorf("rendered %d sessions, %d kept: want 1 and 1", r.Rendered, r.Kept)
	}
	mustBuild(t, other)
	compareTrees(t, other.Out, o.Out)
}

// TestKilledShards stops shards at random moments and starts them again. The result must be the site of one build, and
// no session that was recorded as drawn may be drawn twice.
func TestKilledShards(t *testing.T) {
	one := Options{Sources: []string{testdata}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, one)
	random := rand.New(rand.NewPCG(7, 7))
	o := one
	o.Out = t.TempDir()
	const shards = 2
	drawn, stopped := 0, 0
	for i := range shards {
		for {
			ctx, stop := context.WithCancel(context.Background())
			left := 1 + random.IntN(4) + stopped // includes sessions that earlier attempts have drawn
			var mu sync.Mutex
			o.Progress = func(Progress) {
				mu.Lock()
				defer mu.Unlock()
				if left--; left == 0 {
					stop()
				}
			}
			r, err := BuildShard(ctx, o, Shard{i, shards})
			stop()
			if err == nil {
				drawn += r.Rendered
				break
			}
			if stopped++; stopped > 500 {
				t.Fatalf("no attempt succeeds: %v", err)
			}
		}
		o.Progress = nil
	}
	if stopped == 0 {
		t.Fatal("no shard was stopped, want some")
	}
	made := mustMerge(t, o)
	if drawn >= made.Sessions {
		t.Errorf("the last attempts drew %d of %d sessions: want fewer, because earlier attempts drew some",
			drawn, made.Sessions)
	}
	sameSite(t, one.Out, o.Out)
}

// TestMergeNamesWhatIsMissing: nothing is merged until all parts exist and are complete.
func TestMergeNamesWhatIsMissing(t *testing.T) {
	o := Options{Sources: []string{testdata}, Out: t.TempDir(), Version: "test"}
	fails := func(want string) {
		t.Helper()
		_, err := Merge(context.Background(), Options{Out: o.Out, Version: "test"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("merge: error %v, want %q", err, want)
		}
		if _, err := os.Stat(filepath.Join(o.Out, "index.html")); err == nil {
			t.Error("index.html exists before the merge")
		}
	}
	fails("contains no parts to merge")
	mustPlan(t, o, 1)
	fails("lacks 1 of 1 part: shard 0/1")
	mustPlan(t, o, 4)
	buildShards(t, o, 4, 2)
	fails("lacks 3 of 4 parts: shards 0/4, 1/4, 3/4")
	buildShards(t, o, 4, 0, 1, 3)
	parts, err := filepath.Glob(filepath.Join(o.Out, partsFolder, "*", "part-00001"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	whole, err := os.ReadFile(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	torn := slices.Concat(whole[:len(whole)/2], []byte("?"), whole[len(whole)/2+1:])
	if err := os.WriteFile(parts[0], torn, 0o644); err != nil {
		t.Fatal(err)
	}
	fails("part-00001: it is damaged")
	if _, err := Merge(context.Background(), Options{Out: o.Out, Version: "other"}); err == nil ||
		!strings.Contains(err.Error(), "made by another version") {
		t.Errorf("a merge by another version: error %v, want one about the version", err)
	}
	buildShards(t, o, 4, 1)
	mustMerge(t, o)
	fails2 := func(o Options, shard Shard, want string) {
		t.Helper()
		if _, err := BuildShard(context.Background(), o, shard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("shard %s: error %v, want %q", shard, err, want)
		}
	}
	mustPlan(t, o, 4)
	fails2(o, Shard{0, 3}, "was made with --shards 4, not 3")
	personal := o
	personal.Personal = true
	fails2(personal, Shard{0, 4}, "made with other flags")
	elsewhere := o
	elsewhere.Sources = []string{copyOf(t, testdata)}
	fails2(elsewhere, Shard{0, 4}, "the plan is of other sources")
}

// TestOnePlanForAll: shards that used different plans are not merged.
func TestOnePlanForAll(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	buildShards(t, o, 2, 0)
	appendTo(t, filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[0]),
		fmt.Sprintf(line, 1, 1))
	buildShards(t, o, 2, 1)
	if _, err := Merge(context.Background(), Options{Out: o.Out, Version: "test"}); err == nil ||
		!strings.Contains(err.Error(), "parts of 2 plans") {
		t.Errorf("a merge of parts of two plans: error %v, want one that says so", err)
	}
	mustPlan(t, o, 2)
	buildShards(t, o, 2, 0, 1)
	mustMerge(t, o)
	one := o
	one.Out = t.TempDir()
	mustBuild(t, one)
	sameSite(t, one.Out, o.Out)
}

// TestShardsOfOneFile: sessions in the same file may belong to different shards.
func TestShardsOfOneFile(t *testing.T) {
	dir := t.TempDir()
	text := collectionHead
	for _, id := range strings.Fields("t-1 t-2 t-3 t-4 t-5 t-6") {
		text += collectionEntry(id, id, "", "Boats of "+id)
	}
	text += collectionEntry("t-7", "t-7", "t-1", "I count them.")
	write(t, filepath.Join(dir, "logs", "all.collection"), []byte(text))
	one := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{collection{}}, all.Sources...)}
	mustBuild(t, one)
	o := one
	o.Out = t.TempDir()
	mustPlan(t, o, 3)
	for i := range 3 {
		r, err := BuildShard(context.Background(), o, Shard{i, 3})
		if err != nil || r.Sessions == 0 {
			t.Errorf("shard %d: %d sessions, error %v; want some", i, r.Sessions, err)
		}
	}
	if r := mustMerge(t, o); r.Sessions != 6 {
		t.Errorf("%d sessions are merged, want 6", r.Sessions)
	}
	sameSite(t, one.Out, o.Out)
}

// TestMergeKilledLate: a merge that was killed after the site was complete, but before all parts were removed, counts
// as done.
func TestMergeKilledLate(t *testing.T) {
	o := Options{Sources: []string{testdata}, Out: t.TempDir(), Version: "test"}
	mustPlan(t, o, 2)
	buildShards(t, o, 2, 0, 1)
	parts, kept := filepath.Join(o.Out, partsFolder), t.TempDir()
	if err := os.CopyFS(kept, os.DirFS(parts)); err != nil {
		t.Fatal(err)
	}
	mustMerge(t, o)
	plans, err := filepath.Glob(filepath.Join(kept, "*", "plan"))
	if err != nil || len(plans) != 1 {
		t.Fatal(plans, err)
	}
	for _, whole := range []bool{true, false} {
		if err := os.CopyFS(parts, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
		if _, err := Merge(t.Context(), Options{Out: o.Out, Version: "test"}); !errors.Is(err, ErrMerged) {
			t.Errorf("with the plan %v: error %v, want ErrMerged", whole, err)
		}
		if _, err := os.Stat(parts); err == nil {
			t.Errorf("with the plan %v: parts are left", whole)
		}
		if err := os.RemoveAll(plans[0]); err != nil {
			t.Fatal(err)
		}
	}
	one := o
	one.Out = t.TempDir()
	mustBuild(t, one)
	sameSite(t, one.Out, o.Out)
}
