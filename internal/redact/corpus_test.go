package redact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"viewer/internal/testing/corpus"
)

// published are the forms of secrets that are in the sessions, although files with keys were left out: they come from
// published web pages that a session read. They have the form of valid secrets and are replaced.
var published = []*regexp.Regexp{
	// A token in the documentation of the API of Sprites.
	regexp.MustCompile(`^[a-z-]+/\d{7}/[0-9a-f]{32}/[0-9a-f]{64}$`),
}

func isPublished(secret []byte) bool {
	return slices.ContainsFunc(published, func(re *regexp.Regexp) bool { return re.Match(secret) })
}

// TestCorpus redacts real sessions, if they exist on this machine. Files with keys were left out when they were chosen,
// so a finding that is neither personal nor published is a false one. With -v and REDACT_SHOW=1, each replacement is
// printed for review.
func TestCorpus(t *testing.T) {
	sessions := corpus.Share(corpus.Files(t, func(path string) bool { return filepath.Ext(path) == ".jsonl" },
		corpus.Glob(t, "")...))
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[Count]int{} // by rule, with N = 0
	size := 0
	for _, name := range sessions {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		s := r.Session()
		for line := range bytes.Lines(data) {
			line = bytes.TrimSpace(line)
			if !json.Valid(line) {
				continue
			}
			out := s.JSON(line)
			spans := slices.Clone(s.walker.spans)
			if !json.Valid(out) {
				t.Errorf("%s: no longer JSON: %.200q", name, out)
			}
			if again := s.JSON(out); !bytes.Equal(again, out) {
				t.Errorf("%s: redacted again, it changes\nfrom %.2000q\nto   %.2000q", name, out, again)
			}
			for _, sp := range spans {
				if secret := line[sp.start:sp.end]; sp.edit.rule.confidence > Personal && !isPublished(secret) {
					t.Errorf("%s: false finding of %s for %.40q", name, sp.edit.rule.id, secret)
				}
				if os.Getenv("REDACT_SHOW") != "" {
					t.Logf("%s: %q in %q", sp.edit.rule.id, line[sp.start:sp.end],
						line[max(0, sp.start-80):min(len(line), sp.end+40)])
				}
			}
		}
		for _, c := range s.Counts() {
			n := c.N
			c.N = 0
			counts[c] += n
		}
	}
	t.Logf("%d MB", size>>20)
	for c, n := range counts {
		t.Logf("%8d %s (%s)", n, c.Rule, c.Confidence)
	}
}
