package continuedev_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/continuedev"
	"viewer/internal/testing/sourcetest"
)

// Whose a file is says its content, in any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"sessionId":"a","title":"x","history":[{"message":"cut`:             true,
		"\ufeff{\n  \"workspaceDirectory\" : \"/w\",\n  \"sessionId\": \"a\"": true,
		`[{"sessionId":"a","title":"x","workspaceDirectory":"/w"}]`:           false,
		`{"sessionId":"a","projectHash":"b","history":[]}`:                    false,
		`{"sessionId":"a","messages":[],"history":[]}`:                        false,
		`{"sessionId":"a"}`: false,
		"":                  false,
	} {
		if got := (continuedev.Source{}).Match([]byte(head)); got != want {
			t.Errorf("%s: %v, want %v", head, got, want)
		}
	}
}

// Where sessions are kept. The list of them is not looked into.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/h", []string{"/h/.continue/sessions"}}, {"/c", "/h", []string{"/c/sessions"}}, {"", "", nil},
	} {
		got := continuedev.Source{}.Folders(func(string) string { return c.env }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	tree := &sources.Tree{Paths: []string{"a.json", "sessions.json"}}
	(continuedev.Source{}).Arrange(tree)
	if tree.Taken(0) || !tree.Taken(1) {
		t.Error("the list is looked into, or a session is not")
	}
	head := []byte(`{"sessionId":"a","workspaceDirectory":"file:///w/a%20b"`)
	if got := (continuedev.Source{}).FolderOf(head); got != "/w/a b" {
		t.Errorf("the folder is %q", got)
	}
}

// Torn, shuffled and made up values become records or problems.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, continuedev.Source{}, sourcetest.Cases(f, "continue_*"))
}

// count counts by the words of the format alone.
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
	_ = json.Unmarshal(data, &session) // what is torn has no counts
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

// Every session beside the project is accounted for, and what an independent count finds is what it has.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, continuedev.Source{}, sourcetest.SharedFiles(t, "agents/continue", ".json"), nil, count)
}
