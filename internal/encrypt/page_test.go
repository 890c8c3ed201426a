package encrypt

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const secret = "correct horse battery staple"

// TestPage: what was encrypted is there again with the password, and neither it nor its size is without.
func TestPage(t *testing.T) {
	if rounds < 600_000 {
		t.Errorf("%d rounds are too few", rounds)
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
		t.Errorf("decrypted: %q, %v", got, err)
	}
	if _, err := Open(page, secret+" "); !errors.Is(err, ErrPassword) {
		t.Errorf("with another password: %v", err)
	}
	if bytes.Contains(page, []byte("the pump")) { // with a blank, which no random ciphertext has
		t.Error("the page holds what it encrypts")
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
		t.Errorf("the sizes tell the lengths: %d and %d", len(page), len(longer))
	}
	before, after := parts()
	for _, mark := range []string{policyMark, styleMark, scriptMark, dataMark} {
		if strings.Contains(before+after, mark) {
			t.Errorf("the page still holds %s", mark)
		}
	}
	for _, at := range []int{len(before) + 12, len(page) / 2, len(page) - len(after) - 8} { // salt, text, tag
		changed := bytes.Clone(page)
		changed[at] = map[bool]byte{true: 'B', false: 'A'}[changed[at] == 'A']
		if _, err := Open(changed, secret); !errors.Is(err, ErrPassword) {
			t.Errorf("a change at %d: %v", at, err)
		}
	}
}

// TestText: short texts and tags need the key, and a key is the same with the same salt.
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
			t.Errorf("%q is %q, %v", text, got, err)
		}
		if k.Tag([]byte(text)) != again.Tag([]byte(text)) {
			t.Errorf("the tags of %q differ", text)
		}
	}
	if len(k.Text("a")) != len(k.Text("Mend the pump")) {
		t.Error("the lengths tell the lengths")
	}
	other, err := deriveKey("another", k.salt, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.OpenText(k.Text("a")); !errors.Is(err, ErrPassword) {
		t.Errorf("with another password: %v", err)
	}
	if other.Tag(nil) == k.Tag(nil) {
		t.Error("the tags do not depend on the password")
	}
	if _, err := KeyOf(secret, "abc"); err == nil {
		t.Error("a salt that is none is taken")
	}
}

func TestPadded(t *testing.T) {
	last := 0
	sizes := make(map[int]bool)
	for size := 1; size < 64<<20; size += size/100 + 1 {
		p := padded(size)
		if p < size || p < last || size > smallest && p-size > size/8 {
			t.Fatalf("%d is padded to %d", size, p)
		}
		if padded(p) != p {
			t.Fatalf("%d is padded again, to %d", p, padded(p))
		}
		last = p
		sizes[p] = true
	}
	if n := len(sizes); n > 90 {
		t.Errorf("%d sizes tell too much", n)
	}
}
