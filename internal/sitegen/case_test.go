package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamesInCase: sessions and projects whose names differ only by case have separate files, also where a file system
// ignores case.
func TestNamesInCase(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	var sources []string
	for i, name := range []string{"Tides", "tides", "TIDES"} {
		source := filepath.Join(dir, fmt.Sprint(i))
		sources = append(sources, source)
		file := filepath.Join(source, "-w-"+name, name+".jsonl")
		log := fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":"2026-03-01T08:00:00Z","sessionId":"%s",`+
			`"cwd":"/w/%[2]s","message":{"role":"user","content":"Read the %[2]s"}}`+"\n", i, name)
		write(t, file, []byte(log))
	}
	buildInto(t, out, sources...)
	checkCase(t, out)
	for _, folder := range []string{"s", "p"} {
		if all, err := os.ReadDir(filepath.Join(out, folder)); err != nil || len(all) != len(sources) {
			t.Errorf("%s has %d folders, error %v; want %d", folder, len(all), err, len(sources))
		}
	}
}

// checkCase checks that no two paths of a site differ only by case.
func checkCase(t *testing.T, site string) {
	t.Helper()
	known := make(map[string]string)
	err := filepath.WalkDir(site, func(path string, _ os.DirEntry, err error) error {
		lower := strings.ToLower(path)
		if other, ok := known[lower]; ok {
			t.Errorf("%s and %s differ only by case", other, path)
		}
		known[lower] = path
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
