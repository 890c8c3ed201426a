package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestData: of a picture only the start is searched, which finds the same as searching all of it.
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
	targets := builtin().targets
	for i := range targets {
		target := &targets[i]
		if base64Only(target.word) {
			words = append(words, target.word)
		}
	}
	rng := rand.New(rand.NewPCG(1, 9))
	found := 0
	for i := range 400 {
		var b strings.Builder
		if i%3 == 0 {
			b.WriteString([]string{gh, "pypi-AgEIcHlwaS5vcmc", "/home/mara/", "sk-ant-api03-"}[rng.IntN(4)])
		}
		for b.Len() < rng.IntN(4*blobPrefix) {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteString(fake(rng.Uint64(), 4+rng.IntN(200), alnum+"+/_-"))
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
		t.Errorf("%d texts had something to replace, want at least 20", found)
	}
}
