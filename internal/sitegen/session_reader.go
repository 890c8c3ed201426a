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
	files       []file           // see session.files
	contents    []digest         // of these
	redactor    *redactor        // nil before the main transcript is read
	cached      *cachedSession   // nil when the session is read from the start
	transcripts []transcriptRead // of a cached session
	resumed     bool             // cached is from an earlier build
	sideChanged bool             // a file beside is not what it was then
	restarts    int              // see maxRestarts
}

// A transcriptRead is a transcript and the digest of its bytes.
type transcriptRead struct {
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
		if i < len(l.transcripts) && l.transcripts[i].unfinished {
			f.stamp.Mod = -1 // to be looked at again
		}
		all[i] = stamped{f, l.contents[i]}
	}
	return all
}

// maxHashedSide is the size up to which a file beside a session is known by its
// content. A larger one is known by its size and time: most spilled outputs are
// never drawn.
const maxHashedSide = 256 << 10

// load finds the contents of the files of a session, of which the state knows most.
// Of a cacheable session it reads what was appended to its transcripts.
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
		case f.Size > maxHashedSide:
			l.contents[i] = digestOf(fmt.Append(nil, f.Size, f.Mod))
		default:
			data, err := f.read()
			if err != nil {
				return nil, err
			}
			l.contents[i] = contentOf(data)
		}
	}
	if grows && (len(changed) > 0 || s == b.prefetched) {
		growing := &load{files: l.files, contents: slices.Clone(l.contents)}
		if err := b.resume(s, growing); !errors.Is(err, errReadAnew) {
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

// content is the digest of a file. The scan knows it, as long as the file has
// not grown since. Should it have been rewritten, the state has the stamp that it had
// at the scan, and the next build reads it again.
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

// tornAge is how long a line may stay without its end before it is taken for torn.
const tornAge = time.Second

// errReadAnew says that a session has to be read from the start: a transcript was
// rewritten, is no file of lines, or ends in a torn line.
var errReadAnew = errors.New("to be read anew")

// resume reads what was appended to the transcripts of a cached session. They are redacted in
// their order: when an earlier one shows a new secret, the later ones
// have to be redacted once more.
func (b *builder) resume(s *session, l *load) error {
	l.cached = b.site.cache.checkOut(s.main.id)
	l.resumed, l.redactor = len(l.cached.transcripts) > 0, l.cached.redactor
	return b.readAppended(s, l)
}

// readAppended reads what was appended to the transcripts of a cached session.
func (b *builder) readAppended(s *session, l *load) error {
	l.transcripts = make([]transcriptRead, 1+len(s.agents))
	waiting := int64(0)
	for i := range l.transcripts {
		f := l.files[i]
		t := l.cached.transcripts[f.id]
		if t == nil {
			t = b.newTranscriptLoader(f)
		}
		n, err := t.load(f, b.redactorOf(l, i))
		if errors.Is(err, errRewritten) || errors.Is(err, transcript.ErrNoLines) {
			return errReadAnew
		}
		if err != nil {
			return err
		}
		b.bytesRead.Add(n)
		r := transcriptRead{file: t.reader.File(), content: t.content(), unfinished: t.reader.Unfinished()}
		if r.unfinished { // drawn without its last line: not what is drawn of these bytes later
			if b.start.Sub(time.Unix(0, f.Mod)) > tornAge {
				return errReadAnew
			}
			r.content = digestOf(append(r.content[:], "unfinished"...))
			waiting++
		}
		l.cached.transcripts[f.id] = t
		l.transcripts[i], l.contents[i] = r, r.content
	}
	l.cached.redactor = l.redactor
	unsure := b.site.last == nil || s == b.prefetched // nobody says that it is being written just now
	if l.redactionStale() || waiting > 0 && unsure {
		return errReadAnew
	}
	b.unfinished.Add(waiting)
	return nil
}

// redactionStale says that later files were redacted without what
// earlier files have shown since.
func (l *load) redactionStale() bool {
	return l.resumed && len(l.files) > 1 && (l.sideChanged || l.cached.known != l.redactor.known())
}

// restartRedaction starts with the files of a session once more when something in them is a secret that stands in
// earlier ones. It says whether it did.
func (b *builder) restartRedaction(s *session, l *load) (bool, error) {
	next := l.redactor.restarted()
	if next == nil || l.restarts >= maxRestarts {
		return false, nil
	}
	l.restarts++
	l.redactor = next
	if l.cached == nil {
		return true, nil
	}
	l.cached, l.resumed, l.sideChanged = newCachedSession(), false, false
	return true, b.readAppended(s, l)
}

// redactorOf gives the redactor of a session for transcript i: the first one makes it, unless there is one from an
// earlier pass.
func (b *builder) redactorOf(l *load, i int) func(head []byte) *redactor {
	return func(head []byte) *redactor {
		if i == 0 && l.redactor == nil {
			l.redactor = b.newRedactor(head)
		}
		l.redactor.learnHome(head) // when the main transcript says nothing
		return l.redactor
	}
}

// transcript is transcript i of a session.
func (b *builder) transcript(l *load, i int) (*transcript.File, error) {
	if l.cached != nil {
		return &l.transcripts[i].file, nil
	}
	read, n, err := b.readTranscript(l.files[i], b.redactorOf(l, i))
	b.bytesRead.Add(n)
	return read, err
}
