package attacks

import (
	"embed"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"strconv"
	"strings"
)

//go:embed testdata
var data embed.FS

// A Case is one hostile text.
type Case struct {
	Group string // the file that contains it
	Line  int
	Text  string
}

// Cases returns all texts, in the order of the files.
func Cases() ([]Case, error) {
	entries, err := data.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, e := range entries {
		group, ok := strings.CutSuffix(e.Name(), ".txt")
		if !ok {
			continue
		}
		text, err := data.ReadFile(path.Join("testdata", e.Name()))
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for i, line := range lines[1:] { // the first line describes the file
			t, err := spell(line)
			if err != nil {
				return nil, fmt.Errorf("testdata/%s:%d: %w", e.Name(), i+2, err)
			}
			all = append(all, Case{group, i + 2, t})
		}
	}
	return all, nil
}

// spell reads a line of testdata.
func spell(line string) (string, error) {
	times := 1
	if rest, ok := strings.CutPrefix(line, "@"); ok {
		if n, text, ok := strings.Cut(rest, " "); ok {
			if k, err := strconv.Atoi(n); err == nil {
				times, line = k, text
			}
		}
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
	return strings.Repeat(text, times), err
}

// A Place is a place for a text in a session: records with %T for the text.
type Place struct {
	Place   string
	Records []json.RawMessage
}

// Places returns all places.
func Places() ([]Place, error) {
	text, err := data.ReadFile("testdata/places.jsonl")
	if err != nil {
		return nil, err
	}
	var all []Place
	for line := range strings.Lines(string(text)) {
		var p Place
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			return nil, fmt.Errorf("testdata/places.jsonl:%d: %w", len(all)+1, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// Options set how much is written.
type Options struct {
	Full bool // write each text in each place; otherwise in some places, with each group in each place
}

// some is the number of places of a text without Full.
const some = 4

// Session returns a session that holds a text in all places.
func Session(text string) ([]byte, error) {
	places, err := Places()
	if err != nil {
		return nil, err
	}
	w := newWriter(0, "/srv/"+escape(text))
	for _, p := range places {
		w.place(p, text)
	}
	return w.out, nil
}

// A File is one file of a projects folder.
type File struct {
	Path string // with slashes, from the folder
	Data []byte
}

// maxRecords is the approximate number of records of a session. A page has no space for many thousands of small ones.
const maxRecords = 1000

// Folder returns a projects folder of all cases: sessions for each group, and a small one for each case.
func Folder(o Options) (iter.Seq[File], error) {
	cases, err := Cases()
	if err != nil {
		return nil, err
	}
	places, err := Places()
	if err != nil {
		return nil, err
	}
	return func(yield func(File) bool) {
		var w *writer
		for i, c := range cases {
			if w == nil || cases[i-1].Group != c.Group {
				w = newWriter(i, "/srv/"+c.Group)
			}
			for k := range places {
				if o.Full || k < some {
					w.place(places[(i*some+k)%len(places)], c.Text)
				}
			}
			if i+1 == len(cases) || cases[i+1].Group != c.Group || w.n >= maxRecords {
				if !yield(File{"-srv-" + c.Group + "/" + w.session + ".jsonl", w.out}) {
					return
				}
				w = nil
			}
		}
		for i, c := range cases {
			for _, f := range small(i, c.Text) {
				if !yield(f) {
					return
				}
			}
		}
	}, nil
}
