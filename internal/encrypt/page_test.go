package encrypt

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const secret = "correct horse battery staple"

// TestPage: a page can be decrypted with its password, and without it neither the text nor its exact size is known.
func TestPage(t *testing.T) {
	if rounds < 600_000 {
		t.Errorf("got %d rounds, want at least 600,000", rounds)
	}
	k, err := deriveKey(secret, [saltSize]byte{1, 2, 3}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	document := []byte("<!doctype html><title>Mend the pump</title>")
	page, err := k.Page(document)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Open(page, secret); err != nil || !bytes.Equal(got, document) {
		t.Errorf("decrypted: got %q, error %v, want the document", got, err)
	}
	if _, err := Open(page, secret+" "); !errors.Is(err, ErrPassword) {
		t.Errorf("with another password: error %v, want ErrPassword", err)
	}
	if bytes.Contains(page, []byte("the pump")) { // with a space, which does not occur in base64
		t.Error("the page contains its plain text")
	}
	again, err := k.Page(document)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(page, again) {
		t.Error("a nonce was used twice")
	}
	longer, err := k.Page(append(document, "and more of it"...))
	if err != nil {
		t.Fatal(err)
	}
	if len(longer) != len(page) {
		t.Errorf("pages of different lengths have %d and %d bytes, want the same", len(page), len(longer))
	}
	before, after := parts()
	for _, mark := range []string{policyMark, styleMark, scriptMark, dataMark} {
		if strings.Contains(before+after, mark) {
			t.Errorf("the page still contains %s", mark)
		}
	}
	for _, at := range []int{len(before) + 12, len(page) / 2, len(page) - len(after) - 8} { // salt, text, tag
		changed := bytes.Clone(page)
		changed[at] = map[bool]byte{true: 'B', false: 'A'}[changed[at] == 'A']
		if _, err := Open(changed, secret); !errors.Is(err, ErrPassword) {
			t.Errorf("a change at %d: error %v, want ErrPassword", at, err)
		}
	}
}

// TestText: short texts and tags depend on the key, and a password with the same salt gives the same key.
func TestText(t *testing.T) {
	k, err := NewKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	again, err := KeyOf(secret, k.Salt())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "Mend the pump", strings.Repeat("pump", 200)} {
		if got, err := again.OpenText(k.Text(text)); err != nil || got != text {
			t.Errorf("decrypted %q: got %q, error %v", text, got, err)
		}
		if k.Tag([]byte(text)) != again.Tag([]byte(text)) {
			t.Errorf("the tags of %q differ", text)
		}
	}
	if len(k.Text("a")) != len(k.Text("Mend the pump")) {
		t.Error("short texts of different lengths have ciphertexts of different lengths")
	}
	other, err := deriveKey("another", k.salt, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.OpenText(k.Text("a")); !errors.Is(err, ErrPassword) {
		t.Errorf("with another password: error %v, want ErrPassword", err)
	}
	if other.Tag(nil) == k.Tag(nil) {
		t.Error("the tags do not depend on the password")
	}
	if _, err := KeyOf(secret, "abc"); err == nil {
		t.Error("an invalid salt is accepted")
	}
}

func TestPadded(t *testing.T) {
	last := 0
	sizes := make(map[int]bool)
	for size := 1; size < 64<<20; size += size/100 + 1 {
		p := padded(size)
		if p < size || p < last || size > smallest && p-size > size/8 {
			t.Fatalf("%d is padded to %d, want at most an eighth more", size, p)
		}
		if padded(p) != p {
			t.Fatalf("%d is padded again, to %d", p, padded(p))
		}
		last = p
		sizes[p] = true
	}
	if n := len(sizes); n > 90 {
		t.Errorf("got %d different sizes, want at most 90", n)
	}
}
