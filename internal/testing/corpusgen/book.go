package corpusgen

// backups returns the number of files in a checkpoint. It grew with the versions.
func (s *session) backups() int {
	switch {
	case s.v < 201011:
		return distribution{0, 0, 2, 4, 5, 6, 6}.pick(s.rng)
	case s.v < 201098:
		return distribution{0, 0, 2, 5, 10, 17, 18}.pick(s.rng)
	}
	return distribution{0, 0, 7, 20, 27, 36, 38}.pick(s.rng)
}

// snapshot appends the checkpoint of a prompt.
func (s *session) snapshot() {
	if s.v < 200005 {
		return
	}
	files := []byte("{")
	for i := range s.backups() {
		if i > 0 {
			files = append(files, ',')
		}
		files = appendf(files, `%q:{"backupFileName":"%s@v%d","version":%d,"backupTime":%q}`,
			s.file(s.language())[len(s.cwd)+1:], s.hex(16), i+1, i+1, s.stamp())
	}
	files = append(files, '}')
	s.line(`{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":%s,"timestamp":%q},"isSnapshotUpdate":%t}`,
		s.last, s.last, files, s.stamp(), s.rng.IntN(3) == 0)
}

// delta appends the checkpoint of one file.
func (s *session) delta() {
	s.line(`{"type":"file-history-delta","messageId":%q,"snapshotMessageId":%q,"trackingPath":%q,"backup":{"backupFileName":"%s@v1","version":1,"backupTime":%q},"timestamp":%q}`,
		s.last, s.last, s.file(s.language())[len(s.cwd)+1:], s.hex(16), s.stamp(), s.stamp())
}

// queued appends the records of a text in the queue of prompts: that it was added, and how it left.
func (s *session) queued(end string, text []byte) {
	if s.v < 200037 {
		return
	}
	s.line(`{"type":"queue-operation","operation":"enqueue","timestamp":%q,"sessionId":%q,"content":%q}`, s.stamp(), s.id, text)
	s.line(`{"type":"queue-operation","operation":%q,"timestamp":%q,"sessionId":%q}`, end, s.stamp(), s.id)
}

// bookkeeping appends the records that later versions write again with every prompt.
func (s *session) bookkeeping() {
	if s.v >= 201112 {
		s.line(`{"type":"last-prompt","lastPrompt":%q,"leafUuid":%q,"sessionId":%q}`, pick(s.rng, s.texts.prompts),
			s.last, s.id)
		s.line(`{"type":"permission-mode","permissionMode":"default","sessionId":%q}`, s.id)
		s.line(`{"type":"ai-title","aiTitle":%q,"sessionId":%q}`, s.title, s.id)
	}
	if s.v >= 201150 {
		s.line(`{"type":"mode","mode":"normal","sessionId":%q}`, s.id)
	}
	if s.v >= 201156 && s.rng.IntN(2) == 0 {
		s.line(`{"type":"bridge-session","sessionId":%q,"bridgeSessionId":"cse_01lantern","lastSequenceNum":%d}`, s.id, s.turns)
	}
	if s.v >= 201029 && s.pull == 0 && s.turns > 2 && s.rng.IntN(20) == 0 {
		s.pull = 1 + s.rng.IntN(400)
	}
	if s.pull > 0 {
		s.line(`{"type":"pr-link","sessionId":%q,"prNumber":%d,"prUrl":"https://example.org/city/lanternmap/pull/%d","prRepository":"city/lanternmap","timestamp":%q}`,
			s.id, s.pull, s.pull, s.stamp())
	}
	if s.v >= 201078 && s.named {
		s.line(`{"type":"custom-title","customTitle":"quiet-hours-%s","sessionId":%q}`, s.id[:4], s.id)
		s.line(`{"type":"agent-name","agentName":"quiet-hours-%s","sessionId":%q}`, s.id[:4], s.id)
	}
}
