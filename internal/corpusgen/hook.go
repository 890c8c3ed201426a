package corpusgen

import "time"

// before and after append what the hooks of a call leave in the log, which was something else in each of three eras.
func (s *session) before(c call) {
	if !s.hooked(c) {
		return
	}
	switch {
	case s.v >= 201011 && s.v <= 201081:
		s.hookProgress(c, "PreToolUse", "callback")
	case s.v >= 201098:
		leaf := s.last // the hook is a dead end: the result hangs on the call
		s.hookReport(c, "PreToolUse", "guard --strict", "")
		s.last = leaf
	}
}

func (s *session) after(c call) {
	if !s.hooked(c) || c.name != "Edit" && c.name != "Write" && c.name != "Bash" {
		return
	}
	switch {
	case s.v < 100060:
		for _, text := range []string{"Running \x1b[1mPostToolUse:" + c.name + "\x1b[22m...", "\x1b[1mPostToolUse:" + c.name + "\x1b[22m [lint --fix] completed successfully"} {
			s.record(s.last, `"type":"system","content":%q,"isMeta":false,"toolUseID":%q,"level":"info"`, text, c.id)
		}
	case s.v >= 201011 && s.v <= 201081:
		s.hookProgress(c, "PostToolUse", "lint --fix")
	case s.v >= 201098:
		s.hookReport(c, "PostToolUse", "lint --fix", "1 file is clean\n")
	}
}

func (s *session) hooked(c call) bool { return s.hooks && c.name != "TaskUpdate" }

func (s *session) hookProgress(c call, event, command string) {
	s.record(s.last, `"type":"progress","data":{"type":"hook_progress","hookEvent":%q,"hookName":"%s:%s","command":%q},"parentToolUseID":%q,"toolUseID":%q`,
		event, event, c.name, command, c.id, c.id)
}

func (s *session) hookReport(c call, event, command, output string) {
	s.wait(40 * time.Millisecond)
	switch s.dice.IntN(30) {
	case 0:
		s.record(s.last, `"attachment":{"type":"hook_non_blocking_error","hookName":"%s:%s","toolUseID":%q,"hookEvent":%q,"stderr":%q,"stdout":"","exitCode":1,"command":%q,"durationMs":%d},"type":"attachment"`,
			event, c.name, c.id, event, "Failed with non-blocking status code: no such file", command, s.dice.IntN(900))
	case 1:
		s.record(s.last, `"attachment":{"type":"hook_additional_context","content":[%q],"hookName":"%s:%s","toolUseID":%q,"hookEvent":%q},"type":"attachment"`,
			s.sentence(), event, c.name, c.id, event)
	default:
		s.record(s.last, `"attachment":{"type":"hook_success","hookName":"%s:%s","toolUseID":%q,"hookEvent":%q,"content":"","stdout":%q,"stderr":"","exitCode":0,"command":%q,"durationMs":%d},"type":"attachment"`,
			event, c.name, c.id, event, output, command, s.dice.IntN(400))
	}
}

// stopHooks appends what runs at the end of a turn.
func (s *session) stopHooks(started time.Time) {
	if s.hooks && s.v >= 200064 {
		run := s.uuid()
		if s.v >= 201011 && s.v <= 201081 {
			s.record(s.last, `"type":"progress","data":{"type":"hook_progress","hookEvent":"Stop","hookName":"Stop","command":"notify done"},"parentToolUseID":%q,"toolUseID":%q`, run, run)
		}
		s.record(s.last, `"type":"system","subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{"command":"notify done","durationMs":%d}],"hookErrors":[],"preventedContinuation":false,"stopReason":"","hasOutput":false,"level":"suggestion","toolUseID":%q`,
			s.dice.IntN(200), run)
	}
	if s.v >= 201001 && s.agent == "" {
		s.record(s.last, `"type":"system","subtype":"turn_duration","durationMs":%d,"isMeta":false`, int(s.now.Sub(started).Milliseconds()))
	}
}
