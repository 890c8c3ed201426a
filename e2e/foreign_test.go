package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// TestSearchForeign loads a file of the search index from a page of the site and from a page of another host. As a
// script it is sent to both, but the second page must not learn its contents.
func TestSearchForeign(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(builtSite(t))); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer site.Close()
	page := []byte(`<!doctype html><title>asking</title><script>var told = "", ended = false; window.viewerData = (data) => told = typeof data</script>
<script src="` + site.URL + `/search/index.js"></script><script>ended = true</script>`)
	if err := os.WriteFile(filepath.Join(root, "asking.html"), page, 0o600); err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	defer other.Close()
	for address, want := range map[string]string{site.URL + "/asking.html": "string", other.URL + "/": ""} {
		tb := openTab(t, root, withScript)
		tb.open(t, address)
		tb.await(t, `window.ended`, "the end of the page")
		if got := eval[string](t, tb, `told`); got != want {
			t.Errorf("%s got %q, want %q", address, got, want)
		}
	}
}
