package secretgen

import (
	"bytes"
	"compress/gzip"
	stdbase64 "encoding/base64"
	"io"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// codings are the ways in which a record contains the data of a document.
var codings = []struct {
	name string
	of   func(text string) string
}{
	{"a document", func(text string) string { return document(stdbase64.StdEncoding.EncodeToString([]byte(text))) }},
	{"a document in UTF-16", func(text string) string {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(text)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return document(stdbase64.StdEncoding.EncodeToString(b))
	}},
	{"a packed document", func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		return document(stdbase64.StdEncoding.EncodeToString(b.Bytes()))
	}},
	{"a file that Read read", func(text string) string {
		return `{"type":"user","toolUseResult":{"type":"text","file":{"base64":` +
			quote(stdbase64.StdEncoding.EncodeToString([]byte(text))) + `}}}`
	}},
	{"an address of data", func(text string) string {
		return `{"message":{"content":[{"type":"image_url","image_url":{"url":"data:text/plain;base64,` +
			stdbase64.StdEncoding.EncodeToString([]byte(text)) + `"}}]}}`
	}},
	{"lines of base64 for URLs", func(text string) string {
		code := stdbase64.RawURLEncoding.EncodeToString([]byte(text))
		return document(code[:len(code)/2] + `\n` + code[len(code)/2:] + `\n`)
	}},
}

func document(data string) string {
	return `{"type":"user","message":{"content":[{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"` + data + `"}}]}}`
}

// encodedKinds returns kinds of passwords and keys in encoded texts.
func encodedKinds() []kind {
	var all []kind
	for _, c := range codings {
		all = append(all, kind{c.name, func(rng *rand.Rand) []Sample {
			var all []Sample
			for _, in := range assignments {
				for _, v := range []string{human[0].of(rng), random(rng, 32, alnum)} {
					text, written, ok := in.write(passwords[rng.IntN(len(passwords))], v)
					if ok {
						text = "# the lamps of the shop\n" + text
						all = append(all, Sample{
							Context: in.name, Records: []string{c.of(text)}, Secrets: []string{v, written},
						})
					}
				}
			}
			return all
		}})
	}
	return all
}

// decoded returns the base64-decoded text, decompressed, or "" if it is not base64.
func decoded(text string) string {
	_, text, ok := strings.Cut(text, ";base64,")
	if !ok {
		return ""
	}
	text = strings.NewReplacer("\n", "", "-", "+", "_", "/", "=", "").Replace(text)
	data, err := stdbase64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	if r, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		data, _ = io.ReadAll(r)
	}
	return strings.ReplaceAll(string(data), "\x00", "") // this also decodes ASCII in UTF-16
}
