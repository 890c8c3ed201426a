package amp_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/amp"
	"viewer/internal/testing/sourcetest"
)

// Whose a file is says its content, in any white space.
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
		if got := (amp.Source{}).Match([]byte(head)); got != want {
			t.Errorf("%s: %v, want %v", head, got, want)
		}
	}
}

// Where threads are kept.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/h", []string{"/h/.local/share/amp/threads"}}, {"/a", "/h", []string{"/a/threads"}}, {"", "", nil},
	} {
		got := amp.Source{}.Folders(func(string) string { return c.env }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// What a thread says of its folder and times is found by a scan, in pieces, too.
func TestFacts(t *testing.T) {
	data := sourcetest.Cases(t, "amp_*")["amp_thread"]
	scan := sources.ScanRecords(amp.Source{})
	for ; len(data) > 0; data = data[min(len(data), 700):] {
		scan.Lines(data[:min(len(data), 700)])
	}
	const id = "T-019ca1ce-0000-7000-8000-000000000001"
	if f := scan.Facts(); f.CWD != "/w/oven" || f.SessionID != id || f.Start.IsZero() {
		t.Errorf("found %+v", f)
	}
}

// Torn, shuffled and made up values become records or problems.
func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, amp.Source{}, sourcetest.Cases(f, "amp_*")) }

// count counts by the words of the format alone.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var thread struct {
		Messages []struct {
			Role    string
			Content []struct{ Type string }
			Usage   struct{ InputTokens, OutputTokens, CacheCreationInputTokens, CacheReadInputTokens int64 }
		}
	}
	_ = json.Unmarshal(data, &thread) // what is torn has no counts
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

// Every thread beside the project is accounted for, and what an independent count finds is what it has.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, amp.Source{}, sourcetest.SharedFiles(t, "agents/amp", ".json"), nil, count)
}
