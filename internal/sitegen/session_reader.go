package sitegen

import (
	"errors"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A sessionReader reads the files of one session and builds its conversation.
type sessionReader struct {
	*reader
	session     *session
	project     *project
	files       []file               // see session.files
	contents    []fingerprint.Digest // digests of files
	unchanged   bool                 // all files are as the last build left them, so that rememberFiles has noted them
	redactor    *redaction.Redactor  // nil until the main transcript is read
	cached      *cachedSession       // nil when the session is read from the start
	transcripts []transcriptRead     // of a cached session
	resumed     bool                 // cached is from an earlier build
	sideChanged bool                 // a file next to the session has changed since
	restarts    int                  // see MaxRestarts
	places      *mainPlaces          // of the main transcript, nil if they are not stored

	unread     []transcript.Problem // for the files next to the session that cannot be read
	exhausted  error                // see failure.Exhausted
	incomplete bool                 // the system refused to read a file, which may work in the next build
}

// A transcriptRead is a transcript and the digest of its bytes.
type transcriptRead struct {
	file       transcript.File
	content    fingerprint.Digest
	unfinished bool // the last line is incomplete and left out
}

// A stamped is a file and the digest of its content.
type stamped struct {
	file
	content fingerprint.Digest
}

// stamps returns the files for the next state.
func (r *sessionReader) stamps() []stamped {
	all := make([]stamped, len(r.files))
	for i, f := range r.files {
		if i < len(r.transcripts) && r.transcripts[i].unfinished {
			f.Stamp.Mod = -1 // to be read again
		}
		all[i] = stamped{f, r.contents[i]}
	}
	return all
}

// A line may be incomplete for tornAge before it counts as cut off. The clock that wrote the time of a file may be
// ahead by clockSkew. A file of a later time counts as old: that time may never come.
const (
	tornAge   = time.Second
	clockSkew = time.Minute
)

// errReread means that a session has to be read from the start: a transcript was rewritten, is not JSONL, or ends in
// a line that was cut off or lacks only its end.
var errReread = errors.New("the session has to be read from the start")

// resume reads what was appended to the transcripts of a cached session. They are redacted in order: if one reveals a
// new secret, the later ones have to be redacted again.
func (r *sessionReader) resume() error {
	r.cached = r.cache.checkOut(r.session.main.id)
	if len(r.cached.transcripts) > 0 && r.cached.given != r.session.given { // which was redacted with it
		return errReread
	}
	r.cached.given = r.session.given
	r.resumed, r.redactor = len(r.cached.transcripts) > 0, r.cached.redactor
	return r.readAppended()
}

// readAppended reads what was appended to the transcripts of a cached session.
func (r *sessionReader) readAppended() error {
	r.transcripts = make([]transcriptRead, 1+len(r.session.agents))
	waiting := int64(0)
	for i := range r.transcripts {
		f := r.files[i]
		t := r.cached.transcripts[f.id]
		if t == nil {
			t = r.newTranscriptLoader(f)
		} else if _, same := r.old.Unchanged(f.id, f.Stamp); !same && t.size == f.Size {
			if content, err := f.content(); err != nil || content != t.content() { // it was rewritten
				return errReread
			}
		}
		n, err := t.load(f, r.redactorOf(i))
		if errors.Is(err, errRewritten) || errors.Is(err, transcript.ErrNoLines) || err != nil && i > 0 {
			return errReread
		}
		if err != nil {
			return err
		}
		r.bytesRead.Add(n)
		read := transcriptRead{file: t.reader.File(), content: t.content(), unfinished: t.reader.Unfinished()}
		if read.unfinished { // drawn without its last line, unlike later for the same bytes
			age := r.start.Sub(time.Unix(0, f.Mod))
			if age > tornAge || age < -clockSkew || t.reader.LacksOnlyEnd() {
				return errReread
			}
			read.content = fingerprint.Of(append(read.content[:], "unfinished"...))
			waiting++
		}
		r.cached.transcripts[f.id] = t
		r.transcripts[i], r.contents[i] = read, read.content
	}
	r.cached.redactor = r.redactor
	unsure := !r.builtBefore || r.session == r.prefetched // the session may not be in use at the moment
	if r.redactionStale() || waiting > 0 && unsure {
		return errReread
	}
	r.unfinished.Add(waiting)
	return nil
}

// redactionStale reports whether files were redacted without a secret that was revealed since.
func (r *sessionReader) redactionStale() bool {
	return r.resumed && len(r.files) > 1 && (r.sideChanged || r.cached.known != r.redactor.Known())
}

// restartRedaction starts again with the files of a session when one of them revealed a secret that earlier ones
// contain. It reports whether it did.
func (r *sessionReader) restartRedaction() (bool, error) {
	next := r.redactor.Restarted()
	if next == nil || r.restarts >= redaction.MaxRestarts ||
		r.cached == nil && r.confirmed(r.redactor, r.files[0]) {
		return false, nil
	}
	r.restarts++
	r.redactor = next
	if r.cached == nil {
		return true, nil
	}
	r.cached, r.resumed, r.sideChanged = newCachedSession(), false, false
	r.cached.given = r.session.given
	return true, r.readAppended()
}

// redactorOf returns the redactor of a session for transcript i. The first transcript creates it, unless an earlier
// pass did.
func (r *sessionReader) redactorOf(i int) redactorOf {
	return func(head []byte, by sources.Source) *redaction.Redactor {
		if i == 0 && r.redactor == nil {
			r.redactor = r.newRedactor()
		}
		r.redactor.LearnFolder(r.session.given)
		r.redactor.LearnHome(head, by) // of an agent, in case the main transcript names no folder
		return r.redactor
	}
}

// transcript returns transcript i of a session.
func (r *sessionReader) transcript(i int) (*transcript.File, error) {
	if r.cached != nil {
		return &r.transcripts[i].file, nil
	}
	if i == 0 && r.redactor == nil && r.session.family != nil {
		if kept, ok := r.session.family.take(r.session, r.reader); ok {
			r.redactor, r.restarts = kept.redactor, kept.restarts
			r.bytesRead.Add(kept.size)
			return kept.file, nil
		}
	}
	t := r.newTranscriptLoader(r.files[i])
	if i == 0 && r.redactor == nil && r.places != nil {
		t.places, t.mark = r.places, r.places.size
	}
	read, n, err := t.readAll(r.Options, r.files[i], r.redactorOf(i))
	r.bytesRead.Add(n)
	if t.places.rewritten(&t.prefix) {
		r.places.known, r.redactor = nil, nil
		return r.transcript(i)
	}
	return read, err
}
