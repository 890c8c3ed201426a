package corpusgen

// attach appends an attachment to the last record. format gives its members.
func (s *session) attach(format string, args ...any) {
	s.record(s.last, `"attachment":{%s},"type":"attachment"`, appendf(nil, format, args...))
}

// open appends the records before the first prompt.
func (s *session) open() {
	if s.v <= 201022 && s.rng.IntN(6) == 0 { // titles of other sessions
		for range 1 + s.rng.IntN(4) {
			s.line(`{"type":"summary","summary":%q,"leafUuid":%q}`, s.sentence(), s.uuid())
		}
	}
	if s.hooks && s.v >= 201098 {
		said := s.plain(s.fitting(saidSizes.pick(s.rng)))
		s.record("", `"attachment":{"type":"hook_success","hookName":"SessionStart:startup","toolUseID":%q,"hookEvent":"SessionStart","content":%q,"stdout":%q,"stderr":"","exitCode":0,"command":"node \"${CLAUDE_PLUGIN_ROOT}/hooks/greet.mjs\"","durationMs":12},"type":"attachment"`, s.uuid(), said, said)
	}
	if s.v >= 201098 && s.rng.IntN(6) == 0 {
		s.attach(`"type":"hook_system_message","content":%q,"hookName":"SessionStart:startup","toolUseID":%q,"hookEvent":"SessionStart"`, s.sentence(), s.uuid())
	}
	if s.v >= 201079 && s.rng.IntN(4) == 0 {
		s.record(s.last, `"type":"system","subtype":"bridge_status","content":"/remote-control is active.","url":"https://example.org/code/%s","isMeta":false`, s.id[:8])
	}
	s.listings()
	if s.v >= 200028 && s.v <= 200042 && s.limit > 20_000 {
		s.warmup()
	}
}

// Sizes in bytes, as counted in real sessions.
var (
	saidSizes    = distribution{0, 20, 120, 3000, 3300, 4000, 4200}
	listingSizes = distribution{3600, 4000, 13_500, 15_000, 23_000, 34_000, 35_000}
	toolsSizes   = distribution{500, 600, 2500, 7300, 9700, 68_000, 69_000}
	agentsSizes  = distribution{2000, 2100, 4200, 15_800, 30_000, 48_000, 49_000}
	serversSizes = distribution{600, 700, 1000, 2400, 3200, 11_000, 12_000}
	contextSizes = distribution{200, 400, 3400, 5900, 6000, 11_000, 12_000}
)

// fitting returns the size, but at most a fortieth of the session. Real sessions are larger, and listings of the real
// size would be most of ours.
func (s *session) fitting(size int) int { return min(size, s.limit/40) }

// listings appends the program's lists of skills, tools, agents and servers.
func (s *session) listings() {
	if s.v >= 201096 {
		s.attach(`"type":"skill_listing","content":%q,"skillCount":14,"isInitial":true`,
			s.plain(s.fitting(listingSizes.pick(s.rng))))
	}
	if s.v >= 201090 {
		names := []byte(`["WebFetch","WebSearch","mcp__lamps__count"`)
		for range s.fitting(toolsSizes.pick(s.rng)) / 2 / 72 { // each name occurs twice
			names = appendf(names, `,"mcp__%ss__%s_the_%s_of_%s"`, pick(s.rng, s.texts.nouns),
				pick(s.rng, s.texts.verbs), pick(s.rng, s.texts.nouns), pick(s.rng, s.texts.nouns))
		}
		names = append(names, ']')
		s.attach(`"type":"deferred_tools_delta","addedNames":%s,"addedLines":%s,"removedNames":[]`, names, names)
	}
	if s.v >= 201146 {
		types, lines := []byte(`["general-purpose"`), []byte(`["- general-purpose: counts lamps"`)
		for range s.fitting(agentsSizes.pick(s.rng)) / 640 {
			name := pick(s.rng, s.texts.nouns) + "-" + pick(s.rng, s.texts.nouns)
			types, lines = appendf(types, `,%q`, name),
				appendf(lines, `,%q`, append([]byte("- "+name+": "), s.plain(270)...))
		}
		s.attach(`"type":"agent_listing_delta","addedTypes":%s],"addedLines":%s],"removedTypes":[],"isInitial":true,"showConcurrencyNote":true`, types, lines)
	}
	if s.v >= 201090 && s.rng.IntN(6) == 0 {
		s.attach(`"type":"mcp_instructions_delta","addedNames":["lamps"],"addedBlocks":[%q],"removedNames":[]`,
			s.plain(s.fitting(serversSizes.pick(s.rng))))
	}
}

