package normalize

import (
	"strings"
	"testing"
)

// TestManyTags: more tags than any real envelope has are parsed, and what follows them is text.
func TestManyTags(t *testing.T) {
	const tag = "<system-reminder>The same</system-reminder>\n"
	tags, rest := openEnvelope(strings.Repeat(tag, maxTags+2) + "Go")
	if len(tags) != maxTags || strings.TrimLeft(rest, "\n") != tag+tag+"Go" {
		t.Errorf("got %d tags and %d more bytes, want %d and %d", len(tags), len(rest), maxTags,
			len(tag+tag+"Go"))
	}
	if tags, rest := openEnvelope(tag + "Go"); len(tags) != 1 || strings.TrimSpace(rest) != "Go" {
		t.Errorf("got %d tags and text %q, want 1 and Go", len(tags), rest)
	}
}
