package sitegen

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
)

// TestLiveBegins watches logs of all agents of which earlier builds see the beginning of a line only. More of a file
// may tell that another agent wrote it.
func TestLiveBegins(t *testing.T) {
	logs := golden.Sections(t, "../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for names := range slices.Chunk(slices.Sorted(maps.Keys(logs)), maxCached-1) {
		t.Run(names[0], func(t *testing.T) {
			t.Parallel()
			some := make(map[string]string)
			for _, name := range names {
				some[name] = string(logs[name])
			}
			liveBegins(t, some)
		})
	}
}

// liveBegins watches logs that grow in a few steps, half of them without a step that ends with their first line.
func liveBegins(t *testing.T, logs map[string]string) {
	source := t.TempDir()
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
	w := &watched{t: t, site: NewSite(o), o: o, source: source}
	t.Cleanup(func() { w.site.Close() })
	for step, after := range []string{"a byte", "a few bytes", "first lines", "the rest"} {
		for i, name := range slices.Sorted(maps.Keys(logs)) {
			log, file := logs[name], filepath.Join(source, name, name+".jsonl")
			first := strings.Index(log, "\n") + 1
			if first == 0 || i%2 == 0 {
				first = 10
			}
			end := min([]int{1, 10, first, len(log)}[step], len(log))
			before, err := os.ReadFile(file)
			switch {
			case err != nil:
				write(t, file, []byte(log[:end]))
			case len(before) < end:
				appendTo(t, file, log[len(before):end])
			}
		}
		settle(t, source)
		w.build()
		w.checkSame(after)
	}
}
