package state

import (
	"io"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A Part is the result of a shard for the merge: an entry for each of its sessions.
type Part struct {
	Plan    fingerprint.Digest // see Plan.Digest
	Shard   int
	Read    int64 // bytes of sources that were read
	Entries []Entry
}

// An Entry is the result of a shard for one session.
type Entry struct {
	At      int                // index in Plan.Sessions
	ID      fingerprint.Digest // of its main file
	Session *Session
	Kept    bool // the session is in the state; one whose file could not be read is not
	Files   []SourceFile
	Outputs []output.File
	Bytes   int64 // of its files
	Drawn   int   // number of pages drawn
	Reused  bool
}

// A SourceFile is a file of a source as it was read.
type SourceFile struct {
	ID fingerprint.Digest
	File
}

const partMagic = "viewer part 2\n"

// WritePart writes a part, as a whole or not at all.
func WritePart(o *output.Writer, name string, p *Part) error {
	_, _, err := writeFile(o, name, func(w *stream) error {
		w.Encoder = append(w.Encoder, partMagic...)
		w.Digest(p.Plan)
		w.Int(int64(p.Shard), p.Read, int64(len(p.Entries)))
		for i := range p.Entries {
			encodeEntry(&w.Encoder, &p.Entries[i])
			w.flushFull()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.Commit(name)
}

// WriteEntry writes the result for a session as soon as it is drawn, so that a killed shard need not draw it again. It
// is a single write, so that entries do not mix.
func WriteEntry(w io.Writer, k *Entry) error {
	var body codec.Encoder
	encodeEntry(&body, k)
	var framed codec.Encoder
	framed.Text(string(body))
	framed.Digest(fingerprint.FromXXH64(xxhash.Sum64(body)))
	_, err := w.Write(framed)
	return err
}

// ReadEntries reads the entries up to the first incomplete one. They share no memory with data.
func ReadEntries(data []byte) []Entry {
	var all []Entry
	f := codec.Decoder{Rest: string(data)}
	for f.Rest != "" {
		body, sum := f.Text(), f.Digest()
		if f.Short || sum != fingerprint.FromXXH64(xxhash.Sum64String(body)) {
			break
		}
		one := codec.Decoder{Rest: strings.Clone(body)}
		var k Entry
		if decodeEntry(&one, &k); one.Short || one.Rest != "" {
			break
		}
		all = append(all, k)
	}
	return all
}

func encodeEntry(w *codec.Encoder, k *Entry) {
	w.Int(int64(k.At), k.Bytes, int64(k.Drawn))
	w.Digest(k.ID)
	w.Bool(k.Kept)
	w.Bool(k.Reused)
	encodeSession(w, k.Session)
	w.Int(int64(len(k.Files)))
	for _, f := range k.Files {
		w.Digest(f.ID)
		EncodeFile(w, f.File)
	}
	w.Int(int64(len(k.Outputs)))
	for i := range k.Outputs {
		encodeOutput(w, &k.Outputs[i])
	}
}

// decodeEntry also returns the encoded session.
func decodeEntry(f *codec.Decoder, k *Entry) (session string) {
	k.At, k.Bytes, k.Drawn = int(f.Int()), f.Int(), int(f.Int())
	k.ID, k.Kept, k.Reused = f.Digest(), f.Bool(), f.Bool()
	k.Session = new(Session)
	session = f.Rest
	decodeSession(f, k.Session)
	session = session[:len(session)-len(f.Rest)]
	k.Files = make([]SourceFile, f.Count())
	for i := range k.Files {
		k.Files[i] = SourceFile{f.Digest(), DecodeFile(f)}
	}
	k.Outputs = make([]output.File, f.Count())
	for i := range k.Outputs {
		k.Outputs[i] = decodeOutput(f)
	}
	return session
}
