package render

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestLongLists: of an input that is a list of thousands, the page shows some items, and links to a file with the rest.
func TestLongLists(t *testing.T) {
	const n = 9000
	list := func(form string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(form, i))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	members := strings.NewReplacer("[", "{", "]", "}").Replace(list(`"item %d.":1`))
	for name, input := range map[string]string{
		"TodoWrite":       `{"todos":` + list(`{"content":"item %d.","status":"pending","activeForm":"doing"}`) + `}`,
		"MultiEdit":       `{"file_path":"/a","edits":` + list(`{"old_string":"x","new_string":"item %d."}`) + `}`,
		"AskUserQuestion": `{"questions":` + list(`{"question":"item %d.","header":"h","options":[{"label":"yes","description":"no"}]}`) + `}`,
		"TaskUpdate":      `{"taskId":"1","addBlockedBy":` + list(`"item %d."`) + `}`,
		"Bash":            `{"command":"ls","list":` + list(`"item %d."`) + `}`,
		"Unheard":         `{"list":` + list(`{"a":["item %d.",2]}`) + `}`,
		"mcp__srv__tool":  members,
	} {
		t.Run(name, func(t *testing.T) {
			data := fmt.Sprintf(`{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":%q,"input":%s}]}}`+"\n", name, input)
			f := transcript.Read("s.jsonl", []byte(data))
			drawing := DrawSession(Session{Main: &f, Folder: "s",
				Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f})})
			var all strings.Builder
			for _, p := range drawing.Pages {
				if len(p.HTML) > 600<<10 {
					t.Errorf("%s has %d KB, want less", p.Name, len(p.HTML)>>10)
				}
				all.Write(p.HTML)
			}
			for _, m := range drawing.Media {
				if !strings.Contains(all.String(), `href="../../`+m.Name+`"`) {
					t.Errorf("no page links to %s", m.Name)
				}
				all.Write(m.Data)
			}
			for _, i := range []int{0, 1, n / 2, n - 1} {
				if item := fmt.Sprintf("item %d.", i); !strings.Contains(all.String(), item) {
					t.Errorf("%s is neither on the page nor in a file", item)
				}
			}
		})
	}
}
