package corpusgen

import (
	"math/rand/v2"
	"time"
)

// A session is a session on its way to its files.
type session struct {
	stock *stock
	dice  *rand.Rand
	out   []byte // of the file being written
	files []File // of its agents and long outputs
	limit int    // of bytes, in all files

	v       version
	version string // the same, as it is written
	model   string
	silent  bool // thinking is empty
	hooks   bool
	alone   bool // agents write into the session itself: there is one file
	tools   []lot[tool]
	// id names the session, path its file without ending.
	id, path, cwd, branch string
	title                 []byte
	envelope              []byte

	now       time.Time
	last      string // the record that the next one hangs on
	message   string // the API message that the next block belongs to
	prompt    string // the id that the records of a turn share
	context   int    // tokens in the cache
	agent     string // the agent whose file is written, "" for the session's own
	sidechain bool
	compacted int // bytes written at the last compaction
	tasks     int
	turns     int
}

// spent is what the session has written, in all files.
func (s *session) spent() int {
	n := len(s.out)
	for _, f := range s.files {
		n += len(f.Data)
	}
	return n
}

func (s *session) full() bool { return s.spent() >= s.limit }

// write appends turns until there are enough bytes.
func (s *session) write() {
	s.envelope = s.newEnvelope()
	s.open()
	for !s.full() {
		s.turn()
		s.wait(time.Duration(20+s.dice.IntN(900)) * time.Second)
	}
	if s.v >= 201112 {
		s.bookkeeping()
	}
}

// open appends what stands before the first prompt.
func (s *session) open() {
	if s.hooks && s.v >= 201098 {
		s.record("", `"attachment":{"type":"hook_success","hookName":"SessionStart:startup","toolUseID":%q,"hookEvent":"SessionStart","content":"","stdout":"","stderr":"","exitCode":0,"command":"hello","durationMs":12},"type":"attachment"`, s.uuid())
	}
	if s.v >= 201096 {
		s.record(s.last, `"attachment":{"type":"skill_listing","content":%q,"skillCount":14,"isInitial":true},"type":"attachment"`, s.plain(listingSizes.pick(s.dice)/2))
		s.record(s.last, `"attachment":{"type":"deferred_tools_delta","addedNames":["WebFetch","WebSearch","mcp__lamps__count"],"addedLines":["WebFetch","WebSearch","mcp__lamps__count"],"removedNames":[]},"type":"attachment"`)
	}
	if s.v >= 200028 && s.v <= 200042 && s.limit > 20_000 {
		s.warmup()
	}
}

var (
	// stepsOfTurn is how many messages with calls a turn has.
	stepsOfTurn = spread{0, 1, 5, 12, 25, 60, 120}
	// together is how many calls run side by side.
	together = []lot[int]{{82, 1}, {10, 2}, {5, 3}, {2, 4}, {1, 6}}
)

// compactEvery is how many bytes fill the context of a model, as logged.
const compactEvery = 3 << 20

// turn appends a prompt and all that follows from it.
func (s *session) turn() {
	s.turns++
	s.prompt = s.uuid()
	started := s.now
	if !s.ask() {
		return
	}
	for range stepsOfTurn.pick(s.dice) {
		if s.full() {
			return // as a log that is copied while the turn runs
		}
		s.step()
	}
	if s.dice.IntN(30) == 0 { // the user stopped it
		s.user(s.last, []byte(`[{"type":"text","text":"[Request interrupted by user]"}]`), nil)
		return
	}
	s.begin()
	if s.dice.IntN(100) < 30 {
		s.think()
	}
	s.say("end_turn", s.markdown(answerSizes.pick(s.dice)))
	s.stopHooks(started)
	s.reminders()
	if len(s.out)-s.compacted > compactEvery && s.v >= 200076 {
		s.compact()
	}
}

// step appends one API message with its calls and their results.
func (s *session) step() {
	s.begin()
	if s.dice.IntN(100) < 42 {
		s.think()
	}
	if s.dice.IntN(100) < 42 {
		s.say("tool_use", s.plain(remarkSizes.pick(s.dice)))
	}
	n := draw(s.dice, together)
	if n == 1 {
		s.use()
		return
	}
	var results []func()
	for range n {
		if finish := draw(s.dice, s.tools).start(s); finish != nil {
			results = append(results, finish)
		}
	}
	for _, finish := range results {
		finish()
	}
}

// use appends a call with its result.
func (s *session) use() {
	if finish := draw(s.dice, s.tools).start(s); finish != nil {
		finish()
	}
}

