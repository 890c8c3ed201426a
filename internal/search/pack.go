package search

import (
	"bytes"
	"io"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// packLevel is the level for klauspost/compress. It takes half the time of compress/gzip at its fastest level. The next
// level takes twice as long for 5 % less.
const packLevel = 1

// A packer holds buffers for packing texts.
type packer struct {
	gzip   *gzip.Writer
	packed bytes.Buffer
	call   []byte
}

var packers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, packLevel)
	if err != nil {
		panic(err) // the level is valid
	}
	return &packer{gzip: w}
}}

// pack makes a script that calls viewerSearch with a text, packed as what a script
// can hold and a browser unpacks. It lives until the next one.
//
// A page of another site can load the script, too. It then does nothing, unless that
// page has replaced what the script asks with: no script can know better, so
// docs/publishing.md says which headers keep others out. The name is at the end of the
// script's address, and what stands before it is where the site is.
func (p *packer) pack(name string, text []byte) []byte {
	p.packed.Reset()
	p.gzip.Reset(&p.packed)
	// Writing to a buffer does not fail.
	_, _ = p.gzip.Write(text)
	_ = p.gzip.Close()
	b := append(p.call[:0], byteOrderMark...)
	b = appendASCII(b, "location.href.startsWith(document.currentScript.src.slice(0,-"+strconv.Itoa(len(name)))
	b = appendASCII(b, "))&&viewerSearch(\"")
	b = appendUnits(b, p.packed.Bytes())
	p.call = append(b, endOfCall...)
	return p.call
}

var endOfCall = appendASCII(nil, "\")\n")

// packedCall returns such a script in memory of its own.
func packedCall(name, text string) []byte {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	return bytes.Clone(p.pack(name, asBytes(text)))
}

// ReadFile returns the text in a file of the index.
func ReadFile(call []byte) (string, error) {
	text, ok := bytes.CutSuffix(call, endOfCall)
	if !ok {
		return "", errUnit
	}
	if text, ok = afterQuote(text); !ok {
		return "", errUnit
	}
	data, ok := decodeUnits(text)
	if !ok {
		return "", errUnit
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	unpacked, err := io.ReadAll(r)
	return string(unpacked), err
}
