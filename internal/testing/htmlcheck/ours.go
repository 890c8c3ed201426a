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

//go:embed ours.txt
var oursList string

// ours are the attributes by element.
var ours = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(oursList) {
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

// values are what an attribute may hold, where that is no free text.
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

// Ours returns every element, attribute and value in the pages of a site that our templates never write, and every
// comment: text of a session that became markup. It does not know how pages are made, and parses them with
// golang.org/x/net.
func Ours(fsys fs.FS) ([]string, error) {
	var findings []string
	pages := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." { // what is remembered, no page
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

// OursPage is Ours for one page.
func OursPage(name string, page []byte) []string { return foreign(name, page, false) }

// OursSingle is Ours for a page that holds its style sheet, its script and its pictures.
func OursSingle(name string, page []byte) []string { return foreign(name, page, true) }

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
			if r := shapeless(n.Data); r != 0 &&
				(n.Parent == nil || n.Parent.Data != "script" && n.Parent.Data != "style") {
				find("the text %q holds %U, which nobody sees (near #%s)", brief(n.Data), r, near)
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
			attrs, ok := ours[kind]
			if !ok && inCode(n) {
				attrs, ok = ours["code>"+kind]
			}
			if !ok {
				find("<%s>, an element that we do not write (near #%s)", kind, near)
				continue
			}
			for _, a := range n.Attr {
				if single && inside(n, a) {
					continue
				}
				switch value := values[a.Key]; {
				case !attrs[a.Key]:
					find("<%s %s=%q>, an attribute that we do not write (near #%s)", kind, a.Key, brief(a.Val), near)
				case value != nil && !value.MatchString(a.Val):
					find("<%s %s=%q>, a value that we do not write (near #%s)", kind, a.Key, brief(a.Val), near)
				case shapeless(a.Val) != 0:
					find("<%s %s=%q> holds %U, which nobody sees (near #%s)", kind, a.Key, brief(a.Val),
						shapeless(a.Val), near)
				}
			}
		}
	}
	return findings
}

func inCode(n *html.Node) bool {
	for up := range n.Ancestors() {
		if up.Type == html.ElementNode && up.Data == "code" {
			return true
		}
	}
	return false
}

// inside says that an attribute is one that a single file has for what is in it: pictures, and texts to save.
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

// shapeless returns the first character of a text that reorders or hides what is around it, 0 for none: those of
// Unicode's category for it, but for the joiners of emoji and scripts, and controls.
func shapeless(s string) rune {
	before := rune(0)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
		case r == 0x200c || r == 0x200d || r >= 0xe0020 && r <= 0xe007f: // a family, a flag, Persian
			if before < 0x600 {
				return r
			}
		case r == 0x200b && before >= 0xe00 && before < 0x1800: // between words of Thai and Khmer
		case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r),
			unicode.Is(unicode.Cc, r), r == 0x2028, r == 0x2029:
			return r
		}
		before = r
	}
	return 0
}
