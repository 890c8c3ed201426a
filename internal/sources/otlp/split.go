package otlp

import (
	"cmp"
	"hash"
	"hash/fnv"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
)

// most limits how many bytes of a file are read to find its conversations.
const most = 256 << 20

// Split finds the conversations of a file. A span belongs to the one that it names, or else to the first that a span of
// its trace names.
func (s Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	head := sources.ReadHead(io.NewSectionReader(data, 0, size)) // an error is reported when the file is read
	if !s.Match(sources.NewHead(head)) || size > most {
		return nil, nil
	}
	text, err := io.ReadAll(io.NewSectionReader(data, 0, size))
	if err != nil {
		return nil, err
	}
	var all []span
	of := make(map[string]string) // conversations, by trace
	var broken []piece            // values without spans, which become part of the first conversation
	for pos, v := range values(text) {
		found := spansIn(pos, v)
		if len(found) == 0 {
			broken = append(broken, piece{pos.Offset, len(v)})
		}
		for i := range found {
			if of[found[i].trace] == "" {
				of[found[i].trace] = found[i].conversation
			}
		}
		all = append(all, found...)
	}
	var found []*conversation
	byName := make(map[string]*conversation)
	for i := range all {
		s := &all[i]
		name := cmp.Or(s.conversation, of[s.trace])
		c := byName[name]
		if c == nil {
			c = &conversation{data: data, name: name, sum: fnv.New64a()}
			byName[name], found = c, append(found, c)
		}
		c.add(piece{s.resourceAt, len(s.resource)}, s.resource)
		c.add(piece{s.pos.Offset, len(s.value)}, s.value)
	}
	if len(found) < 2 {
		return nil, nil
	}
	found[0].broken = broken
	for _, p := range broken {
		_, _ = found[0].sum.Write(text[p.at:][:p.n])
	}
	var parts []sources.Part
	for _, c := range found {
		parts = append(parts, sources.Part{Name: c.name, Size: c.size, Version: max(1, c.sum.Sum64()), Read: c.read})
	}
	return parts, nil
}

// A piece is a part of a file.
type piece struct {
	at int64
	n  int
}

// A conversation is where a file has the spans of a conversation.
type conversation struct {
	data   io.ReaderAt
	name   string
	pieces []piece // of each span, its resource and itself
	broken []piece
	size   int64
	sum    hash.Hash64
}

func (c *conversation) add(p piece, text []byte) {
	c.pieces, c.size = append(c.pieces, p), c.size+int64(p.n)
	_, _ = c.sum.Write(text)
}

// read returns a line for each span.
func (c *conversation) read() ([]byte, error) {
	var text []byte
	for pair := range slices.Chunk(c.pieces, 2) {
		resource, err := pair[0].read(c.data)
		if err != nil {
			return nil, err
		}
		span, err := pair[1].read(c.data)
		if err != nil {
			return nil, err
		}
		scopes := sources.MakeList(sources.Make("spans", sources.MakeList(span)))
		traces := sources.MakeList(sources.Make("resource", resource, "scopeSpans", scopes))
		line := sources.Make("resourceSpans", traces)
		_ = line.Compact() // the span may have several lines
		text = append(append(text, line...), '\n')
	}
	for _, p := range c.broken {
		v, err := p.read(c.data)
		if err != nil {
			return nil, err
		}
		text = append(append(text, v...), '\n')
	}
	return text, nil
}

func (p piece) read(data io.ReaderAt) (jsontext.Value, error) {
	v := make(jsontext.Value, p.n)
	_, err := io.ReadFull(io.NewSectionReader(data, p.at, int64(p.n)), v)
	return v, err
}
