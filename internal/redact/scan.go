package redact

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
)

// A scan finds the edits of one text. A session uses the same scan, and its memory, for all texts.
type scan struct {
	*Session
	context
	text  []byte
	edits []edit

	progress

	removed []removedSequence // control sequences that were removed from the text
	blank   []byte            // the memory of flat
	folded  folded            // the text in the form in which literals are compared, and its memory
	openAny bool              // everything up to the last line of openBlock is replaced, see keyBlock.wholeText
}

// progress is what detectors know of one text so far. They use it so that no part of the text is read repeatedly.
type progress struct {
	secrets  int      // number of secrets found
	full     int      // offset from which on everything is replaced
	spent    int      // number of bytes that expressions were matched against
	windows  []window // parts of the text that they were matched against
	tried    *rule    // the last rule whose shape matched
	triedEnd int      // the end of that match
	nameFits bool     // the last name has a value
	nameEnd  int      // end of the last name that was examined
	run      [2]int   // the last run of a value
	inRun    int      // number of values examined in it
	shownEnd int      // end of the last lines of a file that were shown
	// end of the last object with a mark
	markedEnd int
	// end of the last output of a command that was examined with it
	printedEnd int
	// 1 if the text is a command that prints files, -1 if it is not, 0 if unknown
	printsFiles    int
	pastedEnd      int         // end of the last lines that were examined around a secret
	unclosed       unclosed    // the last quote that does not close
	table          table       // the last table
	atSignEnd      int         // the last @
	commandEnd     int         // of the last document of Kubernetes
	commands       []readRange // how far the command lines of programs were read
	commandBytes   int         // number of bytes of these command lines
	blockEnd       int         // end of the last key block
	openBlock      *keyBlock   // a key block that is open at the end of the text
	blockStop      int         // place of the last line of the key block that was searched last, -1 for none
	hasColorEscape bool        // the text has escaped control sequences
	hasWritten     bool        // the text has characters that are written out
	writtenLines   int         // number of backslashes in a written line end, 0 if lines need not be read
	nameClass      class       // class of the text as a name
	reads          fileKind    // kind of the secret file that the text names
}

// context is the place of a text in a record.
type context struct {
	name        []byte        // of the member whose value it is, or has it as an element
	member      memberKind    // what that name implies
	isName      bool          // the text is the name of a member
	class       class         // class of the name, or of the member "name" beside it
	file        fileKind      // kind of the secret file that it may be the content of
	hasAtSign   bool          // it may contain an @
	nextElement func() []byte // the next element of the array that it is in, nil at the end
}

// An edit replaces a part of the text.
type edit struct {
	start, end int
	rule       *rule
	key        string // identity of the secret for numbering, "" for the replaced text
	kind       editKind
	encoded    *encoded // that is encoded again
}

// editKind is the kind of replacement.
type editKind uint8

const (
	numbered  editKind = iota // [label 1]
	tilde                     // ~
	removed                   // the rest of a secret that was numbered on a line before
	unsigned                  // see Unsigned
	reencoded                 // the text with its own edits, encoded again
)

// findEdits returns the edits of a text, in order and without overlaps. The slice is valid until the next call.
func (s *scan) findEdits(text []byte, c context) []edit {
	if !c.isName && c.class == noClass {
		if e, ok := s.encoded(text, c); ok {
			s.nameClass, s.reads, s.openBlock = noClass, noFile, nil
			return []edit{e}
		}
	}
	return s.findInText(text, c)
}

func (s *scan) findInText(text []byte, c context) []edit {
	plain := s.withoutEscapes(text)
	edits := s.findInPlain(plain, c)
	hasWritten := s.hasWritten
	if s.hasColorEscape && len(s.removed) == 0 {
		plain = s.withoutSequences(text, '\\', writtenSequence)
		edits = s.findInPlain(plain, c)
	}
	if len(s.removed) > 0 {
		s.restoreOffsets(edits)
		return edits
	}
	if s.writtenLines > 0 {
		edits = s.findAgain(text, s.withLines(text, s.writtenLines), c, edits)
	}
	if hasWritten {
		edits = s.findAgain(text, s.withCharacters(text), c, edits)
	}
	return edits
}

