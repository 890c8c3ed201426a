package sitegen

import (
	"bytes"
	"errors"
	"io"

	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A transcriptLoader reads a transcript in pieces, and later what was appended to it. Redaction copies nearly every
// record, because most name a home folder. So records own their memory, and the read buffer is reused.
type transcriptLoader struct {
	prefix
	names  Names              // how the file is named in problems
	whole  bool               // see Options.Originals
	reader *transcript.Reader // nil before the first load
	places *mainPlaces        // where redaction found something, nil if that is not noted
	by     sources.Source     // the writer, by the beginning of the file
	sure   bool               // no more of the file changes by
}

func (o Options) newTranscriptLoader(f file) *transcriptLoader {
	return &transcriptLoader{prefix: newPrefix(f), names: o.Names, whole: o.Originals}
}

// A redactorOf returns the redactor for a file of a writer with that beginning.
type redactorOf func(head []byte, by sources.Source) *redaction.Redactor

// load reads what follows the prefix and returns its length in bytes. The error is errRewritten if the file does not
// begin with the prefix, and transcript.ErrNoLines if it is not JSONL; then nothing was read.
func (t *transcriptLoader) load(f file, redactorOf redactorOf) (n int64, err error) {
	if t.reader != nil && !t.sameWriter(f) {
		return 0, errRewritten
	}
	open, err := t.open(f)
	if err != nil {
		return 0, err
	}
	defer open.Close()
	from := io.Reader(open)
	if t.reader == nil {
		buffer := fileBuffers.Get().(*[]byte)
		defer fileBuffers.Put(buffer)
		*buffer = grown((*buffer)[:0], redaction.HeadSize)
		n, err := io.ReadFull(open, (*buffer)[:redaction.HeadSize])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return 0, f.failed(err)
		}
		head := (*buffer)[:n]
		by := f.source.SourceList().Of(head)
		c := redactorOf(head, by)
		if sources.IsWhole(by) {
			return 0, transcript.ErrNoLines
		}
		t.places.note(c, f, head, by)
		t.by, t.sure = by, sources.IsWholeHead(head)
		options := sources.OptionsOf(by, c.Options())
		options.Originals = t.whole
		t.reader = options.NewReader(t.names.nameOf(c, f))
		from = io.MultiReader(bytes.NewReader(head), open)
	}
	n, err = t.reader.ReadRest(from, f.Size)
	if t.damage = decode.DamageOf(open.File); t.damage != nil && err == nil {
		t.reader.EndEarly(t.damage)
	}
	if err != nil && !errors.Is(err, transcript.ErrNoLines) {
		err = f.failed(err)
	}
	return n, err
}

// sameWriter reports whether the beginning of a file that grew still names the same writer.
func (t *transcriptLoader) sameWriter(f file) bool {
	if t.sure {
		return true
	}
	by, sure := f.writer()
	t.sure = sure
	return by == t.by
}

// readTranscript reads a whole transcript and returns its length in bytes.
func (o Options) readTranscript(f file, redactorOf redactorOf) (*transcript.File, int64, error) {
	return o.newTranscriptLoader(f).readAll(o, f, redactorOf)
}

func (t *transcriptLoader) readAll(o Options, f file, redactorOf redactorOf) (*transcript.File, int64, error) {
	var c *redaction.Redactor
	n, err := t.load(f, func(head []byte, by sources.Source) *redaction.Redactor {
		c = redactorOf(head, by)
		return c
	})
	t.places.end(c, &t.prefix)
	switch {
	case errors.Is(err, transcript.ErrNoLines):
		data, release, err := f.borrow()
		if err != nil {
			return nil, 0, err
		}
		defer release()
		options := c.Options()
		options.Own, options.Originals = true, o.Originals
		read := f.source.SourceList().Read(o.Names.nameOf(c, f), data, options)
		return &read, int64(len(data)), nil
	case err != nil:
		return nil, n, err
	}
	read := t.reader.Finish()
	return &read, n, nil
}
