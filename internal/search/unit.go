package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"viewer/internal/packed"
)

// A Unit is the text of one page or of a part of a long page. A query reads a unit as a whole.
type Unit struct {
	Page        string // relative to the folder of the session
	Number      int    // number of the unit on its page, from 0
	First, Last int    // days since 1970 on which it was written; 0 if unknown
	Text        string // its documents, see appendDocument; "" in a segment
	terms       string // for each term: its length times four plus its weight, and its bytes
	count       int    // number of terms
}

// postings yields the terms of the unit, each with its weight.
func (u Unit) postings() iter.Seq2[string, uint8] {
	return func(yield func(string, uint8) bool) {
		for r := (reader{rest: u.terms}); r.rest != ""; {
			head := r.number()
			if term := r.text(head >> 2); r.failed || !yield(term, uint8(head&3)) {
				return
			}
		}
	}
}

// weights are the weights of terms by kind of document. A term gets the largest.
var weights = [...]uint8{Event: 0, Hook: 0, Tool: 0, Thinking: 1, Answer: 1, Prompt: 2, Title: 3, Noted: 2}

// A unit with fewer terms has size 0.
const smallUnit = 512

// size returns the logarithm of the number of its terms. Few appends change it, so directories can contain it.
func (u *Unit) size() int { return bits.Len(uint(u.count / smallUnit)) }

// Name returns the name of its file, which is next to its page.
func (u Unit) Name() string { return unitName(u.Page, u.Number) }

func unitName(page string, number int) string {
	name := strings.TrimSuffix(page, ".html") + ".search"
	if number > 0 {
		name += "-" + strconv.Itoa(number+1)
	}
	return name + ".js"
}

// path returns the path of its file in the site.
func (u Unit) path(folder string) string { return "s/" + folder + "/" + u.Name() }

// A unit ends when it has this much text. Compressed, it has at most a third of that, except for noise.
const fullUnit = 384 << 10

// Of a text that is longer in bytes, only the words of the rest are kept, as pages do not show more of it either. In
// the rest, a phrase matches if all its words occur.
const longestText = 64 << 10

// The texts of a unit are concatenated, with these characters around and inside.
const (
	documentEnd = "\x1e"
	fieldEnd    = "\x1f"
)

// Units yields the units of a session in order. The text of a page is built when the iteration reaches it.
func Units(s Session) iter.Seq[Unit] {
	return func(yield func(Unit) bool) {
		texts := s.Texts()
		for i := range texts.Len() {
			for u, text := range texts.units(i) {
				u.Text = string(text)
				if !yield(u) {
					return
				}
			}
		}
	}
}

// WithoutText returns the unit without its text and terms.
func (u Unit) WithoutText() Unit {
	u.Text, u.terms = "", ""
	return u
}

// Texts builds the texts of the pages of a session. Pages can be built concurrently.
type Texts struct {
	s     Session
	pages [][]location
}

// Texts assigns the documents of a session to pages.
func (s Session) Texts() *Texts {
	t := &Texts{s: s}
	for places := s.locations(); len(places) > 0; {
		n := 1
		for n < len(places) && places[n].page == places[0].page {
			n++
		}
		t.pages = append(t.pages, places[:n])
		places = places[n:]
	}
	return t
}

// Len returns the number of pages with a text.
func (t *Texts) Len() int { return len(t.pages) }

// Files returns the units of page i without their texts, each with its file: a packed
// script. The file is valid until the next iteration.
func (t *Texts) Files(i int, folder string) iter.Seq2[Unit, []byte] {
	return func(yield func(Unit, []byte) bool) {
		p := packed.NewWriter()
		defer p.Release()
		for u, text := range t.units(i) {
			if !yield(u, p.Script(u.path(folder), text)) {
				return
			}
		}
	}
}

// units yields the units of page i with texts that are valid until the next iteration.
func (t *Texts) units(i int) iter.Seq2[Unit, []byte] {
	return func(yield func(Unit, []byte) bool) {
		words := unitBuilders.Get().(*unitBuilder)
		defer words.release()
		words.units(t.s, t.pages[i], yield)
	}
}

