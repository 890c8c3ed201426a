package sitegen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"viewer/internal/codec"
	"viewer/internal/sitegen/output"
)

const stateMagic = "viewer state 5\n"

var (
	errState      = errors.New("it is damaged")
	errOtherState = errors.New("another version of the viewer left it")
)

// readState reads what the last build left: the small file at once, the large
// one when there is something to build (state.open).
func readState(o *output.Writer, base digest) *state {
	s := newState(base)
	data, err := readStateFile(o, filesName, stateMagic)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.why = "cannot use the state of the last build: " + Cause(err).Error()
		}
		return s
	}
	old, err := decodeFiles(data)
	if err != nil {
		s.why = "cannot use the state of the last build: " + err.Error()
		return s
	}
	s.outputs = old.outputs // to be removed when they are made no more, whoever made them
	if old.base != base {
		return s
	}
	s.files, s.report = old.files, old.report
	return s
}

// readState reads a file of the state: what stands between its first line and the
// sum of all before it. It is a string, so that what is kept of it shares its memory.
func readStateFile(o *output.Writer, name, magic string) (string, error) {
	f, err := o.OpenFile(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	end := info.Size() - int64(len(digest{}))
	if end < int64(len(magic)) {
		return "", errState
	}
	var b strings.Builder
	b.Grow(int(end))
	if _, err := io.CopyBuffer(&b, struct{ io.Reader }{io.LimitReader(f, end)}, make([]byte, 32<<10)); err != nil {
		return "", err
	}
	sum, err := io.ReadAll(f)
	if err != nil {
		return "", err
	}
	data := b.String()
	if numbered := magic[:strings.LastIndexByte(magic, ' ')+1]; strings.HasPrefix(data, numbered) && !strings.HasPrefix(data, magic) {
		return "", errOtherState
	}
	if want := summed(xxhash.Sum64String(data)); !strings.HasPrefix(data, magic) || !bytes.Equal(want[:], sum) {
		return "", errState
	}
	return data[len(magic):], nil
}

// write leaves the state for the next build. A build that is killed between the
// two files leaves a small one that is older, and knows less.
func (s *state) write(o *output.Writer) error {
	return placeState(o, map[string]func(*recorder){sessionsName: s.encodeSessions, filesName: s.encodeFiles})
}

// writeFiles is write for a state that is there, but for what it says of files.
func (s *state) writeFiles(o *output.Writer) error {
	return placeState(o, map[string]func(*recorder){filesName: s.encodeFiles})
}

// placeState writes files of the state at the same time, and puts them in place one after
// the other.
func placeState(o *output.Writer, encoders map[string]func(*recorder)) error {
	var group errgroup.Group
	for name, encode := range encoders {
		group.Go(func() error { return writeStateFile(o, name, encode) })
	}
	err := group.Wait()
	for _, name := range []string{sessionsName, filesName} {
		switch {
		case encoders[name] == nil:
		case err == nil:
			err = o.Commit(name)
		default:
			o.Discard(name)
		}
	}
	return err
}

// writeState writes a file of the state beside its place, with the sum of all behind it: it tells what
// was torn or flipped from what was written.
func writeStateFile(o *output.Writer, name string, encode func(*recorder)) error {
	return o.WriteTemp(name, func(w io.Writer) error {
		r := &recorder{Encoder: make(codec.Encoder, 0, 72<<10), to: w, sum: xxhash.New()}
		encode(r)
		r.flush()
		if r.err == nil {
			sum := summed(r.sum.Sum64())
			_, r.err = w.Write(sum[:])
		}
		return r.err
	})
}

// A recorder writes a record that is longer than anybody wants to hold.
type recorder struct {
	codec.Encoder
	to  io.Writer
	sum *xxhash.Digest
	err error
}

// next is called between values.
func (r *recorder) next() {
	if len(r.Encoder) > 64<<10 {
		r.flush()
	}
}

func (r *recorder) flush() {
	r.sum.Write(r.Encoder)
	if r.err == nil {
		_, r.err = r.to.Write(r.Encoder)
	}
	r.Encoder = r.Encoder[:0]
}

// encodeFiles writes the small file, in any order: the times of files are in it, which
// are others with each build.
func (s *state) encodeFiles(r *recorder) {
	r.Encoder = append(r.Encoder, stateMagic...)
	r.Digest(s.base)
	r.Text(s.report)
	r.Int(int64(len(s.files)))
	for id, k := range s.files {
		r.Digest(id)
		r.Digest(k.content)
		r.Int(k.Size, k.Mod, k.Changed, int64(k.Inode))
		r.next()
	}
	r.Int(int64(len(s.outputs.Files)))
	for i := range s.outputs.Files {
		k := &s.outputs.Files[i]
		r.Text(k.Name)
		r.Int(k.Size, k.Mod)
		r.next()
	}
}

// decodeFiles reads it.
func decodeFiles(data string) (*state, error) {
	s := newState(digest{})
	f := codec.Decoder{Rest: data}
	s.base = f.Digest()
	s.report = f.Text()
	n := f.Count()
	s.files = make(map[digest]knownFile, n)
	for range n {
		id, content := f.Digest(), f.Digest()
		s.files[id] = knownFile{stamp{Size: f.Int(), Mod: f.Int(), Changed: f.Int(), Inode: uint64(f.Int())}, content}
	}
	n = f.Count()
	s.outputs.Files = make([]output.File, n)
	for i := range s.outputs.Files {
		s.outputs.Files[i] = output.File{Name: f.Text(), Size: f.Int(), Mod: f.Int()}
	}
	if f.Short || len(f.Rest) > 0 {
		return nil, errState
	}
	return s, nil
}
