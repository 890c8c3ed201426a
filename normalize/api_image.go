package normalize

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"

	"viewer/internal/transcript"
)

// How the API charges for an image: it scales the image down to this size, and counts a token for each so many pixels.
const (
	pixelsPerToken = 750
	longestEdge    = 1568
	maxImageTokens = 1600
)

// imageTokens returns the tokens of an image by its width and height; mediaTokens if they are unknown.
func imageTokens(s transcript.Source) int {
	for _, much := range []int{1 << 10, 256 << 10} { // photos begin with metadata
		if w, h := imageSize(dataHead(s, much)); w > 0 && h > 0 {
			return tokensOfSize(w, h)
		}
	}
	return mediaTokens
}

func tokensOfSize(width, height int) int {
	w, h := float64(width), float64(height)
	if edge := max(w, h); edge > longestEdge {
		w, h = w*longestEdge/edge, h*longestEdge/edge
	}
	return min(int(w*h/pixelsPerToken)+1, maxImageTokens)
}

// dataHead returns the beginning of data given as base64.
func dataHead(s transcript.Source, much int) []byte {
	if s.Kind != "base64" || transcript.Kind(s.Data) != '"' {
		return nil
	}
	text := bytes.TrimSpace(s.Data)[1:]
	text = text[:min(len(text), much/3*4)]
	text = bytes.TrimRight(bytes.ReplaceAll(text, []byte(`\/`), []byte("/")), `"=`)
	data := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, _ := base64.RawStdEncoding.Decode(data, text) // what was decoded before an error is usable
	return data[:n]
}

// imageSize reads width and height from the header of a PNG, GIF, JPEG or WebP; 0 for other data.
func imageSize(b []byte) (width, height int) {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) && len(b) >= 24:
		return int(binary.BigEndian.Uint32(b[16:])), int(binary.BigEndian.Uint32(b[20:]))
	case bytes.HasPrefix(b, []byte("GIF8")) && len(b) >= 10:
		return int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		return jpegSize(b)
	case bytes.HasPrefix(b, []byte("RIFF")) && len(b) >= 30 && string(b[8:12]) == "WEBP":
		return webpSize(b)
	}
	return 0, 0
}

// jpegSize reads segments until one begins a frame.
func jpegSize(b []byte) (width, height int) {
	for at := 2; at+9 <= len(b) && b[at] == 0xff; {
		kind := b[at+1]
		switch {
		case kind == 0xff: // a padding byte
			at++
		case kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc:
			return int(binary.BigEndian.Uint16(b[at+7:])), int(binary.BigEndian.Uint16(b[at+5:]))
		default:
			at += 2 + int(binary.BigEndian.Uint16(b[at+2:]))
		}
	}
	return 0, 0
}

// webpSize reads the first chunk: lossy, lossless or extended.
func webpSize(b []byte) (width, height int) {
	switch string(b[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[28:]) & 0x3fff)
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8X":
		return int(binary.LittleEndian.Uint32(b[24:])&0xffffff) + 1, int(binary.LittleEndian.Uint32(b[26:])>>8) + 1
	}
	return 0, 0
}
