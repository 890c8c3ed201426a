package indexpages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
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
	return hex.EncodeToString(p.hash(parts).Sum(nil)[:16])
}

// KeyOfView returns the key of a page that shows a view, and parts that are not in it.
func (p *Planner) KeyOfView(view any, parts ...string) string {
	h := p.hash(parts)
	encoder := json.NewEncoder(h)
	encoder.SetEscapeHTML(false) // half of some views is HTML
	if err := encoder.Encode(view); err != nil {
		panic("render: " + err.Error())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (p *Planner) hash(parts []string) hash.Hash {
	h := sha256.New()
	if p.Large {
		h.Write([]byte("large"))
	}
	for _, s := range append([]string{p.Generator, p.Prices, p.Sample, p.Comparison, assets.Stylesheet().Name,
		assets.Script().Name, strings.Join(p.Failures, "\n")}, parts...) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h
}
