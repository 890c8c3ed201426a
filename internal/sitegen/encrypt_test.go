package sitegen

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"viewer/internal/encrypt"
)

// TestEncryptedHoldsNothing: an encrypted page is the page again with the password, and without it no word of it is
// there that is not in an encrypted page of nothing. Words of less than 8 letters stand in base64 by chance.
func TestEncryptedHoldsNothing(t *testing.T) {
	const password = "correct horse battery staple"
	s, err := OpenSession(t.Context(), Options{Sources: []string{"../../testdata/projects"}}, "d3905c7e")
	if err != nil {
		t.Fatal(err)
	}
	page := SinglePage(s)
	encrypted, err := EncryptPage(page, password)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := EncryptPage(nil, password)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := encrypt.Open(encrypted, password); err != nil || !bytes.Equal(got, page) {
		t.Errorf("decrypted it has %d bytes of %d, %v", len(got), len(page), err)
	}
	words := regexp.MustCompile(`[\pL\pN]{8,}`).FindAll(page, -1)
	slices.SortFunc(words, bytes.Compare)
	words = slices.CompactFunc(words, bytes.Equal)
	tried := 0
	for _, word := range words {
		if bytes.Contains(empty, word) {
			continue
		}
		tried++
		if bytes.Contains(encrypted, word) {
			t.Errorf("the encrypted page holds %q", word)
		}
	}
	if tried < 300 {
		t.Errorf("only %d words were looked for", tried)
	}
}
