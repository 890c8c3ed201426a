package state

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/render"
)

// A storedSite is the folder of a site of which only the state is written.
type storedSite struct {
	t   *testing.T
	dir string
	out *output.Writer
	n   int // number of generated names
}

func newStoredSite(t *testing.T) *storedSite {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, output.StateDir), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := output.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return &storedSite{t: t, dir: dir, out: out}
}

// read reads the state from the folder.
func (s *storedSite) read() *State {
	k := Read(s.out, fingerprint.Digest{1})
	k.ReadSessions(s.out, s.spool())
	return k
}

// spool returns a spool that is closed after the test.
func (s *storedSite) spool() *output.Spool {
	spool := new(output.Spool)
	s.t.Cleanup(spool.Close)
	return spool
}

func (s *storedSite) size(name string) int64 {
	info, err := os.Stat(filepath.Join(s.dir, name))
	if err != nil {
		return -1
	}
	return info.Size()
}

// next returns a state that differs from the one before in a few items and shares the rest.
func (s *storedSite) next(random *rand.Rand, before *State) *State {
	k := New(before.Base)
	k.Files, k.LooseFacts = maps.Clone(before.Files), maps.Clone(before.LooseFacts)
	k.Lookups = maps.Clone(before.Lookups)
	k.IndexKeys, k.RowSizes = maps.Clone(before.IndexKeys), maps.Clone(before.RowSizes)
	k.Sessions, k.Outputs = maps.Clone(before.Sessions), before.Outputs
	var files []output.File
	var gone []string
	for range 1 + random.IntN(4) {
		s.n++
		name := fmt.Sprint(random.IntN(20))
		id := fingerprint.Of([]byte(name))
		k.Report = fmt.Sprint("report ", s.n/3)
		if random.IntN(3) == 0 {
			delete(k.Files, id)
			delete(k.Sessions, id)
			delete(k.LooseFacts, id)
			delete(k.Lookups, id)
			delete(k.IndexKeys, name)
			delete(k.RowSizes, name)
			gone = append(gone, name)
			continue
		}
		k.Files[id] = File{fingerprint.Stamp{Size: int64(s.n)}, id}
		if old := k.Sessions[id]; old != nil && random.IntN(2) == 0 {
			old.SetKept(!old.Kept)
		} else {
			k.Sessions[id] = NewSession(name, []string{"s/a/index.html"}, &render.Drawing{Summary: render.Summary{
				Folder: "a", Title: fmt.Sprint(s.n),
			}})
		}
		k.LooseFacts[id] = fmt.Sprint(s.n)
		k.Lookups[id] = Lookup{IDs: []string{"a", name}, Has: []bool{s.n%2 == 0, true}}
		k.IndexKeys[name] = fingerprint.Of([]byte(k.Report))
		k.RowSizes[name] = s.n
		files = append(files, output.File{Name: name, Size: int64(s.n), Mod: 2})
	}
	k.Outputs.Update(files, gone)
	return k
}

// sameState checks that two states are equal.
func sameState(t *testing.T, what string, got, want *State) {
	t.Helper()
	files := func(s *State) (all []string) {
		for _, f := range s.Outputs.Files {
			all = append(all, fmt.Sprint(f.Name, f.Size, f.Mod))
		}
		slices.Sort(all)
		return all
	}
	sessions := func(s *State) map[fingerprint.Digest]string {
		all := make(map[fingerprint.Digest]string)
		for id, k := range s.Sessions {
			all[id] = k.Encode()
		}
		return all
	}
	for _, c := range [][2]any{
		{got.Report, want.Report}, {got.Files, want.Files}, {files(got), files(want)}, {sessions(got), sessions(want)},
		{got.LooseFacts, want.LooseFacts}, {got.Lookups, want.Lookups}, {got.IndexKeys, want.IndexKeys},
		{got.RowSizes, want.RowSizes}, {got.Unusable, ""},
	} {
		if !reflect.DeepEqual(c[0], c[1]) {
			t.Fatalf("%s: read %+v\nwant %+v", what, c[0], c[1])
		}
	}
}

