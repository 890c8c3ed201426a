package serve

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzRequest: whatever the path and the host are, no answer contains anything from outside of the site, and only
// requests with a host name of this machine succeed.
func FuzzRequest(f *testing.F) {
	for _, path := range []string{
		"/", "/s/one", "/s/one/", "/../secret.html", "/..%2fsecret.html", "/out/index.html", "/.viewer/manifest.json",
		"//evil.example/", "/-/live.1111111111.js", "/%00", `/\..\secret.html`,
	} {
		for _, host := range []string{
			"localhost", "127.0.0.1:80", "[::1]", "evil.example", "127.0.0.1.evil.example", "",
		} {
			f.Add(path, host)
		}
	}
	dir := testSite(f)
	f.Fuzz(func(t *testing.T, path, host string) {
		u, err := url.Parse(path)
		if err != nil || u.Path == "/-/events" {
			return
		}
		w := httptest.NewRecorder()
		New(Options{
			Dir: dir, Live: []File{script}, Style: style,
		}).ServeHTTP(w, &http.Request{Method: "GET", URL: u, Host: host, Header: http.Header{}})
		body := w.Body.String()
		if strings.Contains(body, "secret") {
			t.Errorf("the answer to %q contains the secret", path)
		}
		name, ok := hostName(host)
		here := ok && (name == "localhost" || strings.HasPrefix(name, "127.") || strings.HasSuffix(name, ":1") ||
			strings.HasPrefix(name, "::ffff:"))
		if w.Code < 400 && !here {
			t.Errorf("%q with host %q: got %d, want an error", path, host, w.Code)
		}
		if to := w.Header().Get("Location"); strings.HasPrefix(to, "//") || strings.Contains(to, ":") &&
			!strings.HasPrefix(to, "/") {
			t.Errorf("%q redirects to %q", path, to)
		}
	})
}
