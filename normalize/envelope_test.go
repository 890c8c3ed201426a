package normalize

import (
	"strings"
	"testing"
)

// TestManyTags takes as many tags as any real envelope has; what follows them is text, whole.
func TestManyTags(t *testing.T) {
	const tag = "<system-reminder>The same</system-reminder>\n"
	tags, rest := openEnvelope(strings.Repeat(tag, maxTags+2) + "Go")
	if len(tags) != maxTags || strings.TrimLeft(rest, "\n") != tag+tag+"Go" {
		t.Errorf("%d tags are taken and %d bytes left, want %d and %d", len(tags), len(rest), maxTags,
			len(tag+tag+"Go"))
	}
	if tags, rest := openEnvelope(tag + "Go"); len(tags) != 1 || strings.TrimSpace(rest) != "Go" {
		t.Errorf("%d tags are taken and %q left, want one and Go", len(tags), rest)
	}
}
