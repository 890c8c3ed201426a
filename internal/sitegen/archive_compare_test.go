package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/archive/store"
	"viewer/internal/testing/corpusgen"
)

// archiveOf archives sources into a folder under the name of a machine.
func archiveOf(t *testing.T, kept, machine string, sources ...string) {
	t.Helper()
	_, err := Archive(context.Background(), ArchiveOptions{Sources: sources, Archive: kept, Machine: machine})
	if err != nil {
		t.Fatal(err)
	}
}

// changesOf compares sources with an archive, and returns the reported changes and the number of files compared.
func changesOf(t *testing.T, kept string, sources ...string) (flaws []string, compared int) {
	t.Helper()
	a, err := store.Open(context.Background(), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	compared, err = CompareArchived(context.Background(), a, sources, func(err error) { t.Error(err) },
		func(f store.Flaw) { flaws = append(flaws, f.String()) })
	if err != nil {
		t.Fatal(err)
	}
	return flaws, compared
}

// TestArchiveMutations: each change of an archived log is reported with its file and line, for small logs that are
// archived together and for a large one. An append is not reported.
func TestArchiveMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("starts no goroutines, so the race detector finds nothing")
	}
	mutations, appends := 25, 8
	if os.Getenv("VIEWER_TORTURE") != "" {
		mutations, appends = 10_000, 1_000
	}
	dir, kept := filepath.Join(t.TempDir(), "projects"), filepath.Join(t.TempDir(), "kept")
	random := rand.New(rand.NewPCG(26, 3))
	logs := make(map[string][][]byte)
	var names []string
	for i, size := range []int{20_000, 60_000, 150_000, 1_300_000} {
		name := filepath.Join(dir, "-w", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", i))
		data := corpusgen.Session(uint64(i), size)
		write(t, name, data)
		logs[name] = bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		last := &logs[name][len(logs[name])-1]
		*last = append(bytes.Clone(*last), '\n')
		names = append(names, name)
	}
	archiveOf(t, kept, "m", dir)
	a, err := store.Open(context.Background(), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	compare := func() (flaws []string) {
		t.Helper()
		_, err := CompareArchived(context.Background(), a, []string{dir}, func(err error) { t.Error(err) },
			func(f store.Flaw) { flaws = append(flaws, f.String()) })
		if err != nil {
			t.Fatal(err)
		}
		return flaws
	}
	for i := range mutations + appends {
		name := names[random.IntN(len(names)-1)] // not the large one, which takes longest
		if i%12 == 0 {
			name = names[len(names)-1]
		}
		lines := slices.Clone(logs[name])
		at := random.IntN(len(lines) - 1)
		what := i % 5
		if i >= mutations {
			what = 5
		}
		switch what {
		case 0: // randomMatch byte
			lines[at] = bytes.Clone(lines[at])
			lines[at][random.IntN(len(lines[at])-1)] ^= 1
		case 1:
			lines = slices.Delete(lines, at, at+1)
		case 2:
			for bytes.Equal(lines[at], lines[at+1]) { // a copy of the next line would be no change
				at = random.IntN(len(lines) - 1)
			}
			lines[at], lines[at+1] = lines[at+1], lines[at]
		case 3: // truncated after a line
			lines = lines[:at]
		case 4: // truncated within a line
			lines[at] = append(bytes.Clone(lines[at][:len(lines[at])/2]), '\n')
		case 5:
			lines = append(lines, corpusgen.Session(random.Uint64(), 2_000))
			at = -1
		}
		for at >= 0 && at < len(lines) && bytes.Equal(lines[at], logs[name][at]) {
			at++ // equal lines: the first difference is further down
		}
		write(t, name, bytes.Join(lines, nil))
		reported := compare()
		place := fmt.Sprintf("%s:%d: this line ", filepath.ToSlash(name), at+1)
		switch {
		case at < 0 && len(reported) > 0:
			t.Fatalf("an append: got %q, want no change", reported)
		case at >= 0 && (len(reported) != 1 || !strings.HasPrefix(reported[0], place)):
			t.Fatalf("mutation %d, kind %d: got %q, want %s", i, what, reported, place)
		}
		write(t, name, bytes.Join(logs[name], nil))
	}
}

// TestArchivedElsewhere: a file is compared with the archived file of its session, wherever it is now. It is not
// compared with a file of the same name of another session, nor with the longer version of another machine.
func TestArchivedElsewhere(t *testing.T) {
	dir, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	const id = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	prompt := func(text string) string {
		return `{"type":"user","uuid":"` + text + `","sessionId":"` + id + `","cwd":"/w",` +
			`"message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	projects := filepath.Join(dir, "projects")
	log := filepath.Join(projects, "-w", id+".jsonl")
	put := func(text string) { t.Helper(); write(t, log, []byte(text)) }
	put(prompt("one") + prompt("two") + prompt("three"))
	archiveOf(t, kept, "desk", projects)
	put(prompt("one") + prompt("two"))
	archiveOf(t, kept, "laptop", projects)
	if flaws, n := changesOf(t, kept, projects); n != 1 || len(flaws) > 0 {
		t.Errorf("another machine has a longer version: compared %d files, changes %q; want 1 and none", n, flaws)
	}
	put(prompt("one") + prompt("too"))
	if flaws, _ := changesOf(t, kept, projects); len(flaws) != 1 || !strings.Contains(flaws[0], ".jsonl:2: ") {
		t.Errorf("an edit: got %q, want a change in line 2", flaws)
	}
	// A copy in another folder that was edited.
	copied := filepath.Join(t.TempDir(), id+".jsonl")
	write(t, copied, []byte(prompt("won")+prompt("two")))
	if flaws, n := changesOf(t, kept, copied); n != 1 || len(flaws) != 1 || !strings.Contains(flaws[0], ".jsonl:1: ") {
		t.Errorf("a copy: compared %d files, changes %q; want 1 and a change in line 1", n, flaws)
	}
	// A file of another session with the same name.
	put(prompt("one"))
	write(t, filepath.Join(projects, "-w", id, "tool-results", "b1.txt"), []byte("one"))
	archiveOf(t, kept, "laptop", projects)
	const other = "27c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	write(t, filepath.Join(projects, "-w", other+".jsonl"), []byte(strings.ReplaceAll(prompt("one"), id, other)))
	write(t, filepath.Join(projects, "-w", other, "tool-results", "b1.txt"), []byte("two"))
	if flaws, n := changesOf(t, kept, projects); n != 2 || len(flaws) > 0 {
		t.Errorf("a new session: compared %d files, changes %q; want 2 and none", n, flaws)
	}
}
