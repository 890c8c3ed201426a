package runs

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"viewer/internal/sitegen"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
	"viewer/internal/testing/heap"
	"viewer/normalize"
)

// few and many are the numbers of sessions of 400 KB whose memory is compared. few is more than a spool keeps in
// memory.
const few, many = 20, 40

// sessionsToMeasure writes a source for each number of sessions. The first sessions are the same in each.
func sessionsToMeasure(t *testing.T, numbers ...int) (sources []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("measures memory, which the race detector uses too")
	}
	for range numbers {
		sources = append(sources, t.TempDir())
	}
	for i := range slices.Max(numbers) {
		data := corpusgen.Session(uint64(i+1), 400_000)
		for k, n := range numbers {
			if i < n {
				writeFile(t, filepath.Join(sources[k], "-w", fmt.Sprintf("%03d.jsonl", i)), data)
			}
		}
	}
	return sources
}

// TestSessionsInMemory: when sessions are read one after the other, only about as many are in memory as there are
// cores.
func TestSessionsInMemory(t *testing.T) {
	var mu sync.Mutex
	var known []weak.Pointer[normalize.Conversation]
	most := 0
	o := sitegen.Options{Sources: sessionsToMeasure(t, few), Version: "test"}
	err := o.EachSession(context.Background(), false, func(s sitegen.Chosen) error {
		mu.Lock()
		defer mu.Unlock()
		known = append(known, weak.Make(s.Conversation))
		runtime.GC()
		alive := 0
		for _, c := range known {
			if c.Value() != nil {
				alive++
			}
		}
		most = max(most, alive)
		return nil
	})
	if err != nil || len(known) != few {
		t.Fatalf("got %d sessions, error %v", len(known), err)
	}
	if limit := 2 * runtime.GOMAXPROCS(0); most > limit {
		t.Errorf("%d sessions are in memory, want at most %d", most, limit)
	}
}

// TestMemoryPerSession: reports, searches and lists keep little memory for each session, whatever it contains.
func TestMemoryPerSession(t *testing.T) {
	corpus.Long(t)
	const short = 20_000 // bytes for a session of 400,000: about 1,000, and memory in pools from other tests
	sources := sessionsToMeasure(t, few, many)
	account := func(single string) func(sitegen.Options) (any, func()) {
		return func(o sitegen.Options) (any, func()) {
			a := accountOf(t, o, single, "https://ci.example.org/")
			if !a.spool.InFile() {
				t.Fatal("the texts are too short for the spool to use a file")
			}
			return a, a.Close
		}
	}
	for name, do := range map[string]func(sitegen.Options) (any, func()){
		"report": account(""),
		"page":   account("report.html"),
		"search": func(o sitegen.Options) (any, func()) {
			x, done, err := sitegen.SearchIndex(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			return x, done
		},
		"list": func(o sitegen.Options) (any, func()) {
			listed, _, err := sitegen.List(context.Background(), o, sitegen.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return listed, func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "report" && !corpus.Full() {
				t.Skip("takes several seconds; make test runs it, or set " + corpus.All + "=all")
			}
			kept := func(source string) int64 {
				before := heap.Live()
				made, done := do(sitegen.Options{Sources: []string{source}, Version: "test"})
				defer done()
				kept := heap.Live() - before
				runtime.KeepAlive(made)
				return kept
			}
			kept(sources[0]) // allocate what is allocated only once, such as templates and rules
			if one := (kept(sources[1]) - kept(sources[0])) / (many - few); one > short {
				t.Errorf("%d bytes are kept for each session", one)
			} else {
				t.Logf("%d bytes are kept for each session", one)
			}
		})
	}
}
