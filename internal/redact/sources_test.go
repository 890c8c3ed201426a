package redact

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSources redacts the source files below the folders in REDACT_SOURCES, to count replacements in code without
// secrets. It prints a line for each one that is not personal, for review. SECURITY.md has the last result.
func TestSources(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("REDACT_SOURCES"))
	if len(folders) == 0 {
		t.Skip("REDACT_SOURCES names no folders")
	}
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	code := []string{".go", ".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".s", ".c", ".h"}
	for _, root := range folders {
		size, n := 0, 0
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !slices.Contains(code, filepath.Ext(name)) {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			size += len(data)
			s := r.Session()
			for _, e := range s.scan.findEdits(data, context{hasAtSign: true}) {
				if e.rule.confidence == Personal {
					continue
				}
				n++
				from := 1 + bytes.LastIndexByte(data[:e.start], '\n')
				to := e.end + max(0, bytes.IndexByte(data[e.end:], '\n'))
				t.Logf("%s:%d: %s: %.120q in %.120q", name, 1+bytes.Count(data[:e.start], []byte("\n")), e.rule.id,
					data[e.start:e.end], data[max(from, e.start-60):min(to, e.end+40)])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d replacements in %d MB", root, n, size>>20)
	}
}
