package single

import (
	"bytes"
	"encoding/base64"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"viewer/assets"
	"viewer/render/page"
)

// A picture that links to itself, and other links to media. Only templates write these: in texts the quotes would be
// escaped.
var (
	thumbLink = page.Expression(`<a class="thumb" href="[^"]*">`)
	mediaLink = page.Expression(`(href|src)="(?:\.\./)+(media/[^"]+)"`)
)

// embed replaces links to media by their data. A picture opens in place, since browsers do not navigate to data
// addresses; other media are downloaded. Icons get a size, for hosts whose policy blocks the style sheet.
func embed(page []byte, media map[string][]byte) []byte {
	pictures := 0
	page = inTags(page, func(tag string) string {
		if thumbLink().MatchString(tag) {
			pictures++
			id := "picture-" + strconv.Itoa(pictures)
			return `<a class="thumb" id="` + id + `" href="#` + id + `">`
		}
		tag = mediaLink().ReplaceAllStringFunc(tag, func(link string) string {
			m := mediaLink().FindStringSubmatch(link)
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
		// an icon
		case strings.HasPrefix(tag, "<svg") && !strings.Contains(tag, " width=") && !strings.Contains(tag, "viewBox="):
			return strings.Replace(tag, "<svg", `<svg width="16" height="16"`, 1)
		}
		return tag
	})
	return page
}

// inlineAssets embeds style and script.
func inlineAssets(page []byte) []byte {
	page = bytes.Replace(page, []byte("<style></style>"), []byte("<style>"+assets.Stylesheet().Text+"</style>"), 1)
	return bytes.Replace(page, []byte("<script></script>"), []byte("<script>"+assets.Script().Text+"</script>"), 1)
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

// inTags changes the tags of a page, but not the text between them.
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

// idLike matches attributes that refer to ids of the page.
var idLike = page.Expression(` (id|for|aria-labelledby|aria-controls|href|name)="(#?)([^"]*)"`)

// prefixIDs adds a prefix to the ids of a page, so that several can be in one file.
func prefixIDs(page []byte, prefix string) []byte {
	return inTags(page, func(tag string) string {
		return idLike().ReplaceAllStringFunc(tag, func(attribute string) string {
			m := idLike().FindStringSubmatch(attribute)
			isLink := m[1] == "href"
			if isLink != (m[2] == "#") || isLink && strings.HasPrefix(m[3], "i-") || m[3] == "" {
				return attribute
			}
			return " " + m[1] + `="` + m[2] + prefix + m[3] + `"`
		})
	})
}
