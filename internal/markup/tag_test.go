package markup

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// TestTags: our parsers of HTML find what those of goldmark find.
func TestTags(t *testing.T) {
	parts := strings.Fields("< </ <a <a> </a> <B-2> </B-2> <a_b> <1> <-> <a/> </a/> <a&b> <p <p> </p> <pre> </pre> <pre" +
		" <script> </script> <\u017fcript> <\u212a> <a\u0301> <em <!-- --> <? ?> <!A <!a> <![CDATA[ ]]> <https://a.b> <a@b.c>" +
		" > / - _ 1 word = \" ' c=\"d\" <br/> \\< ` ** * ~~ [ ](x)")
	parts = append(parts, " ", " ", "  ", "    ", "\t", "\n", "\n", "\n\n", "\n> ", "\n- ")
	of := func(e goldmark.Extender) goldmark.Markdown {
		return goldmark.New(goldmark.WithExtensions(e), goldmark.WithRendererOptions(html.WithUnsafe()))
	}
	fast, whole := of(dialect{addresses}), of(extension.GFM)
	random := rand.New(rand.NewPCG(1, 2))
	tags := 0
	for range 60_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		var got, want strings.Builder
		if fast.Convert([]byte(b.String()), &got) != nil || whole.Convert([]byte(b.String()), &want) != nil {
			t.Fatalf("%q cannot be drawn", b.String())
		}
		if got.String() != want.String() {
			t.Fatalf("%q is drawn as\n%s\nwant\n%s", b.String(), got.String(), want.String())
		}
		if strings.Contains(want.String(), "<B-2>") {
			tags++
		}
	}
	if tags < 1000 {
		t.Errorf("only %d texts have the tag B-2", tags)
	}
}
