// Package packed writes compressed texts as scripts, which is all that a page opened from disk can load, and reads
// them. In a browser assets/js/packed.js reads them. It never opens a file.
package packed

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// level is the level for klauspost/compress. It takes half the time of compress/gzip at its fastest level. The next
// level takes twice as long for 5 % less.
const level = 1

// A Writer holds buffers for packing texts.
type Writer struct {
	gzip   *gzip.Writer
	packed bytes.Buffer
	script []byte
}

var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // the level is valid
	}
	return &Writer{gzip: w}
}}

// NewWriter returns a writer. Release gives its buffers back.
func NewWriter() *Writer { return writers.Get().(*Writer) }

// Release ends the use of a writer, and of its last script.
func (p *Writer) Release() { writers.Put(p) }

// Script returns the script with a text. Its name is the path of the script in the site. The script is valid until the
// next call.
//
// A page of another site can load the script, too. Then it does nothing, unless that page has replaced the functions by
// which the script checks its address, which no script can detect. docs/publishing.md has headers against that. The
// name is the end of the address of the script; the address of the site precedes it.
func (p *Writer) Script(name string, text []byte) []byte {
	p.packed.Reset()
	p.gzip.Reset(&p.packed)
	// Writing to a buffer does not fail.
	_, _ = p.gzip.Write(text)
	_ = p.gzip.Close()
	b := append(p.script[:0], byteOrderMark...)
	b = appendASCII(b, "location.href.startsWith(document.currentScript.src.slice(0,-"+strconv.Itoa(len(name)))
	b = appendASCII(b, "))&&viewerData(\"")
	b = appendUnits(b, p.packed.Bytes())
	p.script = append(b, endOfScript...)
	return p.script
}

var endOfScript = appendASCII(nil, "\")\n")

// Script returns the script with a text, see Writer.Script.
func Script[T string | []byte](name string, text T) []byte {
	p := NewWriter()
	defer p.Release()
	return bytes.Clone(p.Script(name, []byte(text)))
}

var errScript = errors.New("not a packed text")

// Read returns the text of a script.
func Read(script []byte) (string, error) {
	text, ok := bytes.CutSuffix(script, endOfScript)
	if !ok {
		return "", errScript
	}
	if text, ok = afterQuote(text); !ok {
		return "", errScript
	}
	data, ok := decodeUnits(text)
	if !ok {
		return "", errScript
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	unpacked, err := io.ReadAll(r)
	return string(unpacked), err
}
