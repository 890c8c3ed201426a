package corpusgen

import (
	"math/rand/v2"
	"time"
)

// A session is the state while a session is written.
type session struct {
	texts *textPool
	rng   *rand.Rand
	out   []byte // the current file
	files []File // files of agents and of long outputs
	limit int    // bytes in all files

	v       version
	version string // v as logged
	model   string
	silent  bool // thinking is empty
	hooks   bool // it has hooks of calls
	stop    bool // it has hooks at the end of turns
	alone   bool // agents are written into the session: there is one file
	tools   []weighted[tool]
	// id names the session, path its file without ending.
	id, path, cwd, branch string
	title                 []byte
	envelope              []byte

	now       time.Time
	last      string // the id of the parent of the next record
	message   string // the id of the API message of the next block
	prompt    string // the id shared by the records of a turn
	context   int    // tokens in the cache
	agent     string // the agent whose file is written, "" for the session
	sidechain bool
	compacted int // bytes written at the last compaction
	tasks     int
	turns     int
	todos     []byte // the list of the last TodoWrite
	pull      int    // the number of the pull request of the session, 0 if there is none
	named     bool   // by the user
}

// spent returns the number of bytes written, in all files.
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
		s.wait(time.Duration(20+s.rng.IntN(900)) * time.Second)
	}
	s.bookkeeping()
	if s.v <= 201022 && s.rng.IntN(8) == 0 {
		s.line(`{"type":"summary","summary":%q,"leafUuid":%q}`, s.title, s.last)
	}
}

var (
	// stepsOfTurn is the number of messages with calls in a turn.
	stepsOfTurn = distribution{0, 1, 5, 12, 25, 60, 120}
	// together is the number of parallel calls.
	together = []weighted[int]{{82, 1}, {10, 2}, {5, 3}, {2, 4}, {1, 6}}
)

// compactEvery is the number of logged bytes that fill the context of a model.
const compactEvery = 3 << 20

// turn appends a prompt and all records that follow from it.
func (s *session) turn() {
	s.turns++
	s.prompt = s.uuid()
	started := s.now
	if !s.ask() {
		return
	}
	for range stepsOfTurn.pick(s.rng) {
		if s.full() {
			return // like a log that is copied while the turn runs
		}
		s.reminders()
		s.step()
	}
	if s.rng.IntN(30) == 0 { // the user stopped it
		s.user(s.last, []byte(`[{"type":"text","text":"[Request interrupted by user]"}]`), nil)
		return
	}
	s.begin()
	if _, thought := s.openings(); s.rng.IntN(100) < thought {
		s.think()
	}
	s.say("end_turn", s.answer())
	s.stopHooks(started)
	s.afterTurn()
	if len(s.out)-s.compacted > compactEvery && s.v >= 200076 {
		s.compact()
	}
}

// step appends one API message with its calls and their results.
func (s *session) step() {
	s.begin()
	before, _ := s.openings()
	o := draw(s.rng, before)
	if o.thought {
		s.think()
	}
	if o.remark {
		s.say("tool_use", s.plain(remarkSizes.pick(s.rng)))
	}
	n := draw(s.rng, together)
	if n == 1 {
		s.use()
		return
	}
	var results []func()
	for range n {
		if finish := draw(s.rng, s.tools).start(s); finish != nil {
			results = append(results, finish)
		}
	}
	for _, finish := range results {
		finish()
	}
}

// use appends a call with its result.
func (s *session) use() {
	if finish := draw(s.rng, s.tools).start(s); finish != nil {
		finish()
	}
}
