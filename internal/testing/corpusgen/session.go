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
	hooks   bool // around calls
	stop    bool // at the end of turns
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
	todos     []byte // the list that the last TodoWrite left
	pull      int    // the number of the pull request that the session made, 0 when there is none
	named     bool   // by the user
}

// spent returns what the session has written, in all files.
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
	s.bookkeeping()
	if s.v <= 201022 && s.dice.IntN(8) == 0 {
		s.line(`{"type":"summary","summary":%q,"leafUuid":%q}`, s.title, s.last)
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
		s.reminders()
		s.step()
	}
	if s.dice.IntN(30) == 0 { // the user stopped it
		s.user(s.last, []byte(`[{"type":"text","text":"[Request interrupted by user]"}]`), nil)
		return
	}
	s.begin()
	if _, thought := s.openings(); s.dice.IntN(100) < thought {
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
	o := draw(s.dice, before)
	if o.thought {
		s.think()
	}
	if o.remark {
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
