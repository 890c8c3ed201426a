package sitegen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// MarshalText makes a digest a string in JSON.
func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads it back.
func (d *digest) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(d) {
		return fmt.Errorf("a digest of %d characters", len(text))
	}
	_, err := hex.Decode(d[:], text)
	return err
}

const stateMagic = "viewer state 2\n"

var errState = errors.New("it is damaged")

// readState reads what the last build left: the small file at once, the large
// one when there is something to build (state.open).
func readState(o *output, base digest) *state {
	s := newState(base)
	data, err := o.root.ReadFile(filesName)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.why = "cannot read the state of the last build: " + cause(err).Error()
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

// write leaves the state for the next build. A build that is killed between the
// two files leaves a small one that is older, and knows less.
func (s *state) write(o *output) error {
	data, err := s.encodeSessions()
	if err != nil {
		return fmt.Errorf("writing %s: %w", sessionsName, err)
	}
	if err := o.keepState(sessionsName, data); err != nil {
		return err
	}
	return o.keepState(filesName, s.encodeFiles())
}

// encodeFiles writes the small file: numbers of fixed size, and names behind
// their length.
func (s *state) encodeFiles() []byte {
	b := []byte(stateMagic)
	b = append(b, s.base[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s.report)))
	b = append(b, s.report...)
	ids := make([]digest, 0, len(s.files))
	for id := range s.files {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	b = binary.LittleEndian.AppendUint32(b, uint32(len(ids)))
	for _, id := range ids {
		k := s.files[id]
		b = append(append(b, id[:]...), k.content[:]...)
		for _, n := range []uint64{uint64(k.Size), uint64(k.Mod), uint64(k.Changed), k.Inode} {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
	}
	names := make([]string, 0, len(s.outputs))
	for name := range s.outputs {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(names)))
	for _, name := range names {
		k := s.outputs[name]
		b = binary.LittleEndian.AppendUint64(b, uint64(k.Size))
		b = binary.LittleEndian.AppendUint64(b, uint64(k.Mod))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		b = append(b, name...)
	}
	sum := digestOf(b)
	return append(b, sum[:]...)
}

// decodeFiles reads the small file.
func decodeFiles(data []byte) (*state, error) {
	s := newState(digest{})
	body, ok := bytes.CutPrefix(data, []byte(stateMagic))
	if !ok || len(body) < len(digest{}) {
		return nil, errState
	}
	end := len(data) - len(digest{})
	if digestOf(data[:end]) != digest(data[end:]) {
		return nil, errState
	}
	r := fields{rest: body[:len(body)-len(digest{})]}
	s.base = r.digest()
	s.report = bytes.Clone(r.take(r.uint32()))
	for range r.uint32() {
		id, content := r.digest(), r.digest()
		s.files[id] = knownFile{stamp{int64(r.uint64()), int64(r.uint64()), int64(r.uint64()), r.uint64()}, content}
	}
	for range r.uint32() {
		k := knownOutput{int64(r.uint64()), int64(r.uint64())}
		s.outputs[string(r.take(r.uint32()))] = k
	}
	if r.short || len(r.rest) > 0 {
		return nil, errState
	}
	return s, nil
}

// fields reads values one after the other; at the end of the data it gives
// zeros and says so.
type fields struct {
	rest  []byte
	short bool
}

func (f *fields) take(n uint32) []byte {
	if f.short || uint64(n) > uint64(len(f.rest)) {
		f.short, f.rest = true, nil
		return make([]byte, min(n, 16))
	}
	taken := f.rest[:n]
	f.rest = f.rest[n:]
	return taken
}

func (f *fields) uint32() uint32 {
	n := binary.LittleEndian.Uint32(f.take(4))
	if f.short {
		return 0
	}
	return n
}
func (f *fields) uint64() uint64 { return binary.LittleEndian.Uint64(f.take(8)) }
func (f *fields) digest() digest { return digest(f.take(16)) }
