package sitegen

import (
	"runtime"

	"viewer/transcript"
)

// An early is a transcript that is read before its session has a place.
type early struct {
	read  chan bool
	cover *cover
	file  *transcript.File // nil when it could not be read
}

// readEarly begins to read the sessions that have changed, when they are so few that some
// core has nothing to do while all of them are put in order.
func (b *builder) readEarly() {
	var changed []*session
	for _, fo := range b.folders {
		for _, s := range fo.sessions {
			if b.fresh(s) > 0 {
				changed = append(changed, s)
			}
		}
	}
	b.idle = len(changed) < runtime.GOMAXPROCS(0)
	if !b.idle || !b.site.once {
		return
	}
	b.early = make(map[digest]*early)
	for _, s := range changed {
		if s.main.Size > largeFile {
			continue
		}
		e := &early{read: make(chan bool, 1)}
		b.early[s.main.id] = e
		l := &load{files: []file{s.main}, data: make([][]byte, 1)} // which the session forgets when it is done
		go func() {
			if read, err := b.decode(l, 0); err == nil {
				e.cover, e.file = l.cover, read
			}
			e.read <- true
		}()
	}
}

// endEarly waits for what nobody took: a session that turned out to be as it was.
func (b *builder) endEarly() {
	for _, e := range b.early {
		<-e.read
	}
}

// takeEarly hands over the main transcript of a session, nil when it was not read.
func (b *builder) takeEarly(l *load) *transcript.File {
	e := b.early[l.files[0].id]
	if e == nil {
		return nil
	}
	<-e.read
	file := e.file
	l.cover, e.file = e.cover, nil
	e.read <- true
	return file
}
