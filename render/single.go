package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"path"
	"regexp"
	"slices"
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
	parts := make([]SinglePart, len(sessions))
	pages := make([][]byte, len(sessions))
	for i, s := range sessions {
		d := drawSession(s, true)
		parts[i], pages[i] = newSinglePart(d, i)
		all.Ledger = all.Ledger.Add(d.Ledger)
		all.Summary = d.Summary
	}
	var page bytes.Buffer
	err := BindSingle(&page, parts, nil, func(i, from, to int) ([]byte, error) { return pages[i][from:to], nil })
	if err != nil {
		panic(err) // memory can be read and written
	}
	all.Pages = []Page{{Name: "report.html", HTML: page.Bytes()}}
	return all
}

// A SinglePart says where in the HTML of a session that is part of one file its outline and
// its contents stand.
type SinglePart struct {
	title         string
	size          int
	outline, main [2]int // from and to
}

// DrawSinglePart draws session i of a file, and gives HTML for BindSingle to ask for.
func DrawSinglePart(s Session, i int) (SinglePart, []byte) {
	return newSinglePart(drawSession(s, true), i)
}

func newSinglePart(d Drawing, i int) (SinglePart, []byte) {
	media := make(map[string][]byte)
	for _, m := range d.Media {
		media[m.Name] = m.Data
	}
	page := embed(d.Pages[0].HTML, media)
	if i > 0 {
		page = apart(page, SinglePrefix(i))
	} else { // the others lose their heads
		page = dress(page)
	}
	p := SinglePart{title: strings.Clone(d.Summary.Title)} // which may be a piece of the session
	outline := stretch(page, 0, outlineStart, outlineEnd)
	main := stretch(page, outline[1], mainStart, mainEnd)
	main[0] += bytes.IndexByte(page[main[0]:], '>') + 1
	if i > 0 {
		start := outline[0] + bytes.Index(page[outline[0]:outline[1]], []byte(summaryEnd))
		kept := append(slices.Clone(page[start:outline[1]]), page[main[0]:main[1]]...)
		n := outline[1] - start
		outline, main, page = [2]int{0, n}, [2]int{n, len(kept)}, kept
	}
	p.outline, p.main, p.size = outline, main, len(page)
	return p, page
}

// Templates write the marks between which outline and contents stand.
const (
	outlineStart, outlineEnd = `<nav class="out"`, `</details></nav>`
	mainStart, mainEnd       = `<main `, `</main>`
	summaryEnd               = "</summary>"
)

// stretch is what stands between two marks.
func stretch(page []byte, from int, start, end string) [2]int {
	at := from + bytes.Index(page[from:], []byte(start)) + len(start)
	return [2]int{at, at + bytes.Index(page[at:], []byte(end))}
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
func (b *Book) Places() map[string]string { return b.b.data.anchorPages }

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

// embed puts the media into the links to them. A picture opens in its place, since browsers do not go to an address that is data; anything else is saved.
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
	return page
}

// dress puts style and script into their elements.
func dress(page []byte) []byte {
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

// BindSingle writes the file of all parts: the head of the first, the outlines and the contents of
// all, and the end of the first. Failures of the report stand above the contents. html gives a
// stretch of the HTML of a part.
func BindSingle(w io.Writer, parts []SinglePart, failures []string, html func(i, from, to int) ([]byte, error)) error {
	b := binder{w: w, html: html}
	if len(parts) == 1 {
		b.copy(0, 0, parts[0].main[0])
		b.write(executePage(nil, "partial/failures", failures))
		b.copy(0, parts[0].main[0], parts[0].size)
		return b.err
	}
	title := plural(len(parts), "session", "sessions")
	if len(parts) > 0 {
		head := b.read(0, 0, parts[0].outline[0]-len(outlineStart))
		head = regexp.MustCompile(`<title>[^<]*</title>`).ReplaceAll(head, []byte("<title>"+title+"</title>"))
		head = regexp.MustCompile(`<b aria-current="page">[^<]*</b>`).ReplaceAll(head, []byte(`<b aria-current="page">`+title+"</b>"))
		b.write(head)
	}
	b.text(outlineStart + ` aria-label="On this page"><details><summary>` + title + "</summary>\n")
	for i, p := range parts {
		if i > 0 {
			b.text("\n")
		}
		b.text(`<p class="cap"><a href="#` + sessionID(i) + `">` + template.HTMLEscapeString(p.title) + "</a></p>\n")
		_, outline, _ := bytes.Cut(b.read(i, p.outline[0], p.outline[1]), []byte(summaryEnd))
		b.write(outline)
	}
	b.text(outlineEnd + "\n" + mainStart + `id="main" tabindex="-1">` + "\n")
	b.write(executePage(nil, "partial/failures", failures))
	for i, p := range parts {
		b.text(`<div class="session" id="` + sessionID(i) + `">`)
		b.copy(i, p.main[0], p.main[1])
		b.text("</div>\n")
	}
	b.text(mainEnd)
	if len(parts) > 0 {
		b.copy(0, parts[0].main[1]+len(mainEnd), parts[0].size)
	}
	return b.err
}

func sessionID(i int) string { return "session-" + strconv.Itoa(i+1) }

// A binder writes until something goes wrong.
type binder struct {
	w    io.Writer
	html func(i, from, to int) ([]byte, error)
	err  error
}

func (b *binder) read(i, from, to int) []byte {
	if b.err != nil {
		return nil
	}
	var data []byte
	data, b.err = b.html(i, from, to)
	return data
}

func (b *binder) copy(i, from, to int) { b.write(b.read(i, from, to)) }

func (b *binder) text(s string) { b.write([]byte(s)) }

func (b *binder) write(data []byte) {
	if b.err == nil {
		_, b.err = b.w.Write(data)
	}
}