// itemsReminded is the number of tasks in a reminder.
var itemsReminded = distribution{0, 0, 0, 8, 17, 17, 18}

// reminders appends the records between messages of the model: information from the program, and errors.
func (s *session) reminders() {
	if s.v >= 200005 && s.rng.IntN(200) == 0 {
		s.record(s.last, `"type":"system","subtype":"api_error","level":"error","error":{},"retryInMs":%d,"retryAttempt":1,"maxRetries":10`, 500+s.rng.IntN(200))
	}
	if s.v < 201098 {
		return
	}
	if s.rng.IntN(5) == 0 {
		items := []byte("[")
		n := itemsReminded.pick(s.rng)
		for i := range n {
			if i > 0 {
				items = append(items, ',')
			}
			items = appendf(items, `{"id":"%d","subject":%q,"description":%q,"activeForm":"Doing it","status":%q,"blocks":[],"blockedBy":[]}`,
				i+1, pick(s.rng, s.texts.commands)[2], s.plain(130), pick(s.rng, []string{"pending", "completed"}))
		}
		s.attach(`"type":"task_reminder","content":%s,"itemCount":%d`, append(items, ']'), n)
	}
	if s.rng.IntN(25) == 0 {
		language := s.language()
		s.attach(`"type":"edited_text_file","filename":%q,"snippet":%q`, s.file(language),
			s.numbered(cut(s.rng, s.texts.code[language], snippetSizes.pick(s.rng)), 1))
	}
	if s.v >= 201101 && s.rng.IntN(200) == 0 {
		s.attach(`"type":"diagnostics","files":[{"uri":%q,"diagnostics":[{"message":%q,"severity":"Hint","range":{"start":{"line":%d,"character":1},"end":{"line":900,"character":5}},"source":"minmax","code":"default"}]}],"isNew":true`,
			"file://"+s.file("go"), s.sentence(), s.rng.IntN(900))
	}
	if s.v >= 201101 && s.rng.IntN(60) == 0 { // while the turn runs
		text, mode := s.notification(), "task-notification"
		if s.rng.IntN(4) == 0 {
			text, mode = s.typed(60), "prompt"
		}
		s.queued("remove", text)
		s.attach(`"type":"queued_command","prompt":%q,"commandMode":%q`, text, mode)
	}
	if s.v >= 201108 && s.rng.IntN(300) == 0 {
		s.attach(`"type":"date_change","newDate":%q`, s.stamp()[:10])
	}
}

// afterTurn appends the records after the end of a turn.
func (s *session) afterTurn() {
	if s.v >= 201012 && s.v <= 201022 && s.rng.IntN(40) == 0 {
		s.record(s.last, `"type":"system","subtype":"microcompact_boundary","content":"Context microcompacted","isMeta":false,"level":"info","microcompactMetadata":{"trigger":"auto","preTokens":%d,"tokensSaved":%d,"compactedToolIds":[],"clearedAttachmentUUIDs":[]}`,
			90_000+s.rng.IntN(9000), 20_000+s.rng.IntN(9000))
	}
	if s.v < 201098 {
		return
	}
	if s.v >= 201108 && s.rng.IntN(2) == 0 {
		s.record(s.last, `"type":"system","subtype":"away_summary","content":%q,"isMeta":false`, s.plain(220))
	}
	s.bookkeeping()
}

// compact appends the boundary and the summary that replaces the records before it.
func (s *session) compact() {
	s.compacted = len(s.out)
	old := s.last
	s.record("",
		`"logicalParentUuid":%q,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":%d}`, old, 150_000+s.rng.IntN(9000))
	s.user(s.last,
		appendQuoted(nil, "This session is being continued from a previous conversation that ran out of context.\n\n"+
			string(s.markdown(summarySizes.pick(s.rng)))),
		[]byte(`,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`))
	if s.v >= 201170 {
		file := s.file(s.language())
		s.attach(`"type":"compact_file_reference","filename":%q,"displayPath":%q`, file, file[len(s.cwd)+1:])
	}
	s.context = 20_000
}
