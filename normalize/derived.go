package normalize

import "viewer/internal/transcript"

// derived makes agents without a file from progress records: until 2.1.81 each step of an agent was also reported to
// its caller. Their conversations are marked as derived, because their records are progress records of the caller.
func (s *agentSet) derived(in Input) []*Agent {
	hasFile := make(map[string]bool)
	for _, a := range s.agents {
		hasFile[a.ID] = true
	}
	var agents []*Agent
	byID := make(map[string]*Agent)
	records := make(map[*Agent][]*transcript.Record)
	for _, c := range s.all {
		for _, m := range c.Messages {
			r := m.Record
			if r.DataType != "agent_progress" || m.Rule == ruleRepeated || in.Shared[r.UUID] {
				continue
			}
			id := transcript.String(transcript.Field(r.Data, "agentId"))
			if id == "" || hasFile[id] {
				continue
			}
			message := transcript.Field(r.Data, "message")
			if transcript.Kind(message) != '{' {
				continue
			}
			a := byID[id]
			if a == nil {
				a = &Agent{ID: id, toolUseID: r.ParentToolUseID}
				byID[id] = a
				agents = append(agents, a)
			}
			step, _ := transcript.Decode(r.Pos, message) // its problems are not problems of the session
			records[a] = append(records[a], &step)
		}
	}
	for _, a := range agents {
		a.Conversation = conversation(a.ID, s.unique(deriveShortMessageId(a.ID))+"-", records[a], in)
		a.Conversation.Derived = true
		a.Conversation.Problems = nil // the records are copies: problems are those of the agent
	}
	return agents
}
