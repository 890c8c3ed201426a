package serve

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// TestWrite sends notes in all ways in which pages of this server and of others can. Only one of them is accepted.
func TestWrite(t *testing.T) {
	var taken []string
	dir := testSite(t)
	s := New(Options{Dir: dir, Live: []File{script}, Style: style, Write: func(data []byte) error {
		if string(data) == "bad" {
			return errors.New("not a note")
		}
		taken = append(taken, string(data))
		return nil
	}})
	ask := func(s *Server, method, path, body string, header map[string]string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		for name, value := range header {
			r.Header.Set(name, value)
		}
		if host := header["Host"]; host != "" {
			r.Host = host
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	found := regexp.MustCompile(`name="viewer-notes" content="([A-Z2-7]{20,})"`).
		FindStringSubmatch(ask(s, "GET", "/", "", nil).Body.String())
	if found == nil {
		t.Fatal("the page has no token")
	}
	good := map[string]string{"Origin": "http://localhost", "Content-Type": "application/json", tokenHeader: found[1],
		"Sec-Fetch-Site": "same-origin"}
	with := func(name, value string) map[string]string {
		all := map[string]string{name: value}
		for k, v := range good {
			if k != name {
				all[k] = v
			}
		}
		return all
	}
	for _, c := range []struct {
		name, method, path, body string
		header                   map[string]string
		want                     int
	}{
		{"as a page does", "POST", writePath, "{}", good, http.StatusNoContent},
		{"a browser that does not say the site", "POST", writePath, "{}", with("Sec-Fetch-Site", ""), http.StatusNoContent},
		{"another origin", "POST", writePath, "{}", with("Origin", "http://evil.example"), http.StatusForbidden},
		{"another port", "POST", writePath, "{}", with("Origin", "http://localhost:1"), http.StatusForbidden},
		{"no origin", "POST", writePath, "{}", with("Origin", ""), http.StatusForbidden},
		{"a page on disk", "POST", writePath, "{}", with("Origin", "null"), http.StatusForbidden},
		{"another site", "POST", writePath, "{}", with("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"no token", "POST", writePath, "{}", with(tokenHeader, ""), http.StatusForbidden},
		{"another token", "POST", writePath, "{}", with(tokenHeader, found[1]+"A"), http.StatusForbidden},
		{"a form", "POST", writePath, "{}", with("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		{"too much", "POST", writePath, strings.Repeat("x", maxSent+1), good, http.StatusRequestEntityTooLarge},
		{"no note", "POST", writePath, "bad", good, http.StatusUnprocessableEntity},
		{"another host", "POST", writePath, "{}", with("Host", "evil.example"), http.StatusForbidden},
		{"another path", "POST", "/s/one/", "{}", good, http.StatusMethodNotAllowed},
		{"a question before", "OPTIONS", writePath, "", good, http.StatusMethodNotAllowed},
		{"reading", "GET", writePath, "", good, http.StatusNotFound},
		{"another method", "PUT", writePath, "{}", good, http.StatusMethodNotAllowed},
	} {
		taken = nil
		w := ask(s, c.method, c.path, c.body, c.header)
		if w.Code != c.want || (len(taken) > 0) != (c.want == http.StatusNoContent) {
			t.Errorf("%s: got %d, accepted %q; want %d", c.name, w.Code, taken, c.want)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: the answer allows other origins, want none", c.name)
		}
	}
	plain := New(Options{Dir: dir, Live: []File{script}, Style: style})
	if w := ask(plain, "POST", writePath, "{}", good); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("without Write: got %d, want 405", w.Code)
	}
	if strings.Contains(ask(plain, "GET", "/", "", nil).Body.String(), "viewer-notes") {
		t.Error("without Write: pages have a token")
	}
}
