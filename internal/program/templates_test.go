package program

import (
	"html/template"
	"io"
	"io/fs"
	"strings"
	"testing"

	"viewer/templates"
)

// TestEscapedAlone: each template of pages has the same escaped actions whether it is escaped alone, as here, or with
// all others, as html/template does.
func TestEscapedAlone(t *testing.T) {
	texts, whole := make(map[string]string), template.New("")
	err := fs.WalkDir(templates.FS, ".", func(path string, d fs.DirEntry, err error) error {
		name, ok := strings.CutSuffix(path, ".tmpl")
		if err != nil || !ok {
			return err
		}
		text, err := fs.ReadFile(templates.FS, path)
		texts[name] = strings.TrimSpace(string(text))
		template.Must(whole.New(name).Parse(texts[name]))
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Fatalf("%d templates, error %v", len(texts), err)
	}
	set := New(func(name string) (string, bool) { text, ok := texts[name]; return text, ok })
	for name := range texts {
		_ = whole.ExecuteTemplate(io.Discard, name, nil) // escapes it first
		alone := set.compiler.escape(name)
		if alone == nil {
			t.Errorf("%s cannot be escaped alone", name)
		} else if got, want := alone.Tree.Root.String(), whole.Lookup(name).Tree.Root.String(); got != want {
			t.Errorf("%s: alone it is\n%s\nwant\n%s", name, got, want)
		}
	}
}
