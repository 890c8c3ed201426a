package htmlcheck

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

//go:embed allowed.txt
var allowedList string

// allowed are the attributes that our templates write, by element.
var allowed = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(allowedList) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		attrs := map[string]bool{}
		for _, a := range words[1:] {
			attrs[a] = true
		}
		all[words[0]] = attrs
	}
	return all
}()

// values are the values that our templates write for an attribute. Attributes that are not listed have any text.
var values = map[string]*regexp.Regexp{
	"id":         regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]*$`),
	"class":      regexp.MustCompile(`^[A-Za-z0-9 -]*$`),
	"data-lang":  regexp.MustCompile(`^[A-Za-z0-9+#._-]{1,20}$`),
	"for":        regexp.MustCompile(`^[a-z0-9-]+$`),
	"name":       regexp.MustCompile(`^[a-z-]+$`),
	"rel":        regexp.MustCompile(`^(?:noopener noreferrer nofollow|stylesheet|icon|next|prev|first|last)$`),
	"role":       regexp.MustCompile(`^(?:doc-)?[a-z]+$`),
	"type":       regexp.MustCompile(`^(?:button|checkbox|date|radio|search|text)$`),
	"tabindex":   regexp.MustCompile(`^(?:-1|0)$`),
	"lang":       regexp.MustCompile(`^en$`),
	"loading":    regexp.MustCompile(`^lazy$`),
	"http-equiv": regexp.MustCompile(`(?i)^content-security-policy$`),
	"start":      regexp.MustCompile(`^\d+$`),
	"width":      regexp.MustCompile(`^[\d.]+%?$`),
	"height":     regexp.MustCompile(`^[\d.]+$`),
	"href":       regexp.MustCompile(`^(?i:https?://|mailto:|#|[^:/?#]+(?:[/?#]|$))`),
	"src":        regexp.MustCompile(`^[^:/?#]+(?:[/?#]|$)`),
}

// ForeignMarkup returns every element, attribute and value in the pages of a site that our templates never write, and
// every comment: such markup comes from the text of a session. It does not know how pages are made, and parses them
// with golang.org/x/net.
func ForeignMarkup(fsys fs.FS) ([]string, error) {
	var findings []string
	pages := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." { // the state, which has no pages
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		pages++
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		findings = append(findings, foreign(name, data, false)...)
		return nil
	})
	if err == nil && pages == 0 {
		err = fmt.Errorf("the site has no .html file")
	}
	return findings, err
}

// ForeignMarkupInPage is ForeignMarkup for one page.
func ForeignMarkupInPage(name string, page []byte) []string { return foreign(name, page, false) }

// ForeignMarkupInSingle is ForeignMarkup for a page that contains its style sheet, script and pictures.
func ForeignMarkupInSingle(name string, page []byte) []string { return foreign(name, page, true) }

func foreign(name string, data []byte, single bool) []string {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return []string{name + ": " + err.Error()}
	}
	return foreignIn(name, root, single)
}

func foreignIn(name string, root *html.Node, single bool) []string {
	var findings []string
	find := func(format string, args ...any) {
		findings = append(findings, name+": "+fmt.Sprintf(format, args...))
	}
	styles, scripts := 0, 0
	near := ""
	for n := range root.Descendants() {
		switch n.Type {
		case html.CommentNode:
			find("a comment: %q (near #%s)", brief(n.Data), near)
		case html.TextNode:
			if r := formatCharacter(n.Data); r != 0 &&
				(n.Parent == nil || n.Parent.Data != "script" && n.Parent.Data != "style") {
				find("the text %q contains %U, which is invisible (near #%s)", brief(n.Data), r, near)
			}
		case html.ElementNode:
			if id, ok := attr(n, "id"); ok {
				near = id
			}
			kind := n.Data
			if n.Namespace != "" {
				kind = n.Namespace + ":" + n.Data
			}
			if single && (kind == "style" || kind == "script") {
				if kind == "style" {
					styles++
				} else {
					scripts++
				}
				if styles > 1 || scripts > 1 {
					find("a second <%s> (near #%s)", kind, near)
				}
				continue
			}
			attrs, ok := allowed[kind]
			if !ok && inCode(n) {
				attrs, ok = allowed["code>"+kind]
			}
			if !ok {
				find("<%s>, an element that no template writes (near #%s)", kind, near)
				continue
			}
			for _, a := range n.Attr {
				if single && inside(n, a) {
					continue
				}
				if fault := foreignAttribute(a, attrs[a.Key]); fault != "" {
					find("<%s %s=%q>%s (near #%s)", kind, a.Key, brief(a.Val), fault, near)
				}
			}
		}
	}
	return findings
}

// foreignAttribute says what is wrong with an attribute, "" if nothing is.
func foreignAttribute(a html.Attribute, known bool) string {
	switch value := values[a.Key]; {
	case !known:
		return ", an attribute that no template writes"
	case value != nil && !value.MatchString(a.Val):
		return ", a value that no template writes"
	case formatCharacter(a.Val) != 0:
		return fmt.Sprintf(" contains %U, which is invisible", formatCharacter(a.Val))
	}
	return ""
}

func inCode(n *html.Node) bool {
	for up := range n.Ancestors() {
		if up.Type == html.ElementNode && up.Data == "code" {
			return true
		}
	}
	return false
}

// inside reports whether an attribute is one that only a single-file page has: for its pictures, and for texts to save.
func inside(n *html.Node, a html.Attribute) bool {
	switch a.Key {
	case "src":
		return n.Data == "img" && picture.MatchString(a.Val)
	case "href":
		_, saved := attr(n, "download")
		return n.Data == "a" && (saved && text.MatchString(a.Val) || picture.MatchString(a.Val))
	case "download":
		return n.Data == "a" && mediaName.MatchString(a.Val)
	}
	return false
}

var (
	picture   = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$`)
	text      = regexp.MustCompile(`^data:(?:text/plain;charset=utf-8|application/pdf|application/octet-stream);base64,[A-Za-z0-9+/=]*$`)
	mediaName = regexp.MustCompile(`^[0-9a-f]{16}\.[a-z0-9]+$`)
)

// formatCharacter returns the first control or format character of a text, which may reorder or hide the text around
// it, or 0 if there is none. Joiners are allowed where emoji and scripts need them.
func formatCharacter(s string) rune {
	before := rune(0)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
		// In emoji of families and flags, and in Persian.
		case r == 0x200c || r == 0x200d || r >= 0xe0020 && r <= 0xe007f:
			if before < 0x600 {
				return r
			}
		case r == 0x200b && before >= 0xe00 && before < 0x1800: // between words in Thai and Khmer
		case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r),
			unicode.Is(unicode.Cc, r), r == 0x2028, r == 0x2029:
			return r
		}
		before = r
	}
	return 0
}
