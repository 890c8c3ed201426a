package normalize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// checkAPI checks the properties of a request for any conversation. Messages alternate strictly and begin with the
// user's. Each call has its result in the next message, and each result its call in the previous one. No message is
// empty, and inputs are objects. Each message of the conversation has a fate that agrees with the request.
func checkAPI(t testing.TB, c *Conversation, api API) {
	t.Helper()
	for i, m := range api.Messages {
		want := [...]string{"user", "assistant"}[i%2]
		if m.Role != want {
			t.Errorf("message %d is the %s's, want the %s's", i+1, m.Role, want)
		}
		if len(m.Blocks) == 0 {
			t.Errorf("message %d is empty", i+1)
		}
		var asked, answered []string
		for _, b := range m.Blocks {
			switch b.Type {
			case "tool_use":
				asked = append(asked, b.ID)
			case "tool_result":
				answered = append(answered, b.ToolUseID)
			case "text":
				if strings.TrimSpace(b.Text) == "" {
					t.Errorf("message %d: a text of white space only", i+1)
				}
			}
			if !allowed[m.Role][b.Type] {
				t.Errorf("message %d: unexpected block %q of the %s", i+1, b.Type, m.Role)
			}
		}
		if m.Role == "assistant" {
			if i+1 == len(api.Messages) {
				if len(asked) > 0 {
					t.Errorf("the last message has the calls %q, but no results follow", asked)
				}
				continue
			}
			for _, b := range api.Messages[i+1].Blocks {
				if b.Type == "tool_result" {
					answered = append(answered, b.ToolUseID)
				}
			}
			if a, b := sortedWords(asked), sortedWords(answered); a != b {
				t.Errorf("message %d has the calls %s, the next one the results %s", i+1, a, b)
			}
		}
	}
	for _, v := range validate(api.Messages) {
		t.Errorf("validate: %s", v.text)
	}
	taken := make(map[*Message]bool)
	for _, m := range c.Messages {
		taken[m] = true
	}
	for _, m := range c.Order {
		f, ok := api.Fates[m]
		switch {
		case !ok:
			t.Errorf("%s: no fate", m.Record.Pos)
		case (taken[m] && !c.TakenBack) != (f.Why != whyTakenBack):
			t.Errorf("%s: left out as %v, in the active branch: %v", m.Record.Pos, f.Why, taken[m])
		case (f.Kind == KeptOut) != (f.Number == 0) || (f.Kind == KeptOut) != (f.Why != NoWhy) ||
			int(f.Number) > len(api.Messages):
			t.Errorf("%s: fate %+v of %d messages", m.Record.Pos, f, len(api.Messages))
		}
	}
	for i, m := range api.Messages {
		for _, b := range m.Blocks {
			if b.From != nil && int(api.Fates[b.From].Number) != i+1 {
				t.Errorf("%s is in message %d, but its fate is %+v", b.From.Record.Pos, i+1, api.Fates[b.From])
			}
		}
	}
}

func sortedWords(words []string) string {
	seen := make(map[string]int)
	for _, w := range words {
		seen[w]++
	}
	return fmt.Sprint(seen) // maps are printed in order
}

// checkAgain reads the messages of a request as records. The request for them must be the same.
func checkAgain(t testing.TB, api API) {
	t.Helper()
	var lines []string
	for i, m := range api.Messages {
		var content []any
		for _, b := range m.Blocks {
			content = append(content, blockJSON(*b.Block))
		}
		line, err := json.Marshal(map[string]any{
			"type": m.Role, "uuid": fmt.Sprintf("%08x-0000-4000-8000-000000000000", i), "message": map[string]any{
				"role": m.Role, "content": content,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	f := transcript.Read("again.jsonl", []byte(strings.Join(lines, "\n")))
	again := ForAPI(Build(Input{ID: "again", Main: &f}), APIOptions{})
	if got, want := contents(again), contents(api); got != want {
		t.Errorf("the request for its own messages is\n%s\nwant\n%s", got, want)
	}
	if len(again.Problems) > 0 {
		t.Errorf("its own messages have problems: %v", again.Problems)
	}
}

// blockJSON returns a block in the form of a record.
func blockJSON(b transcript.Block) any {
	v := map[string]any{"type": b.Type}
	switch b.Type {
	case "text":
		v["text"] = b.Text
	case "thinking":
		v["thinking"], v["signature"] = b.Text, "s"
	case "tool_use", "server_tool_use":
		v["id"], v["name"], v["input"] = b.ID, b.Name, json.RawMessage(b.Input)
	case "tool_result":
		v["tool_use_id"], v["is_error"] = b.ToolUseID, b.IsError
		var content []any
		for _, inner := range b.Content {
			content = append(content, blockJSON(inner))
		}
		if v["content"] = content; b.Plain {
			v["content"] = b.Content[0].Text
		}
	case "tool_reference":
		v["tool_name"] = b.Name
	case "image", "document", "redacted_thinking":
		return json.RawMessage(b.Raw)
	}
	return v
}

func contents(api API) string {
	var b strings.Builder
	for i, m := range api.Messages {
		fmt.Fprintf(&b, "%d %s\n", i+1, m.Role)
		for _, block := range m.Blocks {
			text, err := json.Marshal(blockJSON(*block.Block))
			if err != nil {
				panic(err) // it has been marshalled before
			}
			fmt.Fprintf(&b, "  %s\n", text)
		}
	}
	return b.String()
}

// FuzzForAPI checks the properties for any records, including those of agents, and for any request in the middle of a
// log.
func FuzzForAPI(f *testing.F) {
	for i, path := range append(golden.Glob(f, "testdata/api/*.txtar"), golden.Glob(f, "testdata/*/*.txtar")...) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range archive.Files {
			if s.Name == "in.jsonl" {
				f.Add(s.Data, uint64(0))
				f.Add(s.Data, uint64(i+1))
			}
		}
	}
	f.Fuzz(func(t *testing.T, main []byte, seed uint64) {
		if seed != 0 {
			main = shuffle(rand.New(rand.NewPCG(seed, 2)), main)
		}
		file := transcript.Read("in.jsonl", main)
		checkRequests(t, Build(Input{ID: "in", Main: &file}), seed)
	})
}

// checkRequests checks the request after the end of the log, one in the middle, and one without tools.
func checkRequests(t testing.TB, c *Conversation, seed uint64) {
	t.Helper()
	for inner := range c.All() {
		options := []APIOptions{{}, {Tools: map[string]bool{}, Personal: true}}
		if n := uint64(len(inner.Messages)); n > 0 {
			options = append(options, APIOptions{At: inner.Messages[seed%n]})
		}
		for _, o := range options {
			api := ForAPI(inner, o)
			checkAPI(t, inner, api)
			checkAgain(t, api)
		}
	}
}

// TestAPICorpus makes the same checks for every session of the corpora.
func TestAPICorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	for _, root := range corpora(t) {
		for i, path := range sessionFiles(t, root) {
			t.Run(filepath.ToSlash(path), func(t *testing.T) {
				checkRequests(t, Build(sessionAt(t, path)), uint64(i*97))
			})
		}
	}
}