// TestUpdates writes states one after the other, some by another process, and checks that each is read as written. Most
// are written as updates. If there are many updates, the two main files are written.
func TestUpdates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	s := newStoredSite(t)
	state := s.next(random, New(fingerprint.Digest{1}))
	if err := state.Write(s.out, nil); err != nil {
		t.Fatal(err)
	}
	updates, whole := 0, 0
	for i := range 400 {
		size := s.size(UpdatesName)
		if random.IntN(3) == 0 { // as by another process
			state = s.read()
		}
		next := s.next(random, state)
		if err := next.Write(s.out, state); err != nil {
			t.Fatal(err)
		}
		if now := s.size(UpdatesName); now > size {
			updates++
		} else {
			whole++
		}
		sameState(t, fmt.Sprint("state ", i), s.read(), next)
		state = next
	}
	if whole < 1 || updates < 100*whole {
		t.Errorf("updates were written %d times, and the two main files %d times; want at least 1 and 100 times as many updates",
			updates, whole)
	}
	other := Read(s.out, fingerprint.Digest{2}) // of other options: what cannot be made again is still known
	other.ReadSessions(s.out, s.spool())
	if len(other.Sessions) != len(state.Sessions) || len(other.Outputs.Files) != len(state.Outputs.Files) ||
		len(other.Files)+len(other.IndexKeys) > 0 {
		t.Errorf("with other options %d sessions of %d are known, and %d files", len(other.Sessions),
			len(state.Sessions), len(other.Files))
	}
	for id, k := range other.Sessions {
		if k.Key != (fingerprint.Digest{}) || k.Kept != state.Sessions[id].Kept {
			t.Errorf("with other options a session is %+v", k)
		}
	}
	size := s.size(UpdatesName)
	if err := s.next(random, other).Write(s.out, other); err != nil || s.size(UpdatesName) >= size && size > 0 {
		t.Errorf("updates of another program were extended: %v", err)
	}
}

// TestTornUpdates truncates the updates at many offsets, and changes bytes. What is read must be the state after one of
// the builds before, and the next build must continue from there.
func TestTornUpdates(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	s := newStoredSite(t)
	state := s.next(random, New(fingerprint.Digest{1}))
	if err := state.Write(s.out, nil); err != nil {
		t.Fatal(err)
	}
	states := []*State{s.read()}
	for range 4 {
		next := s.next(random, state)
		if err := next.Write(s.out, state); err != nil {
			t.Fatal(err)
		}
		state = next
		states = append(states, s.read())
	}
	path := filepath.Join(s.dir, UpdatesName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, data []byte, goOn bool) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		got := s.read()
		i := slices.IndexFunc(states, func(k *State) bool {
			return k.Report == got.Report && len(k.Files) == len(got.Files)
		})
		if i < 0 {
			t.Fatalf("%s: read %+v, want one of the written states", what, got)
		}
		if !goOn {
			return
		}
		next := s.next(random, got)
		if err := next.Write(s.out, got); err != nil {
			t.Fatal(err)
		}
		sameState(t, what, s.read(), next)
	}
	for n := 0; n < len(whole); n += 3 {
		check(fmt.Sprint(n, " bytes"), whole[:n], n%15 == 0)
		flipped := bytes.Clone(whole)
		flipped[n] ^= 0x10
		check(fmt.Sprint("byte ", n), flipped, n%15 == 0)
	}
	check("more", append(bytes.Clone(whole), "more"...), true)
}

// TestKilledBetween kills a build between writing the two main files, and before the updates are removed. Updates must
// never be applied to a file that they do not belong to.
func TestKilledBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	s := newStoredSite(t)
	first := s.next(random, New(fingerprint.Digest{1}))
	if err := first.Write(s.out, nil); err != nil {
		t.Fatal(err)
	}
	second := s.next(random, first)
	if err := second.Write(s.out, first); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	files, updates := read(FilesName), read(UpdatesName)
	wantFiles := s.read()
	third := s.next(random, second)
	if err := third.Write(s.out, nil); err != nil { // writes the main files
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(UpdatesName, updates)
	sameState(t, "before the updates are removed", s.read(), third)
	write(FilesName, files)
	got := s.read()
	if !reflect.DeepEqual(got.Files, wantFiles.Files) || !reflect.DeepEqual(got.RowSizes, third.RowSizes) {
		t.Errorf("after a kill between the two files: read %v and %v", got.Files, got.RowSizes)
	}
	if err := got.Write(s.out, got); err != nil {
		t.Fatal(err)
	}
	sameState(t, "after the next build", s.read(), got)
	if s.size(UpdatesName) >= 0 {
		t.Error("updates were written for main files that do not belong together")
	}
}
