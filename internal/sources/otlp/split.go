package otlp

import (
	"cmp"
	"hash/fnv"
	"io"

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
	var broken []byte             // lines without spans, which become part of the first conversation
	for pos, v := range lines(text) {
		found := spansIn(pos, v)
		if len(found) == 0 {
			broken = append(append(broken, v...), '\n')
		}
		for i := range found {
			if of[found[i].trace] == "" {
				of[found[i].trace] = found[i].conversation()
			}
		}
		all = append(all, found...)
	}
	var names []string
	texts := make(map[string][]byte)
	for i := range all {
		name := cmp.Or(all[i].conversation(), of[all[i].trace])
		if texts[name] == nil {
			names = append(names, name)
		}
		texts[name] = all[i].appendTrace(texts[name])
	}
	if len(names) < 2 {
		return nil, nil
	}
	texts[names[0]] = append(texts[names[0]], broken...)
	var parts []sources.Part
	for _, name := range names {
		sum := fnv.New64a()
		_, _ = sum.Write(texts[name])
		parts = append(parts, sources.Part{
			Name: name, Size: int64(len(texts[name])), Version: max(1, sum.Sum64()),
			Read: func() ([]byte, error) { return texts[name], nil },
		})
	}
	return parts, nil
}

// conversation returns the id of the conversation that a span names, or "".
func (s *span) conversation() string {
	var o sources.Object
	o.Read(s.value)
	return attributesOf(&o).conversation()
}

// appendTrace appends a line with only this span.
func (s *span) appendTrace(b []byte) []byte {
	spans := append(append(jsontext.Value{'['}, s.value...), ']')
	scope := append(append(jsontext.Value{'['}, sources.Make("spans", spans)...), ']')
	resource := append(append(jsontext.Value{'['}, sources.Make("resource", s.resource, "scopeSpans", scope)...), ']')
	line := sources.Make("resourceSpans", resource)
	_ = line.Compact() // a line of it, even if the file is a document
	return append(append(b, line...), '\n')
}
