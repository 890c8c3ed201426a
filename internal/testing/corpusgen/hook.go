package corpusgen

import "time"

const (
	guardCommand = `node "${CLAUDE_PLUGIN_ROOT}/hooks/before-use.mjs" --strict`
	lintCommand  = `node "${CLAUDE_PLUGIN_ROOT}/hooks/after-use.mjs" --fix`
	stopCommand  = `node "${CLAUDE_PLUGIN_ROOT}/hooks/at-the-end-of-turns.mjs" --notify --remember`
)

// before and after append the records of the hooks of a call. Their form changed twice.
func (s *session) before(c call) {
	if !s.hooked(c) {
		return
	}
	switch {
	case s.v >= 201011 && s.v <= 201081:
		s.hookProgress(c, "PreToolUse", "callback")
	case s.v >= 201098:
		leaf := s.last // no record has the hook as its parent: that of the result is the call
		s.hookReport(c, "PreToolUse", guardCommand, "")
		s.last = leaf
	}
}

func (s *session) after(c call) {
	if !s.hooked(c) || c.name != "Edit" && c.name != "Write" && c.name != "Bash" {
		return
	}
	switch {
	case s.v < 100060:
		for _, text := range []string{
			"Running \x1b[1mPostToolUse:" + c.name + "\x1b[22m...", "\x1b[1mPostToolUse:" + c.name +
				"\x1b[22m [lint --fix] completed successfully",
		} {
			s.record(s.last, `"type":"system","content":%q,"isMeta":false,"toolUseID":%q,"level":"info"`, text, c.id)
		}
	case s.v >= 201011 && s.v <= 201081:
		s.hookProgress(c, "PostToolUse", lintCommand)
	case s.v >= 201098:
		s.hookReport(c, "PostToolUse", lintCommand, "{}")
	}
}

func (s *session) hooked(c call) bool { return s.hooks && c.name != "TaskUpdate" }

func (s *session) hookProgress(c call, event, command string) {
	s.record(s.last, `"type":"progress","data":{"type":"hook_progress","hookEvent":%q,"hookName":"%s:%s","command":%q},"parentToolUseID":%q,"toolUseID":%q`,
		event, event, c.name, command, c.id, c.id)
}

func (s *session) hookReport(c call, event, command, output string) {
	s.wait(40 * time.Millisecond)
	switch s.rng.IntN(60) {
	case 0:
		s.record(s.last, `"attachment":{"type":"hook_non_blocking_error","hookName":"%s:%s","toolUseID":%q,"hookEvent":%q,"stderr":%q,"stdout":"","exitCode":1,"command":%q,"durationMs":%d},"type":"attachment"`,
			event, c.name, c.id, event, "Failed with non-blocking status code: no such file", command, s.rng.IntN(900))
	case 1:
		s.record(s.last, `"attachment":{"type":"hook_additional_context","content":[%q],"hookName":"%s:%s","toolUseID":%q,"hookEvent":%q},"type":"attachment"`,
			s.plain(contextSizes.pick(s.rng)), event, c.name, c.id, event)
	case 2:
		s.record(s.last, `"attachment":{"type":"hook_cancelled","hookName":"%s:%s","toolUseID":%q,"hookEvent":%q,"command":%q,"durationMs":%d},"type":"attachment"`,
			event, c.name, c.id, event, command, 30_000+s.rng.IntN(900))
	default:
		s.record(s.last, `"attachment":{"type":"hook_success","hookName":"%s:%s","toolUseID":%q,"hookEvent":%q,"content":"","stdout":%q,"stderr":"","exitCode":0,"command":%q,"durationMs":%d},"type":"attachment"`,
			event, c.name, c.id, event, output, command, s.rng.IntN(400))
	}
}

// stopHooks appends the records of hooks at the end of a turn.
func (s *session) stopHooks(started time.Time) {
	if s.stop && s.v >= 200064 {
		run := s.uuid()
		if s.v >= 201011 && s.v <= 201081 {
			s.record(s.last,
				`"type":"progress","data":{"type":"hook_progress","hookEvent":"Stop","hookName":"Stop","command":%q},"parentToolUseID":%q,"toolUseID":%q`, stopCommand, run, run)
		}
		infos, n := []byte(nil), 1+s.rng.IntN(5)
		for i := range n {
			if i > 0 {
				infos = append(infos, ',')
			}
			infos = appendf(infos, `{"command":%q`, stopCommand)
			if s.v >= 201105 {
				infos = appendf(infos, `,"durationMs":%d`, s.rng.IntN(4000))
			}
			infos = append(infos, '}')
		}
		s.record(s.last, `"type":"system","subtype":"stop_hook_summary","hookCount":%d,"hookInfos":[%s],"hookErrors":[]%s,"preventedContinuation":false,"stopReason":"","hasOutput":false,"level":"suggestion","toolUseID":%q`,
			n, infos, s.since(201160, `,"hookAdditionalContext":[]`), run)
	}
	if s.v >= 201001 && s.agent == "" {
		more := []byte(nil)
		if s.v >= 201089 {
			more = appendf(nil, `,"messageCount":%d`, 20+s.rng.IntN(400))
		}
		s.record(s.last, `"type":"system","subtype":"turn_duration","durationMs":%d%s,"isMeta":false`,
			int(s.now.Sub(started).Milliseconds()), more)
	}
}
