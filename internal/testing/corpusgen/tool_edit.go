package corpusgen

import "bytes"

// A patch is a change of some lines.
type patch struct {
	old, new               []byte
	lines                  [][]byte // each with " ", "-" or "+" before it
	at, oldLines, newLines int
}

func (s *session) patch(language string, size int) patch {
	p := patch{at: 1 + s.rng.IntN(600)}
	line := func(mark byte, text []byte) { p.lines = append(p.lines, append([]byte{mark}, text...)) }
	var removed, added [][]byte
	flush := func() {
		for _, text := range removed {
			line('-', text)
		}
		for _, text := range added {
			line('+', text)
		}
		removed, added = nil, nil
	}
	all := bytes.Split(cut(s.rng, s.texts.code[language], size), []byte{'\n'})
	other := bytes.Split(cut(s.rng, s.texts.code[language], size), []byte{'\n'})
	for i, text := range all {
		p.old = append(append(p.old, text...), '\n')
		p.oldLines++
		at := s.rng.IntN(100)
		if at < 45 && i > 0 {
			flush()
			line(' ', text)
			p.new = append(append(p.new, text...), '\n')
			p.newLines++
			continue
		}
		removed = append(removed, text)
		if at < 90 || i == 0 {
			for range 1 + s.rng.IntN(3) {
				fresh := pick(s.rng, other)
				added = append(added, fresh)
				p.new = append(append(p.new, fresh...), '\n')
				p.newLines++
			}
		}
	}
	flush()
	return p
}

func (p patch) json() []byte {
	out := appendf(nil, `[{"oldStart":%d,"oldLines":%d,"newStart":%d,"newLines":%d,"lines":[`, p.at, p.oldLines,
		p.at, p.newLines)
	for i, line := range p.lines {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, line)
	}
	return append(out, "]}]"...)
}

// original returns the file before a change, which half of the results contain.
func (s *session) original(language string) []byte {
	if s.rng.IntN(100) < 35 {
		return []byte("null")
	}
	return appendQuoted(nil, cut(s.rng, s.texts.code[language], originalSizes.pick(s.rng)))
}

func edit(s *session) func() {
	language := s.language()
	file := s.file(language)
	p := s.patch(language, oldSizes.pick(s.rng))
	c := s.call("Edit", `{"file_path":%q,"old_string":%q,"new_string":%q,"replace_all":false}`, file, p.old, p.new)
	return func() {
		if s.rng.IntN(100) < 7 {
			s.fail(c, "String to replace not found in file.\nString: "+string(p.old))
			return
		}
		content := appendf(nil, "The file %s has been updated successfully.", file)
		if s.v < 201017 {
			content = appendf(nil,
				"The file %s has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n%s", file, s.numbered(p.new, p.at))
		}
		s.done(c, result{content: content,
			structured: appendf(nil, `{"filePath":%q,"oldString":%q,"newString":%q,"originalFile":%s,"structuredPatch":%s,"userModified":false,"replaceAll":false}`,
				file, p.old, p.new, s.original(language), p.json())})
	}
}

func multiEdit(s *session) func() {
	language := s.language()
	file := s.file(language)
	edits := []byte("[")
	var p patch
	for i := range 2 + s.rng.IntN(4) {
		if i > 0 {
			edits = append(edits, ',')
		}
		p = s.patch(language, oldSizes.pick(s.rng))
		edits = appendf(edits, `{"old_string":%q,"new_string":%q}`, p.old, p.new)
	}
	edits = append(edits, ']')
	c := s.call("MultiEdit", `{"file_path":%q,"edits":%s}`, file, edits)
	return func() {
		s.done(c, result{content: appendf(nil, "Applied edits to %s", file),
			structured: appendf(nil, `{"filePath":%q,"edits":%s,"originalFileContents":%s,"structuredPatch":%s,"userModified":false}`,
				file, edits, s.original(language), p.json())})
	}
}

func write(s *session) func() {
	language := s.language()
	file := s.file(language)
	source := cut(s.rng, s.texts.code[language], writtenSizes.pick(s.rng))
	c := s.call("Write", `{"file_path":%q,"content":%q}`, file, source)
	return func() {
		s.done(c, result{content: appendf(nil, "File created successfully at: %s", file),
			structured: appendf(nil, `{"type":"create","filePath":%q,"content":%q,"structuredPatch":[],"originalFile":null}`, file, source)})
	}
}
