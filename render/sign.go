package render

import (
	"crypto/sha256"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A signature is a hash of everything that a page shows: a page with the same signature is not drawn again. Records
// count by their positions, since they do not change while a session is cached (see PageCache). The other values that a
// drawing reads are results of package normalize, and are added field by field. Queries about the session are in
// pageState.lookups instead. TestSignature checks both against the fields of what is drawn.
type signature [sha256.Size]byte

// sign returns the signature of a page, and the messages that it may draw.
func (b *pagesData) sign(j *job) (signature, []*normalize.Message) {
	s := signer{data: b.data}
	s.strings(j.name, b.title, b.Project.Name, b.Project.Path, b.Generator, b.Prices.Date, b.data.cwd)
	s.bools(len(b.jobs) > 1, b.single, j.index < j.last, j.last > 0, b.data.silent)
	s.ints(j.index)
	if j.index > 0 {
		s.strings(prompts(j.parts[j.index-1]))
		asked, prompt := b.askedFirst(j)
		s.strings(asked)
		s.times(j.conversation.Facts.Start)
		s.strings(j.conversation.Facts.Models[:min(1, len(j.conversation.Facts.Models))]...)
		if prompt != nil {
			s.strings(prompt.Anchor, b.data.anchorPages[prompt.Anchor])
		}
	}
	s.follow(j.conversation)
	if j.inner != nil {
		s.innerLink(j.inner)
		if j.index == 0 { // it sums up the whole conversation
			s.strings(s.data.firstFailure(j.conversation))
			s.conversationHead(j.conversation)
		}
	}
	from, to := j.index, j.index
	if j.index == 0 {
		to = j.last
	}
	for i := from; i <= to; i++ {
		s.strings(pageName(j.inner, i))
		s.turnParts(j.parts[i], i == j.index)
	}
	if j.index == j.last {
		s.agents(j.conversation.Agents)
	}
	s.signNotes(j.name)
	return s.signature(), s.seen
}

// follow switches to another conversation, until back is called.
func (s *signer) follow(c *normalize.Conversation) (back func()) {
	old := s.sent
	s.sent = newSentTracker(s.data, c, 0)
	s.bools(s.sent != nil)
	return func() { s.sent = old }
}

// conversationHead adds what the first page of a conversation shows of it.
func (s *signer) conversationHead(c *normalize.Conversation) {
	s.times(c.Facts.Start, c.Facts.End)
	totals := s.data.tally.Of(c)
	models := stats.ModelNames(c, totals)
	s.strings(models...)
	s.ints(len(models))
	s.totals(totals)
	for _, t := range c.Turns {
		s.bools(t.Asked())
		s.ints(len(t.Messages), len(t.Requests))
		for _, m := range t.Messages {
			s.normalized(m)
			s.bools(s.data.anchorPages[m.Anchor] != "")
		}
		for _, r := range t.Requests {
			s.request(r)
			s.ints(int(r.Usage.Output))
			s.bools(r.Repeats)
			s.record(r.First)
		}
	}
}

func (s *signer) turnParts(all []turnPart, here bool) {
	s.ints(len(all))
	for _, l := range all {
		s.bools(l.first, l.last)
		s.ints(l.number, len(l.items))
		if l.first || l.last { // the outline and the foot sum up the whole turn
			s.ints(len(l.turn.Requests))
			s.totals(s.data.tally.OfTurn(l.turn))
			net := s.data.changeOf(l.turn)
			s.ints(net.files, net.added, net.removed)
			s.strings(s.data.failureOf(l.turn))
		}
		seen := len(s.seen)
		if !l.first && here { // which shows how the turn began
			for _, m := range l.turn.Prompt[:min(1, len(l.turn.Prompt))] {
				s.mention(m)
				s.strings(s.data.anchorPages[m.Anchor])
			}
		}
		if l.first {
			s.strings(s.data.replies[l.turn])
			s.messages(l.turn.Prompt)
		}
		for _, item := range l.items {
			s.item(item)
		}
		if here { // the answer depends on what follows on other pages
			for _, m := range outcome.Answer(l.turn) {
				s.strings(m.Anchor)
			}
			s.ints(0)
		}
		if !here { // it is mentioned here but drawn elsewhere
			s.seen = s.seen[:seen]
		}
	}
}

func (s *signer) item(item normalize.Item) {
	switch it := item.(type) {
	case *normalize.Message:
		s.ints(1)
		s.message(it)
	case *normalize.Group:
		s.ints(2)
		s.group(it)
	case *normalize.Branch:
		s.ints(3)
		in := s.data.ofBranch(it)
		s.mention(it.Head())
		s.innerLink(in)
		s.innerTurns(in)
	}
}

func (s *signer) group(g *normalize.Group) {
	s.bools(g.Call != nil, g.Result != nil, g.Progress != nil, g.Resumes != nil)
	s.ints(int(g.State))
	for _, m := range []*normalize.Message{g.Call, g.Result, g.Progress} {
		if m != nil {
			s.message(m)
		}
	}
	s.messages(g.Pre)
	s.messages(g.Post)
	s.messages(g.Inside)
	s.messages(g.Captions)
	if g.Resumes != nil {
		s.strings(s.data.agentName(g.Resumes))
		s.innerLink(s.data.ofAgent(g.Resumes))
	}
	s.agents(g.Agents)
	task := s.data.tasks[g]
	s.strings(task.Subject, s.data.ends[g])
	s.ints(task.Earlier, len(task.Tasks))
	for _, t := range task.Tasks[task.Earlier:] { // the input of list, which would take longer
		now := t.After(task.Change)
		s.strings(t.ID, now.Subject, now.Status, now.Owner)
	}
	if s.sent != nil && g.Call != nil && g.Result == nil {
		s.strings(s.sent.placeholders[g.Call])
	}
}

func (s *signer) agents(all []*normalize.Agent) {
	s.ints(len(all))
	for _, a := range all {
		s.bools(isStopped(&normalize.Group{}, a))
		in := s.data.ofAgent(a)
		s.strings(a.ID, a.Type, a.Description, a.Run, a.Phase, s.data.agentName(a))
		s.ints(int(agentTokens(a.Conversation)))
		s.innerLink(in)
		s.innerTurns(in)
	}
}

// innerLink adds what the place of a conversation shows of it.
func (s *signer) innerLink(in *inner) {
	s.strings(in.folder, in.name, in.title, in.who, s.data.firstFailure(in.Conversation))
	s.bools(in.hasPages)
	s.totals(s.data.tally.Of(in.Conversation))
}

// innerTurns adds the turns that are drawn there.
func (s *signer) innerTurns(in *inner) {
	if in.hasPages {
		return
	}
	defer s.follow(in.Conversation)()
	s.ints(len(in.Turns))
	for _, t := range in.Turns {
		s.turnParts([]turnPart{{turn: t, items: t.Items, first: true, last: true}}, true)
	}
}

func (s *signer) messages(all []*normalize.Message) {
	s.ints(len(all))
	for _, m := range all {
		s.message(m)
	}
}

// message adds a drawn message.
func (s *signer) message(m *normalize.Message) {
	s.seen = append(s.seen, m)
	s.mention(m)
}

// mention adds a message that is mentioned or drawn.
func (s *signer) mention(m *normalize.Message) {
	s.normalized(m)
	if s.sent != nil {
		s.fate(m)
	}
}

// normalized adds the results of package normalize for a record, or for a part of it.
func (s *signer) normalized(m *normalize.Message) {
	s.record(m.Record)
	s.strings(m.ID, m.Anchor, m.Name, m.HookEvent, m.Rule)
	s.bools(m.Block != nil, m.Queued, m.Advised, m.Anew)
	s.ints(m.Part, int(m.Kind), int(m.Status), int(m.Ending))
	// Values from the text of a block depend only on its record.
	s.ints(len(m.Text), len(m.Contexts), len(m.Tags))
}

// fate adds what the level As sent shows of a message.
func (s *signer) fate(m *normalize.Message) {
	f := s.sent
	fate, told := f.api.Fates[m]
	s.bools(told, fate.Rough)
	s.ints(int(fate.Number), int(fate.Kind), int(fate.Why))
	if n := fate.Number; n > 0 {
		s.strings(f.api.Messages[n-1].Role)
		s.strings(f.hidden[n]...)
		s.ints(len(f.hidden[n]))
		s.strings(string(f.firstPlaceholder(n)))
		if n <= 2 {
			s.strings(f.unlogged)
		}
		delete(f.introduced, 1)
	}
	s.strings(f.context(m.Record, fate.Number))
	delete(f.sized, m.Record)
}

// hash returns the hash of a value of the log. One long value can be that of thousands of messages.
func (s *signer) hash(raw jsontext.Value) uint64 {
	const long = 4096
	if len(raw) < long {
		return xxhash.Sum64(raw)
	}
	if len(raw) != len(s.hashed) || &raw[0] != &s.hashed[0] {
		s.hashed, s.hashOf = raw, xxhash.Sum64(raw)
	}
	return s.hashOf
}

func (s *signer) request(r *normalize.Request) {
	s.strings(r.Model)
	s.bools(r.HasUsage)
	s.ints(int(r.Usage.Context()))
}

// record adds a record that is drawn or mentioned. Its content counts if another process may compare the signature,
// because a new secret may be in earlier records.
func (s *signer) record(r *transcript.Record) {
	s.strings(r.Pos.File, r.UUID)
	s.ints(r.Pos.Line, int(r.Pos.Offset), len(r.Raw))
	if s.data.signContents {
		s.ints(int(s.hash(r.Raw)))
	}
	if r.TextApart {
		for _, b := range r.Message.Content[0].Content {
			s.ints(len(b.Text))
			if s.data.signContents {
				s.ints(int(xxhash.Sum64String(b.Text)))
			}
		}
	}
}
