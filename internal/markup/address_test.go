package markup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// TestAddresses: the parser of addresses finds those that the parser of goldmark finds.
func TestAddresses(t *testing.T) {
	parts := strings.Split("a|word|x@example.com|x@|@|.com|"+strings.Repeat("n", 63)+"|http|http://|https://|ftp://|"+
		"www.|example.com|/a(b)|?q=1|HTTP://| | |\t|\n|\n\n|(|)|*|_|~|~~|**|.|,|:|;|!|<|>|[|]|`|\\|é|-|+", "|")
	short := goldmark.New(goldmark.WithExtensions(dialect{addresses}))
	whole := goldmark.New(goldmark.WithExtensions(extension.GFM))
	random := rand.New(rand.NewPCG(1, 2))
	links := 0
	for range 30_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		var got, want strings.Builder
		if short.Convert([]byte(b.String()), &got) != nil || whole.Convert([]byte(b.String()), &want) != nil {
			t.Fatalf("%q cannot be drawn", b.String())
		}
		if got.String() != want.String() {
			t.Fatalf("%q is drawn as\n%s\nwant\n%s", b.String(), got.String(), want.String())
		}
		if strings.Contains(want.String(), "<a href") {
			links++
		}
	}
	if links < 1000 {
		t.Errorf("only %d texts have an address", links)
	}
}

// TestWithoutAddresses: a text without addresses is drawn the same by the parsers that look for them.
func TestWithoutAddresses(t *testing.T) {
	parts := strings.Split("a|word|two words| | |  |\t|\n|\n|  \n|\\\n|\n\n|(|)|*|_|~|~~|**|__|.|,|:|;|!|<|>|<b>|[|]|](|"+
		"[^1]|[^1]: |`|``|\\|\\(|\\ |&|&amp;|é|-|- |1. |# |> |    |---|\n|--|\n|===|http|www.|ftp:", "|")
	markdown, typed := markdownGrammar, typedGrammar
	defer func() { markdownGrammar, typedGrammar = markdown, typed }()
	drawn := func(text string) string {
		html, ok := Typed(text)
		return strings.Join([]string{
			string(Markdown(text, "x")), string(Answer(text, "x")), Excerpt(text, 9), fmt.Sprint(html, ok),
			Forge(text),
		}, "\n")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		markdownGrammar, typedGrammar = markdown, typed
		got := drawn(text)
		markdownGrammar, typedGrammar = grammar{markdown.whole, markdown.whole}, grammar{typed.whole, typed.whole}
		if want := drawn(text); got != want {
			t.Fatalf("%q is drawn as\n%s\nwant\n%s", text, got, want)
		}
	}
}
