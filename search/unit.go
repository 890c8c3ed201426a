package search

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Unit is the text of one page, or of a part of it: what a query reads at once.
type Unit struct {
	Page        string // below the folder of the session
	Number      int    // of the unit on its page, from 0
	First, Last int    // days on which it was written, since 1970; 0 when nobody knows
	Text        string // its documents, see appendDocument; "" of a unit that comes from a part
	terms       []posting
	stub        []byte // of one that is kept, see Stub
}

// A posting says how much a term is worth in a unit.
type posting struct {
	term   string
	weight uint8
}

// weights are those of terms by the kind of document, the greatest of which counts.
var weights = [...]uint8{Event: 0, Hook: 0, Tool: 0, Thinking: 1, Answer: 1, Prompt: 2, Title: 3}

// Name is the name of its file, beside its page.
func (u Unit) Name() string { return unitName(u.Page, u.Number) }

func unitName(page string, number int) string {
	name := strings.TrimSuffix(page, ".html") + ".search"
	if number > 0 {
		name += "-" + strconv.Itoa(number+1)
	}
	return name + ".js"
}

// File is its file: a script that calls viewerSearch with where it belongs and
// its text, packed.
func (u Unit) File(folder string) []byte { return packedCall("s/"+folder+"/"+u.Name(), u.Text) }

// A unit ends when it holds this much text: packed it is a third at most, unless it is noise.
const fullUnit = 384 << 10

// Of a text that is longer, the rest is kept as the words that it holds: pages
// show no more of it either. Phrases there are found by their words.
const longestText = 64 << 10

// The texts of a unit stand one behind the other, with these around and inside.
const (
	documentEnd = "\x1e"
	fieldEnd    = "\x1f"
)

// Units puts documents into units.
func Units(documents []Document) []Unit {
	t := tables.Get().(*table)
	defer tables.Put(t)
	byPage := make(map[string][]Document)
	var pages []string
	for _, doc := range documents {
		if byPage[doc.Page] == nil {
			pages = append(pages, doc.Page)
		}
		byPage[doc.Page] = append(byPage[doc.Page], doc)
	}
	slices.Sort(pages)
	var units []Unit
	for _, page := range pages {
		t.begin()
		u := Unit{Page: page}
		for _, doc := range byPage[page] {
			if len(t.text) > 0 && len(t.text)+min(len(doc.Text), 2*longestText) > fullUnit {
				units = append(units, t.end(u))
				t.begin()
				u = Unit{Page: page, Number: u.Number + 1}
			}
			u.spans(doc.Time)
			t.add(doc)
		}
		units = append(units, t.end(u))
	}
	return units
}

// PageList is the file, beside the first page of a session, that lists the pages
// in their order, a line each: the name without its end, and how many units it has.
func PageList(folder string, pages []string, units []Unit) File {
	count := make(map[string]int)
	for _, u := range units {
		count[u.Page]++
	}
	var b strings.Builder
	for _, page := range pages {
		fmt.Fprintf(&b, "%s %d\n", strings.TrimSuffix(page, ".html"), count[page])
	}
	const name = "pages.js"
	return File{name, packedCall("s/"+folder+"/"+name, b.String())}
}

// SortUnits puts the units of a session in their order.
func SortUnits(units []Unit) {
	slices.SortFunc(units, func(a, b Unit) int { return cmp.Or(strings.Compare(a.Page, b.Page), a.Number-b.Number) })
}

// spans says that something was written at a time.
func (u *Unit) spans(at time.Time) {
	if at.IsZero() {
		return
	}
	day := int(at.Unix() / (24 * 60 * 60))
	if u.First == 0 || day < u.First {
		u.First = day
	}
	u.Last = max(u.Last, day)
}

// ReadUnit makes a unit of its file again, terms included.
func ReadUnit(name string, file []byte) (Unit, error) {
	page, number, ok := unitOf(name)
	text, err := ReadFile(file)
	if err != nil || !ok {
		return Unit{}, ErrUnit
	}
	t := tables.Get().(*table)
	defer tables.Put(t)
	t.begin()
	u := Unit{Page: page, Number: number, Text: text}
	for _, doc := range u.ReadDocuments() {
		u.spans(doc.Time)
		t.describe(doc.Document)
		for _, text := range []string{doc.Text, doc.Rest} {
			for s := (scanner{text: text}); s.next(); {
				t.note(s.term, weights[doc.Kind])
			}
		}
	}
	u = t.end(u)
	u.Text = text
	return u, nil
}

// ErrUnit says that a file is not the text of a page.
var ErrUnit = errors.New("not a text of a search index")

var unitNames = regexp.MustCompile(`^(.*)\.search(?:-([0-9]+))?\.js$`)

// unitOf is the page and the number of the unit with a name.
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

// IsUnit says whether a file is that of a unit.
func IsUnit(name string) bool { return unitNames.MatchString(name) }

// A table collects the terms of a unit. Looking a term up takes most of the time
// of indexing: so it is a table of our own, which hashes bytes and makes no strings.
type table struct {
	slots   []int32 // term + 1, by hash
	hashes  []uint32
	ends    []int32 // in letters
	letters []byte
	weights []uint8
	last    []int32 // the document that held it last
	doc     int32
	text    []byte
}

var tables = sync.Pool{New: func() any { return &table{slots: make([]int32, 1<<12)} }}

func (t *table) begin() {
	clear(t.slots)
	t.hashes, t.ends, t.letters, t.weights, t.last, t.text, t.doc = t.hashes[:0], t.ends[:0], t.letters[:0], t.weights[:0], t.last[:0], t.text[:0], 0
}

