package sitegen

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// TestKimiAgents: agents of Kimi Code have separate logs. They are drawn below the calls that started them: in the
// background, and several at once.
func TestKimiAgents(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "wd_net_ac3b", "session_1")
	const head = `{"type":"metadata","protocol_version":"1.6","created_at":1790000000000}` + "\n"
	event := func(s string) string {
		return `{"type":"context.append_loop_event","event":{` + s + `},"time":1790000001000}` + "\n"
	}
	call := func(id, tool, output string) string {
		return event(fmt.Sprintf(`"type":"tool.call","toolCallId":%q,"name":%q,"args":{"prompt":"x"}`, id, tool)) +
			event(fmt.Sprintf(`"type":"tool.result","toolCallId":%q,"result":{"output":%q}`, id, output))
	}
	swarm := `<agent_swarm_result>
<subagent agent_id="agent-1" outcome="failed">a</subagent>
<subagent agent_id="agent-2" outcome="completed">b</subagent>
</agent_swarm_result>`
	main := head + call("c1", "Agent", "task_id: t1\nstatus: running\nagent_id: agent-0\n\ndescription: Look") +
		call("c2", "AgentSwarm", swarm) +
		`{"type":"subagent.spawned","subagentId":"agent-3","parentToolCallId":"c3"}` + "\n" +
		call("c3", "Agent", "Gone.")
	write(t, filepath.Join(dir, "agents/main/wire.jsonl"), []byte(main))
	for i := range 4 {
		said := event(fmt.Sprintf(`"type":"content.part","stepUuid":"s","part":{"type":"text","text":"Answer %d."}`, i))
		write(t, filepath.Join(dir, fmt.Sprintf("agents/agent-%d/wire.jsonl", i)), []byte(head+said))
	}
	s, err := OpenSession(context.Background(), Options{Sources: []string{root}, Version: "test"}, "session_1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for g := range s.Conversation.Groups() {
		for _, a := range g.Agents {
			got = append(got, g.Call.Block.ID+" "+a.ID)
		}
	}
	if want := []string{"c1 agent-0", "c2 agent-1", "c2 agent-2", "c3 agent-3"}; !slices.Equal(got, want) {
		t.Errorf("got agents %q, want %q", got, want)
	}
}
