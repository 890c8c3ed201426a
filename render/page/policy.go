package page

import (
	"crypto/sha256"
	"encoding/base64"

	"viewer/assets"
)

// Policy is that of a page that is self-contained: it lets just our style, our script and the pictures inside.
func Policy() string {
	return "default-src 'none'; script-src " + hashOf(assets.Script().Text) + "; style-src " +
		hashOf(assets.Stylesheet().Text) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// hashOf returns the hash of a text for a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
