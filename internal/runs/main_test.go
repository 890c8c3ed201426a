package runs

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"viewer/internal/sitegen"
	"viewer/internal/testing/scratch"
	"viewer/render"
)

func TestMain(m *testing.M) {
	scratch.InMemory()
	os.Exit(m.Run())
}

// readSessions reads sessions in the order of their files, without empty ones.
func readSessions(t *testing.T, o sitegen.Options) []render.Session {
	t.Helper()
	var mu sync.Mutex
	var found []sitegen.Chosen
	err := o.EachSession(context.Background(), false, func(s sitegen.Chosen) error {
		mu.Lock()
		defer mu.Unlock()
		if !s.Empty {
			found = append(found, s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found, func(a, b sitegen.Chosen) int { return cmp.Compare(a.At, b.At) })
	var all []render.Session
	for _, s := range found {
		all = append(all, s.Session)
	}
	return all
}

func writeFile(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
