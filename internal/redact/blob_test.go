package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestData: of a picture only the head is looked at, which finds what looking at all of it does.
func TestData(t *testing.T) {
	base64Only := func(word string) bool {
		for _, c := range []byte(word) {
			if !isBase64(c) || c == '=' {
				return false
			}
		}
		return true
	}
	var words []string
	for _, target := range builtin().targets {
		if base64Only(target.word) {
			words = append(words, target.word)
		}
	}
	dice := rand.New(rand.NewPCG(1, 9))
	found := 0
	for i := range 400 {
		var b strings.Builder
		if i%3 == 0 {
			b.WriteString([]string{gh, "pypi-AgEIcHlwaS5vcmc", "/home/mara/", "sk-ant-api03-"}[dice.IntN(4)])
		}
		for b.Len() < dice.IntN(4*blobPrefix) {
			b.WriteString(words[dice.IntN(len(words))])
			b.WriteString(fake(dice.Uint64(), 4+dice.IntN(200), alnum+"+/_-"))
		}
		blob := b.String()
		picture := string(newSession(t, Options{}).JSON([]byte(`{"data":"` + blob + `"}`)))
		other := string(newSession(t, Options{}).JSON([]byte(`{"that":"` + blob + `"}`)))
		if picture[len(`{"data`):] != other[len(`{"that`):] {
			t.Fatalf("got  %s\nwant %s\nfor  %s", picture, other, blob)
		}
		if !strings.Contains(picture, blob) {
			found++
		}
	}
	if found < 20 {
		t.Errorf("only in %d texts there was something to replace", found)
	}
}
