package corpusgen

var agentSizes = distribution{4000, 9000, 40_000, 100_000, 150_000, 200_000, 210_000}

// startAgent appends a call that starts an agent, the records of the agent, and its report. They are inline in 1.0.x,
// in a file beside the session up to 2.0.76, and in the session's own folder since then.
func (s *session) startAgent() func() {
	if s.sidechain { // agents do not start agents
		return read(s)
	}
	name := "Task"
	if s.v >= 201063 {
		name = "Agent"
	}
	sizes := taskSizes
	if name == "Agent" {
		sizes = agentTasks
	}
	task := s.markdown(sizes.pick(s.rng))
	c := s.call(name, `{"description":"Count the lamps","prompt":%q,"subagent_type":"general-purpose"}`, task)
	return func() {
		id := s.hex(8)
		switch {
		case s.v >= 201078:
			id = "a" + s.hex(16)
		case s.v >= 200076:
			id = "a" + s.hex(6)
		}
		report := s.markdown(answerSizes.pick(s.rng))
		size := min(agentSizes.pick(s.rng), s.limit/3)
		if s.v < 200028 || s.alone {
			s.inline(task, report, size/2)
			id = ""
		} else {
			s.inFile(c, id, task, report, size)
		}
		structured := appendf(nil, `{"status":"completed","prompt":%q,"agentId":%q,"content":[{"type":"text","text":%q}],"totalDurationMs":%d,"totalTokens":%d,"totalToolUseCount":%d,"usage":{"input_tokens":4,"output_tokens":900}}`,
			task, id, report, 30_000+s.rng.IntN(90_000), s.rng.IntN(60_000), s.rng.IntN(30))
		s.done(c, result{
			content: appendf(nil, `[{"type":"text","text":%q}]`, report), blocks: true, structured: structured,
		})
	}
}

// work appends an agent's task, its steps and its report.
func (s *session) work(task, report []byte, enough func() bool) {
	s.last, s.sidechain = "", true
	s.user("", appendQuoted(nil, task), nil)
	for !enough() {
		s.step()
	}
	s.begin()
	s.say("end_turn", report)
}

// inline writes an agent between the records of the session.
func (s *session) inline(task, report []byte, size int) {
	leaf, message, until := s.last, s.message, len(s.out)+size
	s.work(task, report, func() bool { return len(s.out) >= until })
	s.last, s.message, s.sidechain = leaf, message, false
}

// inFile writes an agent into a file of its own.
func (s *session) inFile(c call, id string, task, report []byte, size int) {
	a := *s
	a.out, a.files, a.agent, a.limit = make([]byte, 0, size+size/4), nil, id, size
	a.work(task, report, func() bool { return len(a.out) >= size })
	path := s.path[:len(s.path)-len(s.id)] + "agent-" + id
	if s.v >= 201002 {
		path = s.path + "/subagents/agent-" + id
		if s.v >= 201078 {
			s.files = append(s.files, File{
				path + ".meta.json", appendf(nil,
					`{"agentType":"general-purpose","description":"Count the lamps","toolUseId":%q}`, c.id),
			})
		}
	}
	s.files = append(append(s.files, File{path + ".jsonl", a.out}), a.files...)
	s.now = a.now
	if s.v >= 201011 && s.v <= 201081 {
		s.progressOf(c, id, string(task), a.out)
	}
}

// object returns the JSON object that a text begins with.
func object(text []byte) []byte {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return []byte("{}")
}

// warmup writes the agents without a task that 2.0.28 to 2.0.42 started with each session.
func (s *session) warmup() {
	for range 1 + s.rng.IntN(2) {
		a := *s
		a.out, a.files, a.agent = nil, nil, s.hex(8)
		a.work([]byte("Warmup"), []byte("I'm ready to help."), func() bool { return true })
		s.files = append(s.files, File{s.path[:len(s.path)-len(s.id)] + "agent-" + a.agent + ".jsonl", a.out})
	}
}
