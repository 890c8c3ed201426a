package render

import (
	"regexp"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
)

// unclean matches text that no drawing may write. An empty .arg is allowed: it keeps the facts of a row at its end.
var unclean = regexp.MustCompile(`<no value>|ZgotmplZ|\{\{|%!|&amp;(lt|gt|amp|#3[49]);|<script|` +
	`class="( [^"]*|[^"]* |[^"]*  [^"]*)?"|` +
	`<(p|b|i|h\d|ul|ol|dl|dt|dd|code|pre|small|summary|div|section|span|a)( [^>]*)?></(p|b|i|h\d|ul|ol|dl|dt|dd|code|pre|small|summary|div|section|span|a)>`)

// TestClean searches all drawings of the golden cases.
func TestClean(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		html := golden.Open(t, path).Section(t, "want.html")
		for _, at := range unclean.FindAllStringIndex(html, -1) {
			found := html[at[0]:at[1]]
			if strings.HasPrefix(found, `<span class="arg`) {
				continue
			}
			t.Errorf("%s contains %q: %s", path, found, html[max(0, at[0]-80):min(len(html), at[1]+20)])
		}
	}
}
