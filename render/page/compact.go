package page

import "regexp"

// compact returns the source of a template without what HTML implies, which is 2 % of a site: the end tags of cells,
// rows and items, line ends after them and at the beginning of tables and lists, and quotes around single words.
func compact(source string) string {
	source = impliedEnd.ReplaceAllString(source, "")
	source = beginning.ReplaceAllString(source, "$1")
	return quotedWord.ReplaceAllString(source, "$1=$2$3")
}

var (
	impliedEnd = regexp.MustCompile(`</(?:td|th|tr|thead|tbody|li|dt|dd)>\n*`)
	beginning  = regexp.MustCompile(`(<(?:table|thead|tbody|tr|ul|ol|dl)[^<>{}]*>)\n`)
	// Other attributes keep their quotes, since self-contained pages change ids and links (render/single), and other
	// programs may look for <meta> elements. Before a slash quotes are needed.
	quotedWord = regexp.MustCompile(`\b(class|aria-hidden|scope)="([a-z0-9-]+)"([ >])`)
)