// ask appends a prompt; it reports whether the model is asked at all.
func (s *session) ask() bool {
	parent := s.last
	if s.v >= 201112 && s.agent == "" {
		s.bookkeeping()
	}
	extra := s.typedBy()
	switch at := s.dice.IntN(100); {
	case at < 4:
		s.user(parent, appendQuoted(nil, "<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>"), nil)
		s.user(s.last, appendQuoted(nil, "<local-command-stdout></local-command-stdout>"), nil)
		return false
	case at < 6:
		s.user(parent, appendQuoted(nil, "<bash-input>git status</bash-input>"), nil)
		s.user(s.last, appendf(nil, `"<bash-stdout>%s</bash-stdout><bash-stderr></bash-stderr>"`, "On branch main"), nil)
		return false
	case at < 9:
		s.user(parent, appendQuoted(nil, "<command-message>review</command-message>\n<command-name>/review</command-name>"), extra)
		s.user(s.last, appendf(nil, `[{"type":"text","text":%q}]`, s.markdown(1500)), []byte(`,"isMeta":true`))
	case at < 12 && s.v < 200000:
		s.user(parent, appendf(nil, `[{"type":"text","text":%q},{"type":"text","text":%q}]`, "<ide_opened_file>The user opened the file "+s.file(s.language())+" in the IDE.</ide_opened_file>", s.typed(promptSizes.pick(s.dice))), extra)
	case at < 12 && s.v >= 201030:
		s.user(parent, appendQuoted(nil, "<task-notification>\n<task-id>"+s.hex(7)+"</task-id>\n<status>completed</status>\n<summary>Background command \"measure\" completed (exit code 0)</summary>\n</task-notification>"), nil)
	case at < 13 && s.limit > 400_000:
		s.user(parent, appendf(nil, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}},{"type":"text","text":%q}]`, s.screenshot(), s.typed(80)), extra)
	default:
		text := s.typed(promptSizes.pick(s.dice))
		s.user(parent, appendQuoted(nil, text), extra)
		if s.v >= 201000 && s.dice.IntN(60) == 0 { // and said differently a moment later
			s.wait(5 * time.Second)
			s.user(parent, appendQuoted(nil, append(text, " please"...)), extra)
		}
	}
	s.snapshot()
	return true
}

// typedBy are the members by which a record says that a human wrote it.
func (s *session) typedBy() []byte {
	var e []byte
	if s.v >= 201077 {
		e = append(e, `,"permissionMode":"default"`...)
	}
	if s.v >= 201105 {
		e = append(e, `,"origin":{"kind":"human"}`...)
	}
	if s.v >= 201161 {
		e = append(e, `,"promptSource":"typed"`...)
	}
	if s.v >= 200055 && s.v <= 201050 {
		e = append(e, `,"todos":[]`...)
	}
	return e
}

// snapshot appends the checkpoint of a prompt.
func (s *session) snapshot() {
	if s.v < 200005 || s.agent != "" {
		return
	}
	backups := []byte("{")
	for i := range s.dice.IntN(9) {
		if i > 0 {
			backups = append(backups, ',')
		}
		backups = appendf(backups, `%q:{"backupFileName":"%s@v%d","version":%d,"backupTime":%q}`, s.file(s.language()), s.hex(16), i+1, i+1, s.stamp())
	}
	backups = append(backups, '}')
	s.line(`{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":%s,"timestamp":%q},"isSnapshotUpdate":false}`, s.last, s.last, backups, s.stamp())
	if s.v >= 200037 && s.dice.IntN(8) == 0 {
		for _, operation := range []string{"enqueue", "dequeue"} {
			s.line(`{"type":"queue-operation","operation":%q,"timestamp":%q,"sessionId":%q}`, operation, s.stamp(), s.id)
		}
	}
}

// bookkeeping appends the records that later versions write again with every prompt.
func (s *session) bookkeeping() {
	s.line(`{"type":"last-prompt","lastPrompt":%q,"leafUuid":%q,"sessionId":%q}`, pick(s.dice, s.stock.prompts), s.last, s.id)
	s.line(`{"type":"permission-mode","permissionMode":"default","sessionId":%q}`, s.id)
	s.line(`{"type":"ai-title","aiTitle":%q,"sessionId":%q}`, s.title, s.id)
	if s.v >= 201150 {
		s.line(`{"type":"mode","mode":"normal","sessionId":%q}`, s.id)
	}
	if s.v >= 201156 && s.dice.IntN(3) == 0 {
		s.line(`{"type":"bridge-session","sessionId":%q,"bridgeSessionId":"cse_01lantern","lastSequenceNum":%d}`, s.id, s.turns)
	}
}

// reminders appends what the program tells the model between turns.
func (s *session) reminders() {
	if s.v < 201098 || s.agent != "" {
		return
	}
	if s.dice.IntN(4) == 0 {
		s.record(s.last, `"attachment":{"type":"task_reminder","content":[{"id":"1","subject":%q,"status":"pending","blocks":[],"blockedBy":[]}],"itemCount":1},"type":"attachment"`, s.sentence())
	}
	if s.dice.IntN(8) == 0 {
		language := s.language()
		s.record(s.last, `"attachment":{"type":"edited_text_file","filename":%q,"snippet":%q},"type":"attachment"`, s.file(language), s.numbered(cut(s.dice, s.stock.code[language], snippetSizes.pick(s.dice)), 1))
	}
	if s.v >= 201108 && s.dice.IntN(10) == 0 {
		s.record(s.last, `"type":"system","subtype":"away_summary","content":%q,"isMeta":false`, s.plain(200))
	}
}

// compact appends the boundary and the summary that replaces what was before.
func (s *session) compact() {
	s.compacted = len(s.out)
	old := s.last
	s.record("", `"logicalParentUuid":%q,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":%d}`, old, 150_000+s.dice.IntN(9000))
	s.user(s.last, appendQuoted(nil, "This session is being continued from a previous conversation that ran out of context.\n\n"+string(s.markdown(summarySizes.pick(s.dice)))),
		[]byte(`,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`))
	s.context = 20_000
}
