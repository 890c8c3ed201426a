package kiro_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/kiro"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"conversation_id":"a","history":[{"user":{"cut`: true,
		"{\n \"conversation_id\": \"\",\n \"history\": [": true,
		`{"kiroConversation":"a","folder":"/w"}`:          true,
		`{"conversation_id":"a","messages":[]}`:           false,
		`{"sessionId":"a","history":[]}`:                  false,
		`{"history":[]}`:                                  false,
		"":                                                false,
	} {
		if got := (kiro.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
	if got := (kiro.Source{}).FolderOf([]byte(`{"kiroConversation":"a","folder":"/w/b"`)); got != "/w/b" {
		t.Errorf("got folder %q, want /w/b", got)
	}
	want := []string{"/h/Library/Application Support/kiro-cli", "/h/.local/share/kiro-cli"}
	if got := (kiro.Source{}).Folders(func(string) string { return "" }, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got folders %q", got)
	}
	env := map[string]string{"LOCALAPPDATA": "C:/Users/mara/AppData/Local"}
	got := (kiro.Source{}).Folders(func(name string) string { return env[name] }, "")
	if want := []string{"C:/Users/mara/AppData/Local/kiro-cli"}; !reflect.DeepEqual(got, want) {
		t.Errorf("on Windows: got folders %q", got)
	}
}

// TestSplit: a database has many conversations in two tables. Credentials in it are never read.
func TestSplit(t *testing.T) {
	data, err := os.ReadFile("testdata/data.sqlite3")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := (kiro.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(parts) != 2 {
		t.Fatalf("got %d conversations, error %v, want 2", len(parts), err)
	}
	for i, p := range parts {
		if want := "5e1a0000-0000-4000-8000-00000000000" + strconv.Itoa(i+1); p.Name != want {
			t.Errorf("got conversation %s, want %s", p.Name, want)
		}
	}
	want := string(sourcetest.Cases(t, "kiro_database")["kiro_database"])
	read, err := parts[0].Read()
	if err != nil || string(read) != strings.TrimSuffix(want, "\n") {
		t.Errorf("error %v: got the first conversation\n%s\nwant\n%s", err, read, want)
	}
	changed := bytes.Replace(data, []byte("And the lamp?"), []byte("And the lump?"), 1)
	again, err := (kiro.Source{}).Split(bytes.NewReader(changed), int64(len(changed)))
	if err != nil || again[0].Version != parts[0].Version || again[1].Version == parts[1].Version {
		t.Errorf("error %v: got versions %v and %v, want only the second changed", err, parts, again)
	}
}

// TestDamaged: of a damaged database, the rest is read.
func TestDamaged(t *testing.T) {
	sourcetest.Damage(t, kiro.Source{}, "testdata/data.sqlite3")
}

// FuzzTranslate: any conversation becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, kiro.Source{}, sourcetest.Cases(f, "kiro_*"))
}

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var conversation struct {
		History []struct {
			User struct {
				Content struct{ Prompt *struct{} }
			}
			Assistant struct {
				ToolUse struct {
					ToolUses []struct{} `json:"tool_uses"`
				}
			}
		}
	}
	_ = json.Unmarshal(data, &conversation) // truncated files have no counts
	for _, e := range conversation.History {
		if e.User.Content.Prompt != nil {
			c.Prompts++
		}
		c.Calls += int64(len(e.Assistant.ToolUse.ToolUses))
	}
	return c
}

// TestCorpus: all records of each real conversation are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, kiro.Source{}, sourcetest.SharedFiles(t, "agents/kiro", ".json"), nil, count)
}
