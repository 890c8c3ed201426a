package markup

import (
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
	short := goldmark.New(goldmark.WithExtensions(dialect{}))
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