func (s *scan) findInPlain(text []byte, c context) []edit {
	s.context, s.text, s.edits = c, text, s.edits[:0]
	windows, commands := s.windows[:0], s.commands[:0]
	s.progress = progress{}
	s.full, s.blockStop, s.windows, s.commands = len(text), -1, windows, commands
	look := text
	if c.class == noClass && !c.isName && c.member&dataMember != 0 && isBlob(text) {
		look = text[:min(len(text), blobPrefix)]
	}
	s.words.find.Each(look, s.detect)
	for i := 0; c.hasAtSign && i < len(text); i++ {
		n := bytes.IndexByte(text[i:], '@')
		if n < 0 {
			break
		}
		i += n
		atSign(s, i)
	}
	for i, p := range s.redactor.patterns {
		for _, m := range p.Expr.FindAllIndex(text, -1) {
			s.replace(m[0], m[1], s.redactor.rules[i])
		}
	}
	if s.redactor.literals != nil {
		s.literals(look)
	}
	if c.class != noClass && !c.isName {
		s.member()
	}
	if c.file != noFile {
		s.noteWrittenLines(0)
		s.fileLines(c.file, 0, len(text))
		if c.file&valueOutput != 0 && c.member&outputMember != 0 {
			s.printedValues(0, len(text))
		}
	}
	if len(s.edits) == 0 {
		return nil
	}
	if c.class == noClass && isBlob(text) {
		s.edits = slices.DeleteFunc(s.edits, func(e edit) bool { return e.start > 0 }) // words in pictures, by chance
	}
	return s.mergedEdits()
}

// detect runs the detector of a word that the finder found.
func (s *scan) detect(index, at int) {
	t := s.words.target(index)
	if t.exact {
		if at+len(t.word) > len(s.text) || string(s.text[at:at+len(t.word)]) != t.word {
			return
		}
	} else if !hasFoldAt(s.text, at, t.word) {
		return
	}
	t.detector(s, t, at)
}

// replace adds an edit for a part of the text, unless the user allows it or it has been replaced before.
func (s *scan) replace(start, end int, r *rule) {
	if start >= end {
		return
	}
	secret := s.text[start:end]
	if start >= s.full || isMarker(secret) || s.allowed(secret) {
		return
	}
	e := edit{start: start, end: end, rule: r}
	if r.confidence > Personal { // a list of people may be long
		s.secrets++
	}
	if s.secrets > maxSecrets && s.full == len(s.text) {
		s.full = start
		e = edit{start: start, end: len(s.text), rule: manyRule, key: manyRule.id}
	}
	s.edits = append(s.edits, e)
}

// maxSecrets limits the secrets of one text that are replaced separately: ordinary texts have fewer, and the record of
// each takes more memory than the secret. The rest of the text is replaced as a whole.
const maxSecrets = 1 << 14

var manyRule = &rule{id: "many-secrets", label: "secrets", confidence: Likely}

func (s *scan) allowed(secret []byte) bool {
	return slices.ContainsFunc(s.redactor.allow, func(re *regexp.Regexp) bool { return re.Match(secret) })
}

// mergedEdits sorts the edits and merges those that overlap. A merged edit counts for the rule with the highest
// confidence.
func (s *scan) mergedEdits() []edit {
	slices.SortStableFunc(s.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	kept := s.edits[:0]
	for _, e := range s.edits {
		if len(kept) == 0 || e.start >= kept[len(kept)-1].end {
			kept = append(kept, e)
			continue
		}
		last := &kept[len(kept)-1]
		if moreConfident(e.rule, last.rule) {
			last.rule, last.kind, last.key = e.rule, e.kind, e.key
		}
		last.end = max(last.end, e.end)
	}
	s.edits = kept
	return kept
}

func moreConfident(a, b *rule) bool { return a.confidence > b.confidence }

// insideSure reports whether a place is in one of the last edits, whose rule has high confidence.
func (s *scan) insideSure(at int) bool {
	for i := len(s.edits) - 1; i >= 0 && i >= len(s.edits)-3; i-- {
		if e := s.edits[i]; e.start <= at && at < e.end && e.rule.confidence == High {
			return true
		}
	}
	return false
}

// isMarker reports whether a text is [label 1], which an earlier redaction left.
func isMarker(text []byte) bool {
	if len(text) < 5 || text[0] != '[' || text[len(text)-1] != ']' {
		return false
	}
	label, number, ok := bytes.Cut(text[1:len(text)-1], []byte(" "))
	return ok && isLabel(string(label)) && isAll(number, isDigit)
}

// blobPrefix is how much of base64 data is searched, in bytes. Only an edit at the beginning of the data counts, and no
// detector looks back that far.
const blobPrefix = 4 << 10

// isBlob reports whether a text is only base64: a picture, a signature, a checksum.
func isBlob(text []byte) bool {
	if len(text) < 256 {
		return false
	}
	text = bytes.TrimRight(text, "=")
	for len(text) >= 8 {
		t := text[:8]
		if isBlobByte[t[0]]&isBlobByte[t[1]]&isBlobByte[t[2]]&isBlobByte[t[3]]&
			isBlobByte[t[4]]&isBlobByte[t[5]]&isBlobByte[t[6]]&isBlobByte[t[7]] == 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if isBlobByte[c] == 0 {
			return false
		}
	}
	return true
}

// isBlobByte is 1 for the bytes of base64, except padding.
var isBlobByte = func() (is [256]byte) {
	for c := range is {
		if isBase64(byte(c)) && c != '=' {
			is[c] = 1
		}
	}
	return is
}()
