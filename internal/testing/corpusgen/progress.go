package corpusgen

import "bytes"

var secondsOfCommand = distribution{1, 1, 3, 6, 12, 60, 120}

// running appends the records that some versions logged every second while a command ran. Most commands have no output
// at that time.
func (s *session) running(c call, kind string) {
	from, ok := s.texts.outputs[kind]
	if !ok {
		from = s.texts.outputs["log"]
	}
	var out []byte
	if size := (distribution{0, 0, 0, 50, 400, 3000, 14_000}).pick(s.rng); size > 30 {
		out = cut(s.rng, from, size)
	}
	for second := range secondsOfCommand.pick(s.rng) {
		s.record(s.last, `"type":"progress","data":{"type":"bash_progress","output":%q,"fullOutput":%q,"elapsedTimeSeconds":%d,"totalLines":%d},"toolUseID":"bash-progress-%d","parentToolUseID":%q`,
			out[len(out)/2:], out, second+2, bytes.Count(out, []byte{'\n'})+1, second, c.id)
	}
}

// progressOf copies the records of an agent into records of the session, as 2.1.11 to 2.1.81 did. Up to 2.1.14 each
// record repeated all messages so far, so the record of a long agent's last step is as long as its log, and all agents
// were copied; later ones often ran in the background. These records make sessions of that time long: up to three times
// the requested size.
func (s *session) progressOf(c call, id, task string, work []byte) {
	all := s.v <= 201014
	if !all && s.rng.IntN(3) > 0 {
		return
	}
	known := []byte("[")
	for line := range bytes.Lines(work) {
		if s.spent() >= 3*s.limit {
			return
		}
		message := s.asProgress(line)
		if message == nil {
			continue
		}
		if all {
			if len(known) > 1 {
				known = append(known, ',')
			}
			known = append(known, message...)
			if s.rng.IntN(4) == 0 { // in parallel with the next step
				continue
			}
		}
		s.record(s.last, `"type":"progress","data":{"message":%s,"normalizedMessages":%s],"type":"agent_progress","prompt":%q,"agentId":%q},"toolUseID":"agent_msg_%s","parentToolUseID":%q`,
			message, known, task, id, s.token("01", 22), c.id)
		if s.v >= 201029 {
			task = "" // only the first record has it
		}
	}
}

// asProgress returns a record of an agent's log in the form of a progress record, or nil if it is not a message.
func (s *session) asProgress(line []byte) []byte {
	_, message, ok := bytes.Cut(line, []byte(`"message":`))
	if !ok {
		return nil
	}
	message = object(message)
	kind, more := "user", []byte(nil)
	if bytes.HasPrefix(message, []byte(`{"model"`)) {
		kind, more = "assistant", appendf(nil, `,"requestId":"req_%s"`, s.token("01", 22))
	} else if _, result, ok := bytes.Cut(line, []byte(`,"toolUseResult":`)); ok {
		result, _, _ = bytes.Cut(result, []byte(`,"sourceToolAssistantUUID":`))
		more = appendf(nil, `,"toolUseResult":%s`, result)
	}
	return appendf(nil, `{"type":%q,"timestamp":%q,"message":%s%s,"uuid":%q}`, kind, s.stamp(), message, more, s.uuid())
}
