package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
)

// An archivedMachine is a folder of sessions that grow and are deleted after 30 days.
type archivedMachine struct {
	name, dir string
	sessions  []*monthSession
}

type monthSession struct {
	path  string
	all   [][]byte // all its lines, including future ones
	n     int      // the number of current lines
	began int      // the day on which it began
}

// A month simulates three machines that archive into one folder.
type month struct {
	*testing.T
	random   *rand.Rand
	machines []*archivedMachine
	archive  string
	now      time.Time
	keep     int                 // days until a session is deleted
	versions map[string][][]byte // the archived versions of each file, by machine and path
}

func newMonth(t *testing.T, seed uint64) *month {
	m := &month{T: t, random: rand.New(rand.NewPCG(seed, 1)), archive: filepath.Join(t.TempDir(), "archive"),
		now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), versions: make(map[string][][]byte)}
	for _, name := range []string{"laptop", "desk", "build"} {
		dir := filepath.Join(t.TempDir(), ".claude", "projects")
		m.machines = append(m.machines, &archivedMachine{name: name, dir: dir})
	}
	return m
}

func (m *month) begin(on *archivedMachine, day int) {
	data := corpusgen.Session(m.random.Uint64(), 20_000+m.random.IntN(60_000))
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", m.random.Uint32(), m.random.Uint64()>>16)
	s := &monthSession{path: "-w/" + id + ".jsonl", all: bytes.SplitAfter(data, []byte("\n")), began: day}
	on.sessions = append(on.sessions, s)
	write(m.T, filepath.Join(on.dir, "-w", id, "tool-results", "b1.txt"), bytes.Repeat([]byte(id+"\n"), 100))
	if m.random.IntN(3) == 0 { // another machine has a truncated copy
		other := m.machines[m.random.IntN(len(m.machines))]
		n := m.random.IntN(len(data))
		if other != on {
			write(m.T, filepath.Join(other.dir, s.path), data[:n])
		}
	}
}

// day lets sessions grow, and rewrites, truncates and deletes some.
func (m *month) day(day int) {
	for _, on := range m.machines {
		on.sessions = slices.DeleteFunc(on.sessions, func(s *monthSession) bool {
			if day-s.began < m.keep {
				return false
			}
			if err := os.Remove(filepath.Join(on.dir, s.path)); err != nil {
				m.Fatal(err)
			}
			return true
		})
		if m.random.IntN(2) == 0 || len(on.sessions) == 0 {
			m.begin(on, day)
		}
		for _, s := range on.sessions {
			s.n = min(len(s.all), s.n+1+m.random.IntN(20))
			text := bytes.Join(s.all[:s.n], nil)
			switch m.random.IntN(12) {
			case 0: // the last line is incomplete
				text = text[:len(text)-m.random.IntN(min(len(text), 50))]
			case 1: // rewritten in place
				text = bytes.Replace(text, []byte(`"type":"user"`), []byte(`"type":"USER"`), 1)
			case 2: // shortened
				text = text[:m.random.IntN(len(text))]
			}
			write(m.T, filepath.Join(on.dir, s.path), text)
		}
	}
}

// run archives a machine, and records the contents of its files as archived versions.
func (m *month) run(on *archivedMachine) {
	m.Helper()
	m.now = m.now.Add(time.Hour)
	_, err := Archive(context.Background(), ArchiveOptions{
		Sources: []string{on.dir}, Archive: m.archive, Machine: on.name, Now: m.now,
	})
	if err != nil {
		m.Fatal(err)
	}
	err = filepath.WalkDir(on.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		key := on.name + "/" + store.Plain(filepath.ToSlash(p))
		if known := m.versions[key]; len(known) == 0 || !bytes.Equal(known[len(known)-1], data) {
			m.versions[key] = append(known, data)
		}
		return err
	})
	if err != nil {
		m.Fatal(err)
	}
}

