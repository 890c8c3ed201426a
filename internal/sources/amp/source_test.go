package amp_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/amp"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"v":85,"id":"T-019","created":1,"messages":[{"role":"cut`: true,
		"\ufeff{\n  \"id\" : \"T-019\",\n  \"messages\": []\n}":     true,
		`{"id":"T-019"}`:                                            false,
		`{"id":"019","messages":[]}`:                                false,
		`{"sessionId":"a","id":"T-1","messages":[]}`:                false,
		`{"type":"session","id":"T-1","timestamp":"t","created":1}`: false,
		"": false,
	} {
		if got := (amp.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which threads are stored.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/h", []string{"/h/.local/share/amp/threads"}}, {"/a", "/h", []string{"/a/threads"}}, {"", "", nil},
	} {
		got := amp.Source{}.Folders(only("AMP_DATA_HOME", c.env), c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
	want := []string{"/d/amp/threads"}
	if got := (amp.Source{}).Folders(only("XDG_DATA_HOME", "/d"), "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

// only returns an environment of one variable.
func only(name, value string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return value
		}
		return ""
	}
}

// TestFacts: a scan finds folder and times of a thread, also if it reads the file in pieces.
func TestFacts(t *testing.T) {
	data := sourcetest.Cases(t, "amp_*")["amp_thread"]
	scan := sources.ScanRecords(amp.Source{})
	for ; len(data) > 0; data = data[min(len(data), 700):] {
		scan.Lines(data[:min(len(data), 700)])
	}
	const id = "T-019ca1ce-0000-7000-8000-000000000001"
	if f := scan.Facts(); f.CWD != "/w/oven" || f.SessionID != id || f.Start.IsZero() {
		t.Errorf("got %+v", f)
	}
}

// TestSaid: the branch, the version and the size of the context are those of the thread.
func TestSaid(t *testing.T) {
	c, _ := sourcetest.Draw(t, amp.Source{}, "T-1.json", []byte(`{"v":85,"id":"T-1","created":1,"messages":[`+
		`{"role":"user","content":[{"type":"text","text":"Bake."}]},{"role":"assistant","content":[{"type":"text",`+
		`"text":"Done."}],"usage":{"model":"m","inputTokens":9,"outputTokens":1,"maxInputTokens":168000}}],`+
		`"env":{"initial":{"trees":[{"uri":"file:///w/oven","repository":{"ref":"refs/heads/feat/salt"}}],`+
		`"platform":{"clientVersion":"0.0.17"}}}}`))
	if f := c.Facts; !slices.Equal(f.Branches, []string{"feat/salt"}) || !slices.Equal(f.Versions, []string{"0.0.17"}) {
		t.Errorf("branches %q, versions %q", f.Branches, f.Versions)
	}
	if n := c.Turns[len(c.Turns)-1].Requests[0].Window; n != 168_000 {
		t.Errorf("window %d", n)
	}
}

// FuzzTranslate: truncated, shuffled and random values become records or problems.
func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, amp.Source{}, sourcetest.Cases(f, "amp_*")) }

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var thread struct {
		Messages []struct {
			Role    string
			Content []struct{ Type string }
			Usage   struct{ InputTokens, OutputTokens, CacheCreationInputTokens, CacheReadInputTokens int64 }
		}
	}
	_ = json.Unmarshal(data, &thread) // truncated files have no counts
	for _, m := range thread.Messages {
		prompt := int64(0)
		for _, b := range m.Content {
			switch {
			case b.Type == "tool_use":
				c.Calls++
			case b.Type == "tool_result":
				c.Results++
			case b.Type == "text" && m.Role == "user":
				prompt = 1
			}
		}
		c.Prompts += prompt
		u := m.Usage
		c.Input, c.Output = c.Input+u.InputTokens, c.Output+u.OutputTokens
		c.Written, c.Cached = c.Written+u.CacheCreationInputTokens, c.Cached+u.CacheReadInputTokens
	}
	return c
}

// TestCorpus: all records of each real thread are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, amp.Source{}, sourcetest.SharedFiles(t, "agents/amp", ".json"), nil, count)
}
