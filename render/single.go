package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"viewer/assets"
	"viewer/normalize"
)

// DrawSingle draws sessions as one file that needs no other: the stylesheet and
// the script stand in the page, the media in its links. Its policy allows just
// that, by hash, so that nothing else in it could run or load.
func DrawSingle(sessions []Session) Drawing {
	var all Drawing
	var pages []singlePage
	for i, s := range sessions {
		d := drawSession(s, true)
		data := make(map[string][]byte)
		for _, m := range d.Media {
			data[m.Name] = m.Data
		}
		page := singlePage{title: d.Summary.Title, html: embed(d.Pages[0].HTML, data)}
		if i > 0 {
			page.html = apart(page.html, SinglePrefix(i))
		}
		pages = append(pages, page)
		all.Ledger = all.Ledger.Add(d.Ledger)
		all.Summary = d.Summary
	}
	all.Pages = []Page{{Name: "report.html", HTML: bind(pages)}}
	return all
}

// SinglePrefix is what the names of places begin with in session i of a file
// that holds several.
func SinglePrefix(i int) string {
	if i == 0 {
		return ""
	}
	return "s" + strconv.Itoa(i+1) + "-"
}

// Places are the pages of a session, below its folder, by the anchors that
// stand on them.
func (b *Book) Places() map[string]string { return b.b.d.pages }

// singlePolicy lets just our style, our script and the pictures inside.
func singlePolicy() string {
	return "default-src 'none'; script-src " + hashOf(assets.Script.Text) + "; style-src " + hashOf(assets.Stylesheet.Text) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// hashOf names a text for a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// onePage puts all turns of a conversation on one page.
func onePage(c *normalize.Conversation) []leaf {
	var page []leaf
	number := 0
	for _, t := range c.Turns {
		l := leaf{turn: t, items: t.Items, first: true, last: true}
		if t.Asked() {
			number++
			l.number = number
		}
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			page = append(page, l)
		}
	}
	return page
}

// A picture that is a link to itself, and any other link to a file of the
// media. Templates write them; in a text the quotes around the address would
// not stand in a tag.
var (
	thumbLink = regexp.MustCompile(`<a class="thumb" href="[^"]*">`)
	mediaLink = regexp.MustCompile(`(href|src)="(?:\.\./)+(media/[^"]+)"`)
)

// embed puts style and script into their elements, and the media into the
// links to them. A picture opens in its place,
// since browsers do not go to an address that is data; anything else is saved.
// Icons get a size, for hosts whose own policy keeps the stylesheet out.
func embed(page []byte, media map[string][]byte) []byte {
	pictures := 0
	page = inTags(page, func(tag string) string {
		if thumbLink.MatchString(tag) {
			pictures++
			id := "picture-" + strconv.Itoa(pictures)
			return `<a class="thumb" id="` + id + `" href="#` + id + `">`
		}
		tag = mediaLink.ReplaceAllStringFunc(tag, func(link string) string {
			m := mediaLink.FindStringSubmatch(link)
			data, ok := media[m[2]]
			if !ok {
				return link
			}
			address := `="data:` + mediaType(m[2]) + ";base64," + base64.StdEncoding.EncodeToString(data) + `"`
			if m[1] == "src" {
				return "src" + address
			}
			return `download="` + path.Base(m[2]) + `" href` + address
		})
		switch {
		case strings.HasPrefix(tag, "<svg") && strings.Contains(tag, `class="sprite"`):
			return strings.Replace(tag, "<svg", `<svg width="0" height="0"`, 1)
		case strings.HasPrefix(tag, "<svg") && !strings.Contains(tag, " width=") && !strings.Contains(tag, "viewBox="): // an icon
			return strings.Replace(tag, "<svg", `<svg width="16" height="16"`, 1)
		}
		return tag
	})
	page = bytes.Replace(page, []byte("<style></style>"), []byte("<style>"+assets.Stylesheet.Text+"</style>"), 1)
	return bytes.Replace(page, []byte("<script></script>"), []byte("<script>"+assets.Script.Text+"</script>"), 1)
}

func mediaType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".jpg":
		return "image/jpeg"
	case ".png", ".gif", ".webp", ".avif", ".bmp":
		return "image/" + ext[1:]
	case ".pdf":
		return "application/pdf"
	case ".txt":
		return "text/plain;charset=utf-8"
	}
	return "application/octet-stream"
}

// inTags changes the tags of a page and nothing between them.
func inTags(page []byte, change func(string) string) []byte {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(0)
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return out.Bytes()
		case html.StartTagToken, html.SelfClosingTagToken:
			out.WriteString(change(string(raw)))
		default:
			out.Write(raw)
		}
	}
}

// idLike are the attributes that name a place of the page.
var idLike = regexp.MustCompile(` (id|for|aria-labelledby|aria-controls|href|name)="(#?)([^"]*)"`)

// apart gives the places of a page a prefix, so that it may stand below another.
func apart(page []byte, prefix string) []byte {
	return inTags(page, func(tag string) string {
		return idLike.ReplaceAllStringFunc(tag, func(attribute string) string {
			m := idLike.FindStringSubmatch(attribute)
			isLink := m[1] == "href"
			if isLink != (m[2] == "#") || isLink && strings.HasPrefix(m[3], "i-") || m[3] == "" {
				return attribute
			}
			return " " + m[1] + `="` + m[2] + prefix + m[3] + `"`
		})
	})
}

// A singlePage is one session on its way into the file.
type singlePage struct {
	title string
	html  []byte
}

// bind makes one page of several: the head, the outlines and the contents of
// all. Templates write the marks between which these stand.
func bind(pages []singlePage) []byte {
	if len(pages) == 1 {
		return pages[0].html
	}
	const outlineStart, outlineEnd = `<nav class="out"`, `</details></nav>`
	const mainStart, mainEnd = `<main `, `</main>`
	var head, tail []byte
	var outlines, mains []string
	for i, p := range pages {
		before, rest, _ := bytes.Cut(p.html, []byte(outlineStart))
		outline, rest, _ := bytes.Cut(rest, []byte(outlineEnd))
		_, rest, _ = bytes.Cut(rest, []byte(mainStart))
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		main, after, _ := bytes.Cut(rest, []byte(mainEnd))
		_, outline, _ = bytes.Cut(outline, []byte("</summary>"))
		if i == 0 {
			head, tail = before, after
		}
		id := "session-" + strconv.Itoa(i+1)
		title := template.HTMLEscapeString(p.title)
		outlines = append(outlines, `<p class="cap"><a href="#`+id+`">`+title+"</a></p>\n"+string(outline))
		mains = append(mains, `<div class="session" id="`+id+`">`+string(main)+"</div>\n")
	}
	title := plural(len(pages), "session", "sessions")
	head = regexp.MustCompile(`<title>[^<]*</title>`).ReplaceAll(head, []byte("<title>"+title+"</title>"))
	head = regexp.MustCompile(`<b aria-current="page">[^<]*</b>`).ReplaceAll(head, []byte(`<b aria-current="page">`+title+"</b>"))
	var out bytes.Buffer
	out.Write(head)
	out.WriteString(outlineStart + ` aria-label="On this page"><details><summary>` + title + "</summary>\n" + strings.Join(outlines, "\n") + outlineEnd + "\n")
	out.WriteString(mainStart + `id="main" tabindex="-1">` + "\n" + strings.Join(mains, "") + mainEnd)
	out.Write(tail)
	return out.Bytes()
}