// kill removes from a run what was not yet on the disk when it was killed: frames are written first, then lines of the
// manifest.
func (m *month) kill(on *archivedMachine) {
	manifest := filepath.Join(m.archive, archive.ManifestName)
	before, _ := os.ReadFile(manifest)
	sizes := make(map[string]int64)
	m.streams(func(p string, size int64) { sizes[p] = size })
	_, err := Archive(context.Background(), ArchiveOptions{
		Sources: []string{on.dir}, Archive: m.archive, Machine: on.name, Now: m.now,
	})
	if err != nil {
		m.Fatal(err)
	}
	after, err := os.ReadFile(manifest)
	if err != nil {
		m.Fatal(err)
	}
	if m.random.IntN(2) == 0 { // killed while frames were written
		if err := os.WriteFile(manifest, before, 0o600); err != nil {
			m.Fatal(err)
		}
		m.streams(func(p string, size int64) {
			if n := size - sizes[p]; n > 0 {
				if err := os.Truncate(p, sizes[p]+m.random.Int64N(n+1)); err != nil {
					m.Fatal(err)
				}
			}
		})
		return
	}
	cut := len(before) + m.random.IntN(len(after)-len(before)+1)
	if err := os.WriteFile(manifest, after[:cut], 0o600); err != nil {
		m.Fatal(err)
	}
}

func (m *month) streams(each func(p string, size int64)) {
	_ = filepath.WalkDir(filepath.Join(m.archive, archive.DataDir), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			each(p, info.Size())
		}
		return nil
	})
}

// checkVersions checks that the archive still has all versions that were archived.
func (m *month) checkVersions(day int) {
	m.Helper()
	a, err := store.Open(context.Background(), m.archive)
	if err != nil {
		m.Fatal(err)
	}
	defer a.Close()
	err = a.Verify(context.Background(), func(f store.Flaw) {
		if !f.Mild {
			m.Errorf("day %d: %s", day, f)
		}
	})
	if err != nil {
		m.Fatal(err)
	}
	has := make(map[string][]*archive.Record)
	for _, k := range a.Keys() {
		has[k.Machine+"/"+store.Plain(k.Folder)+"/"+k.Path] = a.Files[k]
	}
	lost := 0
	for name, versions := range m.versions {
		for i, want := range versions {
			if !slices.ContainsFunc(has[name], func(r *archive.Record) bool {
				c := a.Content(r)
				defer c.Close()
				got, err := io.ReadAll(c)
				return err == nil && bytes.Equal(got, want)
			}) {
				lost += len(want)
				m.Errorf("day %d: version %d of %s is lost, of %d", day, i+1, name, len(versions))
			}
		}
	}
	if lost > 0 {
		m.Fatalf("day %d: %d bytes are lost", day, lost)
	}
}

// deleted returns how many archived logs no longer exist on their machines.
func (m *month) deleted() (n int) {
	for name := range m.versions {
		_, file, _ := strings.Cut(name, "/")
		if _, err := os.Stat("/" + file); err != nil && filepath.Ext(file) == ".jsonl" {
			n++
		}
	}
	return n
}

// TestArchiveMonth simulates three machines that archive into one folder for a month. Sessions grow, are rewritten,
// truncated, copied and deleted, and runs are killed. No archived version may be lost, and a restore must return the
// last version of each file.
func TestArchiveMonth(t *testing.T) {
	if testing.Short() {
		t.Skip("starts no goroutines, so the race detector finds nothing")
	}
	m := newMonth(t, 26)
	days := 10
	if m.keep = 4; os.Getenv("VIEWER_TORTURE") != "" {
		days, m.keep = 45, 30
	}
	for day := range days {
		m.day(day)
		for _, on := range m.machines {
			if m.random.IntN(3) == 0 {
				m.kill(on)
			}
			m.run(on)
		}
		if day%5 == 4 {
			m.checkVersions(day)
		}
	}
	m.checkVersions(days)
	if deleted := m.deleted(); deleted == 0 {
		t.Error("no session was deleted, want some")
	} else {
		t.Logf("%d sessions were deleted, and restored", deleted)
	}
	a, err := store.Open(context.Background(), m.archive)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	restored := t.TempDir()
	to, err := os.OpenRoot(restored)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for _, k := range a.Keys() {
		name, _, err := a.Restore(to, a.Newest(k), "")
		if err != nil {
			t.Fatal(err)
		}
		versions := m.versions[k.Machine+"/"+store.Plain(k.Folder)+"/"+k.Path]
		got, err := os.ReadFile(name)
		if err != nil || len(versions) == 0 || !bytes.Equal(got, versions[len(versions)-1]) {
			t.Errorf("%s (error %v) differs from its last archived version", name, err)
		}
	}
}

