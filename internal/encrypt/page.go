package encrypt

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"

	"viewer/assets"
)

var (
	//go:embed unlock.html
	shell string
	//go:embed unlock.css
	style string
	//go:embed unlock.js
	script string
)

// The marks in unlock.html, each on a separate line.
const (
	policyMark, styleMark, scriptMark, dataMark = "POLICY", "STYLE", "SCRIPT", "CIPHERTEXT"
)

// parts returns the text before and after the ciphertext, which is the same in all pages.
var parts = sync.OnceValues(func() (before, after string) {
	// The decrypted document replaces the content of this one and stays under its policy, so it cannot run more than
	// the original page.
	policy := fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s %s; img-src data:; base-uri 'none'; form-action 'none'",
		hashOf(script), hashOf(assets.Script().Text), hashOf(style), hashOf(assets.Stylesheet().Text))
	page := strings.NewReplacer(policyMark, policy, styleMark, style, scriptMark, script).Replace(shell)
	before, after, _ = strings.Cut(page, dataMark)
	return before, after
})

// hashOf returns the hash of a text in the form of a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Page encrypts a page that needs no other file. The result needs none either, and asks for the password.
func (k *Key) Page(page []byte) ([]byte, error) {
	data, err := k.encrypt(page)
	if err != nil {
		return nil, err
	}
	before, after := parts()
	out := make([]byte, 0, len(before)+len(after)+base64.StdEncoding.EncodedLen(len(data)))
	out = base64.StdEncoding.AppendEncode(append(out, before...), data)
	return append(out, after...), nil
}

// Open decrypts the result of Page. It is for tests: readers use unlock.js.
func Open(page []byte, password string) ([]byte, error) {
	before, after := parts()
	coded, ok := bytes.CutPrefix(page, []byte(before))
	coded, ended := bytes.CutSuffix(coded, []byte(after))
	if !ok || !ended {
		return nil, fmt.Errorf("not an encrypted page of this version of the program")
	}
	data, err := base64.StdEncoding.AppendDecode(nil, coded)
	if err != nil {
		return nil, err
	}
	return decrypt(data, password)
}
