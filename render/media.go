package render

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Media is a file that pages link to: an image, a PDF, a long output. Name is relative to the top of the site and
// contains a hash of the content.
type Media struct {
	Name string // media/<first 16 hex digits of sha256>.<ext>
	Data []byte
}

// mediaSet collects the media of a session, each content once.
type mediaSet struct {
	known map[string]bool
	files []Media
}

func (s *mediaSet) add(data []byte, ext string) string {
	sum := sha256.Sum256(data)
	name := "media/" + hex.EncodeToString(sum[:8]) + ext
	s.put(Media{name, data})
	return name
}

func (s *mediaSet) put(m Media) {
	if s.known[m.Name] {
		return
	}
	if s.known == nil {
		s.known = make(map[string]bool)
	}
	s.known[m.Name] = true
	s.files = append(s.files, m)
}