// units builds the units of the documents of one page.
func (t *unitBuilder) units(s Session, places []location, yield func(Unit, []byte) bool) {
	u := Unit{Page: places[0].page}
	t.begin()
	for _, p := range places {
		doc := s.document(p, &t.builder)
		if doc.Text == "" {
			continue
		}
		if len(t.text) > 0 && len(t.text)+min(len(doc.Text), 2*longestText) > fullUnit {
			if !yield(t.end(u), t.text) {
				return
			}
			t.begin()
			u = Unit{Page: u.Page, Number: u.Number + 1}
		}
		u.spans(doc.Time)
		t.add(doc)
	}
	if len(t.text) > 0 {
		yield(t.end(u), t.text)
	}
}

// PageList returns the file next to the first page of a session that lists the pages in order, a line each: the name
// without extension, and the number of its units. Other data about the session follows after an empty line.
func PageList(folder string, pages []string, units []Unit, more string) File {
	count := make(map[string]int)
	for _, u := range units {
		count[u.Page]++
	}
	var b strings.Builder
	for _, page := range pages {
		fmt.Fprintf(&b, "%s %d\n", strings.TrimSuffix(page, ".html"), count[page])
	}
	if more != "" {
		b.WriteString("\n" + more)
	}
	return File{pageListName, packed.Script("s/"+folder+"/"+pageListName, b.String())}
}

const pageListName = "pages.js"

// SortUnits sorts the units of a session.
func SortUnits(units []Unit) {
	slices.SortFunc(units, func(a, b Unit) int { return cmp.Or(strings.Compare(a.Page, b.Page), a.Number-b.Number) })
}

// spans extends the days of the unit to include a time.
func (u *Unit) spans(at time.Time) {
	if at.IsZero() {
		return
	}
	day := dayOf(at)
	if u.First == 0 || day < u.First {
		u.First = day
	}
	u.Last = max(u.Last, day)
}

// dayOf returns the number of a day since 1970.
func dayOf(at time.Time) int { return int(at.Unix() / (24 * 60 * 60)) }

// ReadUnit decodes the file of a unit, and computes its terms again.
func ReadUnit(name string, file []byte) (Unit, error) {
	page, number, ok := unitOf(name)
	text, err := packed.Read(file)
	if err != nil || !ok {
		return Unit{}, errUnit
	}
	t := unitBuilders.Get().(*unitBuilder)
	defer t.release()
	t.begin()
	u := Unit{Page: page, Number: number, Text: text}
	for _, doc := range u.ReadDocuments() {
		u.spans(doc.Time)
		t.beginDocument(doc.Document)
		for _, text := range []string{doc.Text, doc.Rest} {
			t.scan(text, weights[doc.Kind], false)
		}
	}
	u = t.end(u)
	u.Text = text
	return u, nil
}

// errUnit means that a file is not the text of a page.
var errUnit = errors.New("not a text of a search index")

var unitNames = regexp.MustCompile(`^(.*)\.search(?:-([0-9]+))?\.js$`)

// unitOf returns the page and the number of the unit with a name.
func unitOf(name string) (page string, number int, ok bool) {
	m := unitNames.FindStringSubmatch(name)
	if m == nil {
		return "", 0, false
	}
	if m[2] != "" {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return "", 0, false
		}
		number = n - 1
	}
	return m[1] + ".html", number, true
}

// IsUnit reports whether a name is that of a unit's file.
func IsUnit(name string) bool { return unitNames.MatchString(name) }

// A unitBuilder builds the text and the terms of a unit. The dictionary has for each term the last document that had
// it, and its weight.
type unitBuilder struct {
	dictionary
	doc     int32
	text    []byte
	tokens  tokenizer
	builder textBuilder
	special []byte // a term that is not a word
}

// initialSlots is enough for the terms of most units, which have less than half as many.
const initialSlots = 1 << 12

var unitBuilders = sync.Pool{New: func() any {
	t := &unitBuilder{dictionary: newDictionary(initialSlots)}
	t.builder.patch.dictionary = newDictionary(initialSlots / 16)
	return t
}}

// release returns the builder to the pool, without references to the session.
func (t *unitBuilder) release() {
	t.builder.begin()
	t.tokens.read("")
	unitBuilders.Put(t)
}

func (t *unitBuilder) begin() {
	t.reset()
	t.text, t.doc = t.text[:0], 0
}

