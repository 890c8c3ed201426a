package continuedev_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/continuedev"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"sessionId":"a","title":"x","history":[{"message":"cut`:             true,
		"\ufeff{\n  \"workspaceDirectory\" : \"/w\",\n  \"sessionId\": \"a\"": true,
		`[{"sessionId":"a","title":"x","workspaceDirectory":"/w"}]`:           false,
		`{"sessionId":"a","projectHash":"b","history":[]}`:                    false,
		`{"sessionId":"a","messages":[],"history":[]}`:                        false,
		`{"history":[{"contextItems":[],"editorState":"cut`:                   true,
		`{"history":[{"user":"cut`:                                            false,
		`{"sessionId":"a"}`:                                                   false,
		"":                                                                    false,
	} {
		if got := (continuedev.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored. The list of sessions is not read.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/h", []string{"/h/.continue/sessions"}}, {"/c", "/h", []string{"/c/sessions"}}, {"", "", nil},
	} {
		got := continuedev.Source{}.Folders(func(string) string { return c.env }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
	tree := &sources.Tree{Paths: []string{"a.json", "sessions.json"}}
	(continuedev.Source{}).Arrange(tree)
	if tree.Taken(0) || !tree.Taken(1) {
		t.Error("the list of sessions is not left out, or a session is")
	}
	head := []byte(`{"sessionId":"a","workspaceDirectory":"file:///w/a%20b"`)
	if got := (continuedev.Source{}).FolderOf(head); got != "/w/a b" {
		t.Errorf("got folder %q", got)
	}
}

// FuzzTranslate: truncated, shuffled and random values become records or problems.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, continuedev.Source{}, sourcetest.Cases(f, "continue_*"))
}

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var session struct {
		History []struct {
			Message struct {
				Role      string
				ToolCalls []struct{}
			}
			ToolCallStates []struct{ Status string }
		}
		Usage struct {
			PromptTokens, CompletionTokens int64
			PromptTokensDetails            struct{ CachedTokens, CacheWriteTokens int64 }
		}
	}
	_ = json.Unmarshal(data, &session) // truncated files have no counts
	for _, item := range session.History {
		if item.Message.Role == "user" {
			c.Prompts++
		}
		c.Calls += int64(len(item.Message.ToolCalls))
		for _, s := range item.ToolCallStates {
			if s.Status == "done" {
				c.Results++
			}
		}
	}
	u := session.Usage
	c.Input, c.Output = u.PromptTokens, u.CompletionTokens
	c.Cached, c.Written = u.PromptTokensDetails.CachedTokens, u.PromptTokensDetails.CacheWriteTokens
	return c
}

// TestCorpus: all records of each real session are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, continuedev.Source{}, sourcetest.SharedFiles(t, "agents/continue", ".json"), nil, count)
}
