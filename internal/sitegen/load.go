package sitegen

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/transcript"
)

// A load is the files of a session on their way to a conversation.
type load struct {
	files    []file    // see session.files
	contents []digest  // of these
	cover    *cover    // nil before the main transcript is read
	brood    *brood    // that is kept between builds; nil when the session is read from the start
	readings []reading // of the transcripts of a brood
	begun    bool      // the brood is that of an earlier build
	again    bool      // something beside is not what it was then
	restarts int       // see mostRestarts
}

// A reading is a transcript and the digest of its bytes.
type reading struct {
	file       transcript.File
	content    digest
	unfinished bool // the last line waits for its end, and is not in the file
}

// A stamped is a file with the digest of what was read of it.
type stamped struct {
	file
	content digest
}

// stamps are what to remember of the files.
func (l *load) stamps() []stamped {
	all := make([]stamped, len(l.files))
	for i, f := range l.files {
		if i < len(l.readings) && l.readings[i].unfinished {
			f.stamp.Mod = -1 // to be looked at again
		}
		all[i] = stamped{f, l.contents[i]}
	}
	return all
}

// smallFile is the size up to which a file beside a session is known by its
// content. A larger one is known by its size and time: most spilled outputs are
// never looked at.
const smallFile = 256 << 10

// load finds the contents of the files of a session, of which the state knows most.
// What has been added to the transcripts of a session that grows is read on the way.
func (b *builder) load(s *session, grows bool) (*load, error) {
	l := &load{files: s.files()}
	l.contents = make([]digest, len(l.files))
	transcripts := 1 + len(s.agents)
	var changed []int // of the transcripts
	for i, f := range l.files {
		known, same := b.old.Unchanged(f.id, f.stamp)
		switch {
		case same:
			l.contents[i] = known.Content
		case i < transcripts:
			changed = append(changed, i)
		case f.Size > smallFile:
			l.contents[i] = digestOf(fmt.Append(nil, f.Size, f.Mod))
		default:
			data, err := f.read()
			if err != nil {
				return nil, err
			}
			l.contents[i] = contentOf(data)
		}
	}
	if grows && (len(changed) > 0 || s == b.warmed) {
		growing := &load{files: l.files, contents: slices.Clone(l.contents)}
		if err := b.grow(s, growing); !errors.Is(err, errAgain) {
			return growing, err
		}
	}
	for _, i := range changed {
		var err error
		if l.contents[i], err = b.content(l.files[i]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// content is the digest of a file. The look at it before the build knows it, as long as the file has
// not grown since. Should it have been rewritten, the state knows it by the stamp that it had
// then, and the next build reads it again.
func (b *builder) content(f file) (digest, error) {
	if f.seen != nil && f.seen.err == nil && f.seen.size == f.Size && f.seen.content != (digest{}) {
		return f.seen.content, nil
	}
	return f.hash()
}

// hash is the digest of a file.
func (f file) hash() (digest, error) {
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return digest{}, f.failed(err)
	}
	defer open.Close()
	h := xxhash.New()
	if _, err := io.Copy(h, open); err != nil {
		return digest{}, f.failed(err)
	}
	return summed(h.Sum64()), nil
}

// torn is how long a line may stay without its end before it is taken for torn.
const torn = time.Second

// errAgain says that a session has to be read from the start: a transcript was
// rewritten, is no file of lines, or ends in a torn line.
var errAgain = errors.New("to be read again")

// grow reads what is new of all transcripts of a session. They are covered in
// their order: when an earlier one shows a secret that is new, the later ones
// have to be gone over again.
func (b *builder) grow(s *session, l *load) error {
	l.brood = b.site.nursery.take(s.main.id)
	l.begun, l.cover = len(l.brood.files) > 0, l.brood.cover
	return b.readRest(s, l)
}

// readRest reads what is new of the transcripts of a brood.
func (b *builder) readRest(s *session, l *load) error {
	l.readings = make([]reading, 1+len(s.agents))
	waiting := int64(0)
	for i := range l.readings {
		f := l.files[i]
		t := l.brood.files[f.id]
		if t == nil {
			t = newTranscriptLoader(f, b.Names)
		}
		n, err := t.load(f, b.coverOf(l, i))
		if errors.Is(err, errRewritten) || errors.Is(err, transcript.ErrNoLines) {
			return errAgain
		}
		if err != nil {
			return err
		}
		b.read.Add(n)
		r := reading{file: t.reader.File(), content: t.content(), unfinished: t.reader.Unfinished()}
		if r.unfinished { // drawn without its last line: not what is drawn of these bytes later
			if b.start.Sub(time.Unix(0, f.Mod)) > torn {
				return errAgain
			}
			r.content = digestOf(append(r.content[:], "unfinished"...))
			waiting++
		}
		l.brood.files[f.id] = t
		l.readings[i], l.contents[i] = r, r.content
	}
	l.brood.cover = l.cover
	unsure := b.site.last == nil || s == b.warmed // nobody says that it is being written just now
	if l.outOfStep() || waiting > 0 && unsure {
		return errAgain
	}
	b.torn.Add(waiting)
	return nil
}

// outOfStep says that what comes later has been covered without knowing what
// earlier files have shown since.
func (l *load) outOfStep() bool {
	return l.begun && len(l.files) > 1 && (l.again || l.brood.state != l.cover.state())
}

// restart begins with the files of a session once more when something in them told late what stood in them before. It says
// whether it did.
func (b *builder) restart(s *session, l *load) (bool, error) {
	next := l.cover.again()
	if next == nil || l.restarts >= mostRestarts {
		return false, nil
	}
	l.restarts++
	l.cover = next
	if l.brood == nil {
		return true, nil
	}
	l.brood, l.begun, l.again = newBrood(), false, false
	return true, b.readRest(s, l)
}

// coverOf gives the cover of a session for transcript i: the first one makes it, unless it is there from an earlier pass.
func (b *builder) coverOf(l *load, i int) func(head []byte) *cover {
	return func(head []byte) *cover {
		if i == 0 && l.cover == nil {
			l.cover = b.cover(head)
		}
		l.cover.place(head) // when the main transcript says nothing
		return l.cover
	}
}

// transcript is transcript i of a session.
func (b *builder) transcript(l *load, i int) (*transcript.File, error) {
	if l.brood != nil {
		return &l.readings[i].file, nil
	}
	read, n, err := readTranscript(l.files[i], b.Names, b.coverOf(l, i))
	b.read.Add(n)
	return read, err
}