// addTerm adds a term, and reports whether it is new in its document.
func (t *unitBuilder) addTerm(term []byte, weight uint8) bool {
	var k int
	if n := len(term); n <= shortTerm && cap(term) >= shortTerm { // read at once with the bytes after it
		k = t.internShort(load64(term[:shortTerm], 0)&(1<<(8*n)-1), n)
	} else {
		k = intern(&t.dictionary, term)
	}
	e := &t.terms[k]
	e.value = max(e.value, int32(weight))
	isNew := e.last != t.doc
	e.last = t.doc
	return isNew
}

// add adds a document to the unit.
func (t *unitBuilder) add(doc Document) {
	t.beginDocument(doc)
	weight := weights[doc.Kind]
	text, rest := doc.Text, ""
	if len(text) > longestText {
		end := longestText
		for end > longestText-300 && text[end] != ' ' && text[end] != '\n' {
			end--
		}
		text, rest = text[:end], text[end:]
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	t.text = appendDocument(t.text, doc, text)
	t.scan(text, weight, false)
	if rest == "" {
		return
	}
	t.text = append(t.text, fieldEnd...)
	t.scan(rest, weight, true)
}

// scan adds the terms of a text. Of a rest, it keeps the words that are new in the document.
func (t *unitBuilder) scan(text string, weight uint8, rest bool) {
	s := &t.tokens
	for s.read(text); s.next(); {
		if t.addTerm(s.term, weight) && rest && !s.subword {
			t.text = append(append(t.text, text[s.start:s.end]...), ' ')
		}
	}
}

// beginDocument adds the terms for the kind, tool and outcome of a document.
func (t *unitBuilder) beginDocument(doc Document) {
	t.doc++
	// No word of a text has a colon, so these cannot be words.
	t.special = append(append(t.special[:0], "kind:"...), doc.Kind.String()...)
	t.addTerm(t.special, 0)
	if doc.Tool != "" {
		t.special = append(append(t.special[:0], "tool:"...), strings.ToLower(doc.Tool)...)
		t.addTerm(t.special, 0)
	}
	if doc.Failed {
		t.addTerm(append(t.special[:0], "is:error"...), 0)
	}
}

// appendDocument encodes a document and its text: anchor, kind, whether it failed, seconds since 1970, tool, path,
// text, and the remaining words of a long text.
func appendDocument(b []byte, doc Document, text string) []byte {
	if len(b) > 0 {
		b = append(b, documentEnd...)
	}
	b = append(append(b, doc.Anchor...), fieldEnd...)
	b = append(strconv.AppendInt(b, int64(doc.Kind), 10), fieldEnd...)
	if doc.Failed {
		b = append(b, '1')
	}
	b = append(b, fieldEnd...)
	if !doc.Time.IsZero() {
		b = strconv.AppendInt(b, doc.Time.Unix(), 36)
	}
	b = append(append(b, fieldEnd...), plain(doc.Tool)...)
	b = append(append(b, fieldEnd...), plain(doc.Path)...)
	return append(append(b, fieldEnd...), text...)
}

// ReadDocuments decodes the documents.
func (u Unit) ReadDocuments() []StoredDocument {
	var all []StoredDocument
	for text := range strings.SplitSeq(u.Text, documentEnd) {
		fields := strings.Split(text, fieldEnd)
		if len(fields) < 7 {
			continue
		}
		doc := StoredDocument{
			Document: Document{
				Page:   u.Page,
				Anchor: fields[0],
				Failed: fields[2] != "",
				Tool:   fields[4],
				Path:   fields[5],
				Text:   fields[6],
			},
		}
		if kind, err := strconv.Atoi(fields[1]); err == nil && 0 <= kind && kind < len(kindNames) {
			doc.Kind = Kind(kind)
		}
		if at, err := strconv.ParseInt(fields[3], 36, 64); err == nil {
			doc.Time = time.Unix(at, 0).UTC()
		}
		if len(fields) > 7 {
			doc.Rest = fields[7]
		}
		all = append(all, doc)
	}
	return all
}

// A StoredDocument is a document in the index.
type StoredDocument struct {
	Document
	Rest string // the words of its text after the part that was kept
}

// end returns the unit without its text.
func (t *unitBuilder) end(u Unit) Unit {
	u.count = len(t.terms)
	terms := make([]byte, 0, len(t.letters)+2*len(t.terms))
	for k, e := range t.terms {
		terms = append(binary.AppendUvarint(terms, uint64(e.length)<<2|uint64(e.value)), t.term(k)...)
	}
	u.terms = asText(terms)
	return u
}
