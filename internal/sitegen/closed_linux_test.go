package sitegen

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/sitegen/state"
)

// TestFailedBuildsCloseSources: a plan or a shard that fails after it has opened the sources leaves no file open.
func TestFailedBuildsCloseSources(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	remove(t, filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[0]))
	none := o
	none.Filter.Projects = []string{"no such project"}
	before := open()
	if _, err := Plan(t.Context(), none, 2); err == nil {
		t.Error("a plan without sessions did not fail")
	}
	if _, err := BuildShard(t.Context(), none, Shard{0, 2}); err == nil {
		t.Error("a shard without sessions did not fail")
	}
	if n := open(); n != before {
		t.Errorf("%d files are open after failed plans, before %d", n, before)
	}
	mustPlan(t, o, 2)
	remove(t, filepath.Join(o.Out, state.SessionsName)) // the plan keeps a session that is now unknown
	if _, err := BuildShard(t.Context(), o, Shard{0, 2}); !errors.Is(err, errStalePlan) {
		t.Errorf("a shard of another site: error %v, want %v", err, errStalePlan)
	}
	if n := open(); n != before {
		t.Errorf("%d files are open after a failed shard, before %d", n, before)
	}
}
