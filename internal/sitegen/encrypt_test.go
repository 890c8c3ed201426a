package sitegen

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"viewer/internal/encrypt"
)

// TestEncryptedHoldsNothing: with the password, an encrypted page decrypts to the original. Without it, it contains no
// word of the original that is not in an encrypted empty page. Words of less than 8 letters are not checked, because
// they may occur in base64 by chance.
func TestEncryptedHoldsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector, and starts no goroutines")
	}
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
		t.Errorf("decrypted: got %d bytes, want the %d of the page, error %v", len(got), len(page), err)
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
			t.Errorf("the encrypted page contains %q", word)
		}
	}
	if tried < 300 {
		t.Errorf("%d words were looked for, want at least 300", tried)
	}
}