// note counts a term, and says whether it is new to its document.
func (t *table) note(term []byte, weight uint8) bool {
	h := uint32(2166136261)
	for _, b := range term {
		h = (h ^ uint32(b)) * 16777619
	}
	h ^= h >> 15
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		k := t.slots[i] - 1
		if t.hashes[k] == h && string(t.term(int(k))) == string(term) {
			t.weights[k] = max(t.weights[k], weight)
			isNew := t.last[k] != t.doc
			t.last[k] = t.doc
			return isNew
		}
	}
	t.letters = append(t.letters, term...)
	t.hashes, t.ends, t.weights, t.last = append(t.hashes, h), append(t.ends, int32(len(t.letters))), append(t.weights, weight), append(t.last, t.doc)
	t.slots[i] = int32(len(t.ends))
	if len(t.ends)*2 > len(t.slots) {
		t.grow()
	}
	return true
}

func (t *table) term(k int) []byte {
	start := int32(0)
	if k > 0 {
		start = t.ends[k-1]
	}
	return t.letters[start:t.ends[k]]
}

func (t *table) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for k, h := range t.hashes {
		i := h & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(k + 1)
	}
}

// add puts one document into the unit.
func (t *table) add(doc Document) {
	t.describe(doc)
	weight := weights[doc.Kind]
	text, rest := doc.Text, ""
	if len(text) > longestText {
		end := longestText
		for end > longestText-300 && text[end] != ' ' && text[end] != '\n' {
			end--
		}
		text, rest = text[:end], text[end:]
	}
	t.text = appendDocument(t.text, doc, strings.ToValidUTF8(text, "\uFFFD"))
	for s := (scanner{text: text}); s.next(); {
		t.note(s.term, weight)
	}
	if rest == "" {
		return
	}
	t.text = append(t.text, fieldEnd...)
	for s := (scanner{text: rest}); s.next(); {
		if t.note(s.term, weight) && !s.part {
			t.text = append(append(t.text, rest[s.start:s.end]...), ' ')
		}
	}
}

// describe begins a document with the terms of what is no word of it.
func (t *table) describe(doc Document) {
	t.doc++
	t.note([]byte(kindTerm(doc.Kind.String())), 0)
	if doc.Tool != "" {
		t.note([]byte(toolTerm(doc.Tool)), 0)
	}
	if doc.Failed {
		t.note([]byte(failedTerm), 0)
	}
}

// The terms of what is no word of a text; a word holds no colon.
const failedTerm = "is:error"

func kindTerm(kind string) string { return "kind:" + kind }
func toolTerm(tool string) string { return "tool:" + strings.ToLower(tool) }

// appendDocument writes what is known of a document and its text: anchor, kind,
// whether it failed, seconds since 1970, tool, path, text; behind it comes what a
// long text holds besides.
func appendDocument(b []byte, doc Document, text string) []byte {
	if len(b) > 0 {
		b = append(b, documentEnd...)
	}
	failed, at := "", ""
	if doc.Failed {
		failed = "1"
	}
	if !doc.Time.IsZero() {
		at = strconv.FormatInt(doc.Time.Unix(), 36)
	}
	for _, field := range []string{doc.Anchor, strconv.Itoa(int(doc.Kind)), failed, at, plain(doc.Tool), plain(doc.Path)} {
		b = append(append(b, field...), fieldEnd...)
	}
	return append(b, text...)
}

// ReadDocuments reads them back.
func (u Unit) ReadDocuments() []Found {
	var all []Found
	for text := range strings.SplitSeq(u.Text, documentEnd) {
		fields := strings.Split(text, fieldEnd)
		if len(fields) < 7 {
			continue
		}
		doc := Found{Document: Document{Page: u.Page, Anchor: fields[0], Failed: fields[2] != "", Tool: fields[4], Path: fields[5], Text: fields[6]}}
		if kind, err := strconv.Atoi(fields[1]); err == nil && 0 <= kind && kind < len(Kinds) {
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

// A Found is a document as the index has it.
type Found struct {
	Document
	Rest string // the words that its text holds behind what is kept of it
}

func (t *table) end(u Unit) Unit {
	u.Text = string(t.text)
	letters := string(t.letters)
	u.terms = make([]posting, len(t.ends))
	start := int32(0)
	for k, end := range t.ends {
		u.terms[k] = posting{letters[start:end], t.weights[k]}
		start = end
	}
	return u
}

// A packer holds what is needed to pack a text.
type packer struct {
	gzip   *gzip.Writer
	packed bytes.Buffer
}

var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one of gzip's
	}
	return &packer{gzip: w}
}}

// packedCall is a script that calls viewerSearch with a name, which needs no
// escapes, and a text, packed as what a script can hold and a browser unpacks.
func packedCall(name, text string) []byte {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.packed.Reset()
	p.gzip.Reset(&p.packed)
	// A buffer takes all that is written to it.
	_, _ = p.gzip.Write([]byte(text))
	_ = p.gzip.Close()
	b := make([]byte, 0, base64.StdEncoding.EncodedLen(p.packed.Len())+len(name)+32)
	b = append(append(append(b, `viewerSearch("`...), name...), `","`...)
	b = base64.StdEncoding.AppendEncode(b, p.packed.Bytes())
	return append(b, "\")\n"...)
}

// ReadFile is the text that a file of the index holds.
func ReadFile(call []byte) (string, error) {
	parts := bytes.Split(call, []byte(`"`))
	if len(parts) != 5 {
		return "", ErrUnit
	}
	data, err := base64.StdEncoding.AppendDecode(nil, parts[3])
	if err != nil {
		return "", err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
