package single

import (
	"testing"

	"viewer/internal/testing/attacks"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// FuzzAttack: whatever text is in any place of a session, its pages only contain what our templates write.
func FuzzAttack(f *testing.F) {
	cases, err := attacks.Cases()
	if err != nil {
		f.Fatal(err)
	}
	if len(cases) < 300 {
		f.Fatalf("only %d texts to begin with", len(cases))
	}
	every := 20
	if corpus.Full() {
		every = 5
	}
	for i, c := range cases {
		if len(c.Text) < 200 && i%every == 0 {
			f.Add(c.Text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		data, err := attacks.Session(text)
		if err != nil {
			t.Fatal(err)
		}
		file := transcript.Read("s.jsonl", data)
		d := render.DrawSession(render.Session{Main: &file, Folder: "s",
			Conversation: normalize.Build(normalize.Input{ID: "s", Main: &file})})
		for _, p := range d.Pages {
			for _, finding := range htmlcheck.ForeignMarkupInPage(p.Name, p.HTML) {
				t.Errorf("%q\n%s", text, finding)
			}
		}
		for _, finding := range htmlcheck.ForeignMarkupInSingle("single",
			Draw([]render.Session{{Main: &file, Folder: "s",
				Conversation: normalize.Build(normalize.Input{ID: "s", Main: &file})}}).Pages[0].HTML) {
			t.Errorf("in one file: %q\n%s", text, finding)
		}
	})
}
