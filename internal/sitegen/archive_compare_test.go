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

// archiveOf archives sources into a folder as a machine.
func archiveOf(t *testing.T, kept, machine string, sources ...string) {
	t.Helper()
	_, err := Archive(context.Background(), ArchiveOptions{Sources: sources, Archive: kept, Machine: machine})
	if err != nil {
		t.Fatal(err)
	}
}

// changesOf compares sources with an archive, and returns what is told and the number of files.
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

// TestArchiveMutations: each change of a log that was archived is told with its file and line, whether it is small and
// archived with others, or large; an append is not.
func TestArchiveMutations(t *testing.T) {
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
	tell := func() (flaws []string) {
		t.Helper()
		_, err := CompareArchived(context.Background(), a, []string{dir}, func(err error) { t.Error(err) },
			func(f store.Flaw) { flaws = append(flaws, f.String()) })
		if err != nil {
			t.Fatal(err)
		}
		return flaws
	}
	for i := range mutations + appends {
		name := names[random.IntN(len(names)-1)] // the large one seldom, since it takes longest
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
		case 0: // one byte
			lines[at] = bytes.Clone(lines[at])
			lines[at][random.IntN(len(lines[at])-1)] ^= 1
		case 1:
			lines = slices.Delete(lines, at, at+1)
		case 2:
			for bytes.Equal(lines[at], lines[at+1]) { // that one is no change
				at = random.IntN(len(lines) - 1)
			}
			lines[at], lines[at+1] = lines[at+1], lines[at]
		case 3: // the end is gone
			lines = lines[:at]
		case 4: // the end of a line is gone
			lines[at] = append(bytes.Clone(lines[at][:len(lines[at])/2]), '\n')
		case 5:
			lines = append(lines, corpusgen.Session(random.Uint64(), 2_000))
			at = -1
		}
		for at >= 0 && at < len(lines) && bytes.Equal(lines[at], logs[name][at]) {
			at++ // the next line is the same, and so the change is behind it
		}
		write(t, name, bytes.Join(lines, nil))
		told := tell()
		place := fmt.Sprintf("%s:%d: this line ", filepath.ToSlash(name), at+1)
		switch {
		case at < 0 && len(told) > 0:
			t.Fatalf("an append: %q", told)
		case at >= 0 && (len(told) != 1 || !strings.HasPrefix(told[0], place)):
			t.Fatalf("mutation %d, kind %d: %q, want %s", i, what, told, place)
		}
		write(t, name, bytes.Join(logs[name], nil))
	}
}

// TestArchivedElsewhere: a file is compared with what was archived of it, wherever it lies, and not with that of
// another session that has the same name, nor with what another machine has more of.
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
		t.Errorf("another machine has more of it: %d compared, %q", n, flaws)
	}
	put(prompt("one") + prompt("too"))
	if flaws, _ := changesOf(t, kept, projects); len(flaws) != 1 || !strings.Contains(flaws[0], ".jsonl:2: ") {
		t.Errorf("an edit: %q", flaws)
	}
	// It was copied, and edited.
	copied := filepath.Join(t.TempDir(), id+".jsonl")
	write(t, copied, []byte(prompt("won")+prompt("two")))
	if flaws, n := changesOf(t, kept, copied); n != 1 || len(flaws) != 1 || !strings.Contains(flaws[0], ".jsonl:1: ") {
		t.Errorf("a copy: %d compared, %q", n, flaws)
	}
	// The same name in another session.
	put(prompt("one"))
	write(t, filepath.Join(projects, "-w", id, "tool-results", "b1.txt"), []byte("one"))
	archiveOf(t, kept, "laptop", projects)
	const other = "27c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	write(t, filepath.Join(projects, "-w", other+".jsonl"), []byte(strings.ReplaceAll(prompt("one"), id, other)))
	write(t, filepath.Join(projects, "-w", other, "tool-results", "b1.txt"), []byte("two"))
	if flaws, n := changesOf(t, kept, projects); n != 2 || len(flaws) > 0 {
		t.Errorf("a new session: %d compared, %q", n, flaws)
	}
}
