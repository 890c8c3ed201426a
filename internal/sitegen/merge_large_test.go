package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/manysessions"
)

// largeMerged plans a large site, builds all shards and merges them.
func largeMerged(t *testing.T, o Options) Report {
	t.Helper()
	mustPlan(t, o, 5)
	buildShards(t, o, 5, 4, 0, 2, 1, 3)
	r, err := Merge(context.Background(), Options{Out: o.Out, Version: o.Version, Large: o.Large})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLargeMerge: a merge of a large site gives the same as one build, when sessions are added, grow, are moved or
// removed; over a complete site, a damaged one, one with other options, and without one.
func TestLargeMerge(t *testing.T) {
	corpus.Long(t)
	source, sessions := copyOf(t, testdata), 120
	if testing.Short() {
		sessions = 60
	}
	if err := manysessions.Write(source, sessions); err != nil {
		t.Fatal(err)
	}
	settle(t, source)
	one := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Large: 40}
	merged := one
	merged.Out = t.TempDir()
	same := func(what string) {
		t.Helper()
		if testing.Short() { // with the race detector, see compareClean
			largeMerged(t, merged)
			return
		}
		want, got := mustBuild(t, one), largeMerged(t, merged)
		if want.Sessions != got.Sessions || want.Kept != got.Kept || want.Removed != got.Removed ||
			want.Projects != got.Projects || want.OutBytes != got.OutBytes || want.Pages != got.Pages ||
			len(want.Problems) != len(got.Problems) || want.Ledger.Read != got.Ledger.Read {
			t.Errorf("%s: the merge reports %.300s\nwant %.300s", what, fmt.Sprint(got), fmt.Sprint(want))
		}
		compareTrees(t, one.Out, merged.Out)
		for _, name := range []string{partsFolder, planName, output.StateDir + "/journal"} {
			if _, err := os.Stat(filepath.Join(merged.Out, name)); err == nil {
				t.Errorf("%s: %s is left", what, name)
			}
		}
		a, b := storedIn(t, one), storedIn(t, merged)
		for kind := range a {
			if !reflect.DeepEqual(a[kind], b[kind]) {
				t.Errorf("%s: the stored state differs: %s", what, kind)
			}
		}
		again, err := Build(context.Background(), merged)
		if err != nil || again.Written != 0 || again.Rendered != 0 || again.OutBytes != want.OutBytes {
			t.Errorf("%s: a build after it draws %d sessions and writes %d files, want none; error %v",
				what, again.Rendered, again.Written, err)
		}
	}
	file := func(n int) string { return filepath.Join(source, manysessions.Path(n)) }
	same("new")
	appendTo(t, file(7), manysessions.Record(7, 5, "user", "One more thing: what about the harbour?"))
	same("one grew")
	if _, err := os.Stat(filepath.Join(merged.Out, state.UpdatesName)); err != nil {
		t.Errorf("the complete state was written again: %v", err)
	}
	if err := os.Remove(file(11)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file(12), file(500)); err != nil {
		t.Fatal(err)
	}
	same("one went, one moved")
	one.Prune, merged.Prune = true, true
	same("pruned")
	one.Prune, merged.Prune = false, false
	for _, name := range []string{state.SessionsName, state.FilesName, state.UpdatesName} {
		for _, o := range []Options{one, merged} {
			path := filepath.Join(o.Out, name)
			if data, err := os.ReadFile(path); err == nil {
				data[len(data)/2] ^= 0x10
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		appendTo(t, file(7), manysessions.Record(7, 6, "user", "And with a damaged "+name+"?"))
		same("damaged " + name)
	}
	one.Version, merged.Version = "other", "other"
	same("another version")
	one.NoSearch, merged.NoSearch = true, true
	same("without search")
}

// TestLargeMergeOfFew: if many sessions are empty, the remaining ones are a small site.
func TestLargeMergeOfFew(t *testing.T) {
	source := t.TempDir()
	if err := manysessions.Write(source, 20); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Join(source, manysessions.Path(0))), name+".jsonl"),
			[]byte(`{"type":"summary","summary":"x","leafUuid":"`+name+`"}`+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, source)
	one := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Large: 20}
	merged := one
	merged.Out = t.TempDir()
	want := mustBuild(t, one)
	if want.Empty == 0 {
		t.Fatal("no session is empty, want some")
	}
	if got := largeMerged(t, merged); got.OutBytes != want.OutBytes || got.Read != want.Read {
		t.Errorf("the site has %d bytes from %d read, want %d from %d",
			got.OutBytes, got.Read, want.OutBytes, want.Read)
	}
	sameSite(t, one.Out, merged.Out)
}

// storedIn returns what the state of a site has, see storedFields.
func storedIn(t *testing.T, o Options) (stored map[string]any) {
	t.Helper()
	withState(t, o, func(s *state.State, out *output.Writer) {
		var details output.Spool
		defer details.Close()
		s.ReadSessions(out, &details)
		stored = storedFields(s)
	})
	return stored
}

// storedFields returns what a state has, without the times of pages.
func storedFields(s *state.State) map[string]any {
	sessions := make(map[fingerprint.Digest]string)
	for id, k := range s.Sessions {
		sessions[id] = k.Encode()
	}
	files := make(map[fingerprint.Digest]state.File)
	for id, f := range s.Files {
		f.Mod = 0 // zero for files so new that a later change could have the same time
		files[id] = f
	}
	var outputs []string
	for _, f := range s.Outputs.Files {
		outputs = append(outputs, fmt.Sprint(f.Name, f.Size))
	}
	slices.Sort(outputs)
	return map[string]any{"sessions": sessions, "outputs": outputs, "files": files, "loose": s.LooseFacts,
		"lookups": s.Lookups, "keys": s.IndexKeys, "rows": s.RowSizes, "unusable": s.Unusable, "lost": s.Lost}
}
