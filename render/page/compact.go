package page

import (
	"regexp"
	"strings"
)

// compact returns the source of a template without what HTML implies, which is 2 % of a site: the end tags of cells,
// rows and items, line ends after them and at the beginning of tables and lists, and quotes around single words.
func compact(source string) string {
	source = impliedEnd.ReplaceAllString(source, "")
	source = beginning.ReplaceAllString(source, "$1")
	var b strings.Builder
	from := 0
	for _, at := range quotedWord.FindAllStringIndex(source, -1) {
		start, end := at[0], at[1]-1
		switch source[strings.LastIndexAny(source[:start], " \n}")+1 : start] {
		// Other attributes keep their quotes, since self-contained pages change ids and links (render/single), and
		// other programs may look for <meta> elements.
		case "class", "aria-hidden", "scope":
			b.WriteString(source[from:start] + "=" + source[start+len(`="`):end-1])
			from = end
		}
	}
	return b.String() + source[from:]
}

var (
	impliedEnd = regexp.MustCompile(`</(?:td|th|tr|thead|tbody|li|dt|dd)>\n*`)
	beginning  = regexp.MustCompile(`(<(?:table|thead|tbody|tr|ul|ol|dl)[^<>{}]*>)\n`)
	quotedWord = regexp.MustCompile(`="[a-z0-9-]+"[ >]`) // before a slash quotes are needed
)
