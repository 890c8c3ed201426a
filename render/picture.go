package render

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // for the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A picture is an image or a file of a transcript, as pages show it.
type picture struct {
	ID            string // on a self-contained page
	Href          string // "" when there is no data to show
	Alt           string
	Note          string // size and kind, or why it is not shown
	Image         bool
	Width, Height int // 0 when unknown
}

// limitPictures limits the number of pictures on a page. A file lists the others.
func (p *pageState) limitPictures(all []picture) []picture {
	if len(all) <= maxAlike {
		return all
	}
	var list strings.Builder
	for _, pic := range all[maxAlike:] {
		list.WriteString(strings.TrimPrefix(pic.Href, p.root) + " " + pic.Alt + ", " + pic.Note + "\n")
	}
	more := picture{Href: p.root + p.media.add([]byte(list.String()), ".txt"), Alt: count(len(all)-maxAlike) + " more",
		Note: "a list of their files"}
	return append(all[:maxAlike:maxAlike], more)
}

// magic recognizes file types that browsers show and that cannot run code, by their first bytes: the type in the log is
// not trusted.
var magic = []struct {
	at     int
	bytes  string
	ext    string
	image  bool
	called string
}{
	{0, "\x89PNG\r\n\x1a\n", ".png", true, "PNG"},
	{0, "\xff\xd8\xff", ".jpg", true, "JPEG"},
	{0, "GIF8", ".gif", true, "GIF"},
	{8, "WEBP", ".webp", true, "WebP"},
	{4, "ftypavif", ".avif", true, "AVIF"},
	{0, "BM", ".bmp", true, "BMP"},
	{0, "%PDF-", ".pdf", false, "PDF"},
}

// picture adds the data of an image or document block to the media.
func (p *pageState) picture(s transcript.Source, alt string) picture {
	if s.URL != "" && len(s.Data) == 0 {
		return picture{Alt: alt, Note: "at " + clip(s.URL, 120) + ", not loaded"}
	}
	data, err := fromBase64(s.Data)
	if s.Kind == "text" {
		data, err = []byte(transcript.String(s.Data)), nil
	}
	if err != nil || len(data) == 0 {
		return picture{Alt: alt, Note: "the data cannot be read"}
	}
	for _, m := range magic {
		if len(data) < m.at+len(m.bytes) || string(data[m.at:m.at+len(m.bytes)]) != m.bytes {
			continue
		}
		pic := picture{Href: p.root + p.media.add(data, m.ext), Alt: alt, Image: m.image,
			Note: m.called + ", " + size(len(data))}
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && m.image {
			pic.Width, pic.Height = c.Width, c.Height
		}
		return pic
	}
	// Other data could be markup that runs when it is opened: it is stored as text or bytes.
	ext := ".bin"
	if utf8.Valid(data) && !slices.Contains(data, 0) {
		ext = ".txt"
	}
	return picture{Href: p.root + p.media.add(data, ext), Alt: alt, Note: "file, " + size(len(data))}
}

// pictures returns the images and documents among blocks.
func (p *pageState) pictures(blocks []transcript.Block) []picture {
	var all []picture
	for _, b := range blocks {
		if b.Type == "image" || b.Type == "document" {
			all = append(all, p.picture(b.Source, b.Type))
			continue
		}
		all = append(all, p.pictures(b.Content)...) // of a fetched page: two levels deep
	}
	return all
}

// fromBase64 decodes a base64 string in JSON. Pictures are the longest strings, so it decodes them without a copy if
// nothing is escaped.
func fromBase64(v jsontext.Value) ([]byte, error) {
	if len(v) < 2 || v[0] != '"' {
		return nil, nil
	}
	inside := v[1 : len(v)-1]
	if bytes.IndexByte(inside, '\\') >= 0 || bytes.IndexByte(inside, ' ') >= 0 {
		inside = []byte(strings.ReplaceAll(transcript.String(v), " ", ""))
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(len(inside)))
	n, err := base64.StdEncoding.Decode(data, inside) // it skips line breaks
	return data[:n], err
}
