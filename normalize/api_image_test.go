package normalize

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"viewer/internal/transcript"
)

// TestImageTokens: the tokens of an image depend on its pixels, up to the largest size that the API keeps.
func TestImageTokens(t *testing.T) {
	picture := func(w, h int, write func(*bytes.Buffer, image.Image) error) string {
		var b bytes.Buffer
		if err := write(&b,
			image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White})); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	asPNG := func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) }
	asGIF := func(b *bytes.Buffer, m image.Image) error { return gif.Encode(b, m, nil) }
	asJPEG := func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) }
	photo := picture(300, 250, asJPEG)
	photo = photo[:2] + "\xff\xe1\x80\x00" + string(make([]byte, 0x7ffe)) + photo[2:] // with data of a camera
	for _, c := range []struct {
		name, data string
		want       int
	}{
		{"PNG", picture(300, 250, asPNG), 101},
		{"GIF", picture(75, 10, asGIF), 2},
		{"JPEG", picture(300, 250, asJPEG), 101},
		{"JPEG of a camera", photo, 101},
		{"lossy WebP", "RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x2c\x01\xfa\x00", 101},
		{"lossless WebP", "RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x2b\x41\x3e\x00\x00\x00\x00\x00\x00", 101},
		{"extended WebP", "RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x2b\x01\x00\xf9\x00\x00", 101},
		{"long and thin", picture(3136, 10, asGIF), 11},
		{"as large as it gets", picture(1568, 1568, asGIF), maxImageTokens},
		{"no picture", "something else", mediaTokens},
		{"nothing", "", mediaTokens},
		{"cut off", "\xff\xd8\xff", mediaTokens},
	} {
		data, err := json.Marshal(base64.StdEncoding.EncodeToString([]byte(c.data)))
		if err != nil {
			t.Fatal(err)
		}
		if got := imageTokens(transcript.Source{Kind: "base64", MediaType: "image/png", Data: data}); got != c.want {
			t.Errorf("%s: got %d tokens, want %d", c.name, got, c.want)
		}
	}
}
