package render

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"path"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

func source(mediaType, data string) transcript.Source {
	quoted, err := jsontext.AppendQuote(nil, base64.StdEncoding.EncodeToString([]byte(data)))
	if err != nil {
		panic(err)
	}
	return transcript.Source{Kind: "base64", MediaType: mediaType, Data: quoted}
}

// pngData returns a PNG of 3 x 2 pixels.
func pngData(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPictureKinds: the type of a picture is recognized only by the first bytes of its data.
func TestPictureKinds(t *testing.T) {
	pixel := pngData(t)
	for _, c := range []struct {
		name, says, data string
		ext              string
		image            bool
	}{
		{"a PNG", "image/png", pixel, ".png", true},
		{"a PNG that says it is HTML", "text/html", pixel, ".png", true},
		{"a JPEG", "image/png", "\xff\xd8\xff\xe0rest", ".jpg", true},
		{"a GIF", "image/gif", "GIF89a", ".gif", true},
		{"a WebP", "image/webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", ".webp", true},
		{"an AVIF", "image/avif", "\x00\x00\x00\x20ftypavif", ".avif", true},
		{"a PDF", "image/png", "%PDF-1.7\n", ".pdf", false},
		{"an SVG is text", "image/svg+xml", `<svg onload="alert(1)"/>`, ".txt", false},
		{"an SVG that says it is a PNG", "image/png", `<?xml version="1.0"?><svg/>`, ".txt", false},
		{"HTML is text", "text/html", "<!doctype html><script>alert(1)</script>", ".txt", false},
		{"HTML with a zero byte is bytes", "text/html", "<script>\x00", ".bin", false},
		{"bytes", "application/octet-stream", "\x00\x01\xff", ".bin", false},
		{"words", "text/plain", "high water", ".txt", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := emptyPage()
			p := d.picture(source(c.says, c.data), "chart")
			if len(d.media.files) != 1 {
				t.Fatalf("%d files, want 1", len(d.media.files))
			}
			f := d.media.files[0]
			if path.Ext(f.Name) != c.ext || p.Image != c.image || string(f.Data) != c.data ||
				p.Href != "../../"+f.Name {
				t.Errorf("picture(%s, %q)\n got %s, image %v, href %s\nwant %s, image %v", c.says, c.data, f.Name,
					p.Image, p.Href, c.ext, c.image)
			}
		})
	}
}

func TestPictureSize(t *testing.T) {
	d := emptyPage()
	pixel := pngData(t)
	if p := d.picture(source("", pixel), "chart"); p.Width != 3 || p.Height != 2 || p.Note != "PNG, "+size(len(pixel)) {
		t.Errorf("picture = %d x %d, %q, want 3 x 2, PNG, %s", p.Width, p.Height, p.Note, size(len(pixel)))
	}
	if p := d.picture(source("", pixel[:12]), "torn"); p.Width != 0 || p.Href == "" {
		t.Errorf("truncated picture = width %d, href %q, want 0 and a file", p.Width, p.Href)
	}
}

func TestMediaOnce(t *testing.T) {
	d := emptyPage()
	pixel := pngData(t)
	a, b := d.picture(source("", pixel), "a"), d.picture(source("", pixel), "b")
	if a.Href != b.Href || len(d.media.files) != 1 {
		t.Errorf("hrefs %s and %s, %d files, want the same content once", a.Href, b.Href, len(d.media.files))
	}
}

// TestPictureWithoutData: the page says why there is no picture, and loads nothing.
func TestPictureWithoutData(t *testing.T) {
	for _, c := range []struct {
		name   string
		source transcript.Source
		note   string
	}{
		{"an address", transcript.Source{Kind: "url", URL: "https://tides.example/<a>.png"}, "at https://tides.example/<a>.png, not loaded"},
		{"broken base64", transcript.Source{Kind: "base64", Data: jsontext.Value(`"iVBOR!!"`)}, "the data cannot be read"},
		{"no data", transcript.Source{Kind: "base64", Data: jsontext.Value(`""`)}, "the data cannot be read"},
		{"nothing at all", transcript.Source{}, "the data cannot be read"},
		{"data that is not a string", transcript.Source{Kind: "base64", Data: jsontext.Value(`[1]`)}, "the data cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := emptyPage()
			p := d.picture(c.source, "chart")
			if p.Href != "" || p.Image || p.Note != c.note || p.Alt != "chart" || len(d.media.files) != 0 {
				t.Errorf("picture = %+v, %d files; want only the note %q", p, len(d.media.files), c.note)
			}
		})
	}
}

func TestPictureText(t *testing.T) {
	d := emptyPage()
	p := d.picture(transcript.Source{Kind: "text", Data: jsontext.Value(`"<b>tides</b>"`)}, "document")
	if len(d.media.files) != 1 || string(d.media.files[0].Data) != "<b>tides</b>" || path.Ext(p.Href) != ".txt" {
		t.Errorf("a document of text = %+v, %d files; want it as a text file", p, len(d.media.files))
	}
	spaced := source("", pngData(t))
	spaced.Data = jsontext.Value(string(spaced.Data[:9]) + `\n ` + string(spaced.Data[9:]))
	if p := d.picture(spaced, "chart"); !p.Image {
		t.Errorf("base64 with line breaks = %+v, want an image", p)
	}
}
