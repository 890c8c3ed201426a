package redact

import "iter"

// A Scout goes over values before their turn, on a goroutine of its own, while its session goes over others. It learns
// nothing: what it finds holds if the session has learned nothing either by the time of their turn, and the session
// looks itself where it has. So all is the same with scouts and without.
type Scout struct{ session *Session }

// Findings are what a scout found in some values. They can be used again for others.
type Findings struct {
	with    knowledge
	values  map[*byte]finding // by where they begin
	spans   []span
	asked   [][]byte // ids of calls, which the session may know by then
	teaches bool     // the value at hand
}

// A finding is that of one value: where its spans and its ids begin and end.
type finding struct {
	size         int
	spans, asked [2]int
}

// Scout makes a scout.
func (s *Session) Scout() *Scout {
	own := &Session{redactor: s.redactor, plain: make(map[string]class)}
	own.scan.Session = own
	own.hit = own.scan.word
	return &Scout{own}
}

// Brief gives a scout what the session knows now. What was found before is forgotten.
func (s *Session) Brief(f *Findings) {
	s.own = false
	f.with = s.knowledge
	clear(f.values)
	clear(f.asked)
	f.asked = f.asked[:0]
	if f.spans = f.spans[:0]; cap(f.spans) > mostKept {
		f.spans = nil
	}
}

// Look goes over JSON values, which must stay where they are and as they are until the session has gone over them.
func (x *Scout) Look(f *Findings, values iter.Seq[[]byte]) {
	s := x.session
	if s.learned != f.with.learned {
		clear(s.plain)
	}
	if f.values == nil {
		f.values = make(map[*byte]finding)
	}
	s.knowledge, s.scout = f.with, f
	for raw := range values {
		f.teaches = false
		spans, asked := len(f.spans), len(f.asked)
		s.look(raw)
		if f.teaches {
			s.folder = "" // to be learned from by the session, whatever becomes of this value
			continue
		}
		f.spans = append(f.spans, s.walker.spans...)
		f.values[&raw[0]] = finding{len(raw), [2]int{spans, len(f.spans)}, [2]int{asked, len(f.asked)}}
	}
	s.walker.forget()
	s.scout = nil
}

// Trust makes JSON use what a scout found in values, until it is given other findings or nil.
func (s *Session) Trust(f *Findings) { s.trusted = f }

// of is what was found in a value, if it is what the session would find.
func (f *Findings) of(raw []byte, s *Session) ([]span, bool) {
	if f == nil || len(raw) == 0 || f.with.learned != s.learned || f.with.calls != s.calls {
		return nil, false
	}
	found, ok := f.values[&raw[0]]
	if !ok || found.size != len(raw) {
		return nil, false
	}
	for _, id := range f.asked[found.asked[0]:found.asked[1]] {
		if s.reading[string(id)] != noFile {
			return nil, false
		}
	}
	return f.spans[found.spans[0]:found.spans[1]], true
}
