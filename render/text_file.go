package render

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A session of more than one page has beside each page a file with its text,
// and one that lists the pages in their order. The search box of a page loads
// them as classic scripts, because that is all that a page on disk may load;
// each calls viewerText with the name of the page and its text, or without a
// name and with the list.
//
// The text is whole: a search that leaves out what is long would say "not
// found" of what is there. Text is half of the HTML, so it is packed, and then
// less than a fifth: gzip, which browsers unpack, in base64, which a script can
// hold. An append changes the file of the page that it changes, and the list
// when a page is added.

// textList is the name of the list, beside the first page.
const textList = "text.js"

// textFile is the file with the text of a page.
func textFile(p Page) Page {
	return Page{
		Name: strings.TrimSuffix(p.Name, ".html") + ".text.js",
		HTML: packedCall(p.Name, p.HTML),
	}
}

func textCall(page, text string) []byte {
	b := append([]byte("viewerText("), scriptString(page)...)
	b = append(append(b, ','), scriptString(text)...)
	return append(b, ")\n"...)
}

// scriptString is a string literal of JavaScript. JSON is that, but for two
// line ends of Unicode, which older scripts do not take inside of a string.
func scriptString(s string) []byte {
	quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "�"))
	if err != nil {
		panic(err) // valid UTF-8 can be quoted
	}
	quoted = bytes.ReplaceAll(quoted, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(quoted, []byte("\u2029"), []byte(`\u2029`))
}

// A packer holds what is needed to pack a text.
type packer struct {
	gzip   *gzip.Writer
	text   []byte
	packed bytes.Buffer
}

// packers are kept because one holds a megabyte, and most sessions have little text.
var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one of gzip's
	}
	return &packer{gzip: w}
}}

// packedCall is textCall with the text of a page, packed.
func packedCall(name string, page []byte) []byte {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.text = appendPageText(p.text[:0], page)
	p.packed.Reset()
	p.gzip.Reset(&p.packed)
	// A buffer takes all that is written to it.
	_, _ = p.gzip.Write(p.text)
	_ = p.gzip.Close()
	b := append([]byte("viewerText("), scriptString(name)...)
	b = slices.Grow(b, base64.StdEncoding.EncodedLen(p.packed.Len())+6)
	b = append(b, `,"`...) // base64 needs no escapes
	b = base64.StdEncoding.AppendEncode(b, p.packed.Bytes())
	return append(b, "\")\n"...)
}