// TestArchiveAppend: an append writes only the new bytes, compressed, and one record.
func TestArchiveAppend(t *testing.T) {
	dir, to := filepath.Join(t.TempDir(), "projects"), filepath.Join(t.TempDir(), "archive")
	data := corpusgen.Session(7, 400_000)
	half := bytes.LastIndexByte(data[:300_000], '\n') + 1
	name := filepath.Join(dir, "-w", "a.jsonl")
	run := func(text []byte) ArchiveReport {
		t.Helper()
		write(t, name, text)
		r, err := Archive(context.Background(), ArchiveOptions{Sources: []string{dir}, Archive: to, Machine: "m"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	run(data[:half])
	before := sizeOf(t, to)
	r := run(data)
	if n := sizeOf(t, to) - before; n > int64(len(data)-half)+4<<10 || r.Files[store.Appended] != 1 || r.Written != n {
		t.Errorf("%d bytes were appended: got %d written, %+v; want at most 4 KB more and one file appended",
			len(data)-half, n, r.Files)
	}
	before = sizeOf(t, to)
	if r = run(data); r.Written != 0 || sizeOf(t, to) != before {
		t.Errorf("without changes %d bytes were written, want none", r.Written)
	}
	stream, err := filepath.Glob(filepath.Join(to, "data", "*", "*.zst"))
	if err != nil || len(stream) != 1 {
		t.Errorf("one session has %d streams (error %v), want 1", len(stream), err)
	}
}

func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// TestArchiveCorpus: an archive of real sessions restores them unchanged, lists the same sessions as their folders, and
// takes at most 15 % of their size.
func TestArchiveCorpus(t *testing.T) {
	all := corpus.Glob(t, "dev/*", "large/*", "agents/*")
	folders := corpus.Share(all)
	if corpus.Full() {
		folders = []string{filepath.Dir(filepath.Dir(all[0]))}
	}
	to := filepath.Join(t.TempDir(), "archive")
	r, err := Archive(context.Background(), ArchiveOptions{Sources: folders, Archive: to, Machine: "m"})
	if err != nil {
		t.Fatal(err)
	}
	size := sizeOf(t, to)
	t.Logf("%d bytes of %d: %.1f %%", size, r.Read, 100*float64(size)/float64(r.Read))
	most := 0.2 // for a part of the sessions
	if corpus.Full() {
		most = 0.15
	}
	if float64(size) > most*float64(r.Read) {
		t.Errorf("the archive has %d bytes for %d, want at most %.0f %%", size, r.Read, 100*most)
	}
	a, err := store.Open(context.Background(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, k := range a.Keys() {
		want, err := os.ReadFile(filepath.Join(k.Folder, k.Path))
		if err != nil {
			t.Fatal(err)
		}
		c := a.Content(a.Newest(k))
		got, err := io.ReadAll(c)
		c.Close()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s (error %v) differs from the archived file", k.Name(), err)
		}
	}
	list := func(sources ...string) (all []string) {
		listed, _, err := List(context.Background(), Options{Sources: sources, Version: "test"}, ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range listed {
			all = append(all, fmt.Sprint(l.ID, l.Title, l.Agent, l.Start, l.End, l.Totals.Prompts, l.Totals.Tools))
		}
		slices.Sort(all)
		return all
	}
	if live, kept := list(folders...), list(to); !slices.Equal(live, kept) {
		t.Errorf("%d sessions in the folders, %d in the archive:\n%s\n%s", len(live), len(kept),
			strings.Join(live, "\n"), strings.Join(kept, "\n"))
	}
}
