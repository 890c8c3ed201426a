package indexpages

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"viewer/assets"
)

// A Page is a page that is not drawn yet.
type Page struct {
	Name string // relative to the top of the site: "index.html", "m/2026-03.html", "p/ledger-api/index.html"
	Key  string // the same key means the same bytes
	HTML func() []byte
}

// A Planner lists pages of a site that are not of one session.
type Planner struct {
	Site
	Pages []Page
}

// Add adds a page.
func (p *Planner) Add(name, key string, draw func() []byte) {
	p.Pages = append(p.Pages, Page{Name: name, Key: key, HTML: draw})
}

// KeyOf returns the key of a page, including what every page depends on.
func (p *Planner) KeyOf(parts ...string) string {
	h := sha256.New()
	for _, s := range append([]string{p.Generator, p.Prices, p.Sample, p.Comparison, assets.Stylesheet().Name,
		assets.Script().Name, strings.Join(p.Failures, "\n")}, parts...) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	if p.Large {
		h.Write([]byte("large"))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
