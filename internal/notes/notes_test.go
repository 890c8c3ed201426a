package notes

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/internal/testing/schemacheck"
	"viewer/internal/transcript"
)

// TestGolden reads the files of testdata. Each has a file of notes, and the notes that it contains.
func TestGolden(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			for _, name := range []string{"in.md", "in.json"} {
				if a.Has(name) {
					all, problems := Read(name, []byte(a.Section(t, name)))
					a.Compare(t, "want.txt", words(all, problems))
				}
			}
		})
	}
}

// TestWindows: a byte order mark and the ends of lines of Windows change nothing.
func TestWindows(t *testing.T) {
	for _, name := range []string{"in.md", "in.json"} {
		for path, data := range golden.Sections(t, "testdata/*.txtar", name) {
			want := words(Read(name, data))
			got := words(Read(name, []byte("\ufeff"+strings.ReplaceAll(string(data), "\n", "\r\n"))))
			if got = strings.ReplaceAll(got, `'\r'`, `'\n'`); got != want { // the character that is wrong
				t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
			}
		}
	}
}

func words(all []Note, problems []transcript.Problem) string {
	var b strings.Builder
	for _, n := range all {
		fmt.Fprintf(&b, "session %q anchor %q author %q label %q\n%s\n--\n",
			n.Session, n.Anchor, n.Author, n.Label, n.Text)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "%s: %s\n", p.Pos, p.Text)
	}
	return b.String()
}

// FuzzRead: for any file, each note has a session and a text, and each problem names the file.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"in.md", "in.json"} {
		for _, data := range golden.Sections(f, "testdata/*.txtar", name) {
			f.Add(name, string(data))
		}
	}
	f.Fuzz(func(t *testing.T, name, data string) {
		all, problems := Read(name, []byte(data))
		for _, n := range all {
			if n.Session == "" || strings.TrimSpace(n.Text) == "" || n.Source != name {
				t.Errorf("an incomplete note: %+v", n)
			}
		}
		for _, p := range problems {
			if p.Pos.File != name || p.Text == "" || p.Pos.Line < 1 {
				t.Errorf("a problem without a position: %+v", p)
			}
		}
	})
}

// TestSchema compares the schema in docs with the reader: both must accept the same files.
func TestSchema(t *testing.T) {
	schema := schemacheck.Load(t, "notes.json")
	for text, valid := range map[string]bool{
		`[]`:                         true,
		`{"session":"a","text":"b"}`: true,
		`[{"session":"a","anchor":"k","author":"m","label":"l","text":"b"}]`: true,
		`{"notes":[{"session":"a","text":"b"}]}`:                             true,
		`{"findings":[]}`:                                                    true,
		`{"text":"b"}`:                                                       false,
		`[{"session":"a"}]`:                                                  false,
		`[{"session":"","text":"b"}]`:                                        false,
		`["a"]`:                                                              false,
		`{"notes":[{"session":"a"}]}`:                                        false,
	} {
		if err := schemacheck.Validate(schema, []byte(text)); (err == nil) != valid {
			t.Errorf("%s: schema: error %v, want it valid: %v", text, err, valid)
		}
		if _, problems := JSON("a.json", []byte(text)); (len(problems) == 0) != valid {
			t.Errorf("%s: problems %v, want it to be valid: %v", text, problems, valid)
		}
	}
}

// TestAppend appends a note to files of all forms, and keeps their contents.
func TestAppend(t *testing.T) {
	schema := schemacheck.Load(t, "notes.json")
	for _, before := range []string{
		"", " \n", "[]", `[{"session":"a","text":"b"}]`, `{"notes":[]}`, `{"findings":[{"session":"a","text":"b"}]}`,
		`{"session":"a","text":"b"}`, `{"session":"a","text":"b"}` + "\n" + `{"session":"c","text":"d"}` + "\n",
	} {
		had, _ := JSON("", []byte(before))
		after, err := Append([]byte(before), Note{Session: "s", Anchor: "k", Author: "m", Label: "l", Text: "<t>"})
		if err != nil {
			t.Errorf("%s: %v", before, err)
			continue
		}
		all, problems := JSON("", after)
		if n := len(had); len(problems) > 0 || len(all) != n+1 || all[n].Text != "<t>" || all[n].Anchor != "k" {
			t.Errorf("%s: got notes %v, problems %v", before, all, problems)
		}
		if err := schemacheck.Validate(schema, after); err != nil && !ofLines(before) {
			t.Errorf("%s: %s does not match the schema: %v", before, after, err)
		}
	}
	for _, before := range []string{"{", "[", "7", `{"notes":[]} {`} {
		if after, err := Append([]byte(before), Note{Session: "s", Text: "t"}); err == nil {
			t.Errorf("%s: changed to %s, want an error", before, after)
		}
	}
}

// ofLines reports whether a file has one note on each line, which a schema of a single document cannot describe.
func ofLines(text string) bool { return strings.HasPrefix(text, `{"session"`) }
