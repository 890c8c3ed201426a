package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/htmlcheck"
)

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + htmlcheck.Policy + `">
<title>A page</title>
<script async src="assets/viewer.0dc6679bc0.js"></script>
<link rel="stylesheet" href="assets/viewer.0dc6679bc0.css">
</head>
<body>
<p>&lt;/head&gt; is only text here.</p>
</body>
</html>
`

// testSite returns a folder with a site that has each kind of file, and files around it that must not be served.
func testSite(t testing.TB) string {
	t.Helper()
	above := t.TempDir()
	dir := filepath.Join(above, "site")
	for name, text := range map[string]string{
		"index.html":                   page,
		"s/one/index.html":             page,
		"s/one/2.html":                 page,
		"s/empty/readme.txt":           "no page here",
		"assets/viewer.0dc6679bc0.css": "p{}",
		"assets/viewer.0dc6679bc0.js":  "1",
		"media/3bf0d1c47f6f666e.png":   "\x89PNG\r\n\x1a\n<script>",
		"media/448d2da5b2d05777.txt":   "<script>",
		"media/448d2da5b2d05777.bin":   "<script>",
		"sessions.json":                "[]",
		".viewer/manifest.json":        "{}",
		"../secret.html":               "secret",
		"../secret/index.html":         "secret",
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for to, at := range map[string]string{
		filepath.Join(above, "secret.html"): "out.html",
		filepath.Join(above, "secret"):      "out",
		"../secret.html":                    "up.html",
		"s/one/2.html":                      "within.html",
	} {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Log("this system has no symbolic links: ", err)
		}
	}
	return dir
}

var (
	style  = File{"viewer.0dc6679bc0.css", "p{color:red}"}
	script = File{"live.1111111111.js", "live()"}
	sheet  = File{"live.2222222222.css", "i{}"}
)

// started serves a site on a free port, and returns its address.
func started(t *testing.T, s *Server) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, wait := s.Start(ctx, l)
	t.Cleanup(func() {
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// An answer is the response to one request.
type answer struct {
	code   int
	header http.Header
	body   string
}

// raw sends a request unchanged, while HTTP clients would normalize it.
func raw(t *testing.T, address, request string) answer {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(c, strings.ReplaceAll(request, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(body)}
}

func get(t *testing.T, address, path string, headers ...string) answer {
	t.Helper()
	var more strings.Builder
	for _, h := range headers {
		more.WriteString(h + "\n")
	}
	return raw(t, address, fmt.Sprintf("GET %s HTTP/1.1\nHost: %s\n%sConnection: close\n\n", path,
		address, more.String()))
}

// checkHeaders checks the security headers, which each answer must have.
func checkHeaders(t *testing.T, what string, a answer) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy":      policy + "; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: header %s: got %q, want %q", what, name, got, want)
		}
	}
	if a.header.Get("Cache-Control") == "" {
		t.Errorf("%s: no Cache-Control", what)
	}
	if a.body != "" && a.header.Get("Content-Type") == "" {
		t.Errorf("%s: no Content-Type", what)
	}
}

// TestPolicy: the policy in the header is that of the pages, plus the connection for events.
func TestPolicy(t *testing.T) {
	if got := strings.Replace(policy, "connect-src 'self'; ", "", 1); got != htmlcheck.Policy {
		t.Errorf("without connect-src the policy is\n%s\nwant that of the pages\n%s", got, htmlcheck.Policy)
	}
}

func TestFiles(t *testing.T) {
	address := started(t, New(Options{Dir: testSite(t), Style: style}))
	for _, c := range []struct {
		path, kind, body string
	}{
		{"/", "text/html; charset=utf-8", page},
		{"/index.html", "text/html; charset=utf-8", page},
		{"/s/one/", "text/html; charset=utf-8", page},
		{"/s/one/2.html", "text/html; charset=utf-8", page},
		{"/s/one/2.html?a=..%2f", "text/html; charset=utf-8", page},
		{"/within.html", "text/html; charset=utf-8", page},
		{"/assets/viewer.0dc6679bc0.css", "text/css; charset=utf-8", "p{}"},
		{"/assets/viewer.0dc6679bc0.js", "text/javascript; charset=utf-8", "1"},
		{"/media/3bf0d1c47f6f666e.png", "image/png", "\x89PNG\r\n\x1a\n<script>"},
		{"/media/448d2da5b2d05777.txt", "text/plain; charset=utf-8", "<script>"},
		{"/media/448d2da5b2d05777.bin", "application/octet-stream", "<script>"},
		{"/sessions.json", "application/json", "[]"},
		{"/s/empty/readme.txt", "text/plain; charset=utf-8", "no page here"},
		{"/-/viewer.0dc6679bc0.css", "text/css; charset=utf-8", "p{color:red}"},
	} {
		a := get(t, address, c.path)
		if a.code != 200 || a.body != c.body || a.header.Get("Content-Type") != c.kind {
			t.Errorf("%s: got %d %s %q, want 200 %s %q",
				c.path, a.code, a.header.Get("Content-Type"), a.body, c.kind, c.body)
		}
		checkHeaders(t, c.path, a)
		head := raw(t, address, "HEAD "+c.path+" HTTP/1.1\nHost: localhost\nConnection: close\n\n")
		if head.code != 200 || head.body != "" || head.header.Get("Content-Length") != fmt.Sprint(len(c.body)) {
			t.Errorf("HEAD %s: got %d %q, %s bytes, want %d", c.path, head.code, head.body,
				head.header.Get("Content-Length"), len(c.body))
		}
	}
	if a := get(t, address, "/favicon.ico"); a.code != 204 {
		t.Errorf("/favicon.ico: got %d, want 204", a.code)
	}
	a := get(t, address, "/s/one")
	if a.code != 301 || a.header.Get("Location") != "/s/one/" {
		t.Errorf("/s/one: got %d to %q, want 301 to /s/one/", a.code, a.header.Get("Location"))
	}
	checkHeaders(t, "a redirect", a)
}

// TestHostilePaths: nothing outside of the site is served, no hidden files, no listings, and no ambiguous paths.
func TestHostilePaths(t *testing.T) {
	address := started(t, New(Options{Dir: testSite(t), Style: style, Live: []File{script}}))
	for _, path := range []string{
		"/../secret.html", "/s/../../secret.html", "/s/one/../../../secret.html", "/%2e%2e/secret.html",
		"/..%2fsecret.html",
		"/%2e%2e%2fsecret.html", "/..%5csecret.html", "/..\\secret.html", "/s/one%2f2.html", "/s%5cone/2.html",
		"/s/./one/2.html",
		"/out.html", "/out/index.html", "/out/", "/out", "/up.html",
		"/.viewer/manifest.json", "/.viewer/", "/.viewer", "/%2eviewer/manifest.json",
		"/s/", "/s", "/s/empty/", "/s/empty", "/media/", "/assets", "/missing.html", "/index.html/", "/s/one/2.html/",
		"/index.html/x",
		"//index.html", "//evil.example/%2e%2e", "//s/one", "/s//one/2.html", "/s/one//", "/index.html%00",
		"/index.html%00.png", "/" + strings.Repeat("a/", 3000),
		"/-/", "/-", "/-/missing.js", "/-/../index.html", "/-/live.js", "/-/events/", "/-/live.1111111111.js/",
	} {
		a := get(t, address, path)
		if a.code != 404 || strings.Contains(a.body, "secret") || strings.Contains(a.body, "no page here") {
			t.Errorf("%.60s: got %d %q, want 404", path, a.code, a.body)
		}
		checkHeaders(t, path, a)
		if !strings.Contains(a.body, "No such page") || strings.Contains(a.body, "%s") {
			t.Errorf("%.60s: got the page %q, want one that says that there is no such page", path, a.body)
		}
	}
}

func TestMethods(t *testing.T) {
	address := started(t, New(Options{Dir: testSite(t), Live: []File{script}}))
	for _, method := range []string{
		"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get",
	} {
		for _, path := range []string{"/", "/-/events", "/-/live.1111111111.js", "/missing"} {
			a := raw(t, address, method+" "+path+" HTTP/1.1\nHost: localhost\nContent-Length: 0\nConnection: close\n\n")
			if a.code != 405 || a.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: got %d, Allow %q, want 405 with GET and HEAD",
					method, path, a.code, a.header.Get("Allow"))
			}
			checkHeaders(t, method, a)
		}
	}
	for host, want := range map[string]int{"localhost": 405, "evil.example": 403} {
		a := raw(t, address, "OPTIONS * HTTP/1.1\nHost: "+host+"\nConnection: close\n\n")
		if a.code != want {
			t.Errorf("OPTIONS * of %s: got %d, want %d", host, a.code, want)
		}
		checkHeaders(t, "OPTIONS *", a)
	}
}

// TestNotModified: a page that changes twice within a second never gets 304.
func TestNotModified(t *testing.T) {
	dir := testSite(t)
	s := New(Options{Dir: dir, Live: []File{script}})
	address := started(t, s)
	for _, path := range []string{"/s/one/2.html", "/sessions.json", "/media/448d2da5b2d05777.txt"} {
		tag := get(t, address, path).header.Get("Etag")
		if a := get(t, address, path, "If-None-Match: "+tag); tag == "" || a.code != 304 {
			t.Errorf("%s: got %d for the same file, tag %q, want 304", path, a.code, tag)
		}
		s.Announce([]string{"index.html"}) // another page
		if a := get(t, address, path, "If-None-Match: "+tag); a.code != 304 {
			t.Errorf("%s: got %d after another page changed, want 304", path, a.code)
		}
		full := filepath.Join(dir, filepath.FromSlash(path))
		old, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, append(old, '!'), 0o644); err != nil {
			t.Fatal(err)
		}
		if a := get(t, address, path, "If-None-Match: "+tag); a.code != 200 || !strings.HasSuffix(a.body, "!") {
			t.Errorf("%s: got %d after it changed, want 200 and the new page", path, a.code)
		}
	}
}

// TestSiteReplaced: the site's folder may be replaced while it is served.
func TestSiteReplaced(t *testing.T) {
	dir := testSite(t)
	address := started(t, New(Options{Dir: dir, Style: style}))
	if err := os.Rename(dir, dir+"-old"); err != nil {
		t.Fatal(err)
	}
	if a := get(t, address, "/"); a.code != 404 {
		t.Errorf("got %d without a site, want 404", a.code)
	}
	if err := os.Rename(dir+"-old", dir); err != nil {
		t.Fatal(err)
	}
	if a := get(t, address, "/"); a.code != 200 {
		t.Errorf("got %d with the new site, want 200", a.code)
	}
}

func TestAdapt(t *testing.T) {
	s := New(Options{Dir: testSite(t), Live: []File{script, sheet}})
	address := started(t, s)
	s.Announce([]string{"index.html"})
	at := s.log.lastID()
	want := strings.NewReplacer(
		`form-action 'none'">`, `form-action 'none'; connect-src 'self'">
<meta name="viewer-live" content="`+at+`">
<script src="/-/live.1111111111.js"></script>`,
		"</head>", "<link rel=\"stylesheet\" href=\"/-/live.2222222222.css\">\n</head>",
	).Replace(page)
	if a := get(t, address, "/"); a.body != want {
		t.Errorf("got\n%s\nwant\n%s", a.body, want)
	}
	for _, odd := range []string{
		"", "no head", "<head></head>", "<head>" + policyStart + "</head>", "</head>" + policyStart + policyEnd,
	} {
		got := s.adapt(odd, at)
		if !strings.HasPrefix(got, strings.TrimSuffix(odd[:max(0, strings.Index(odd, headEnd))], policyEnd)) ||
			strings.Contains(odd, headEnd) && !strings.Contains(got, script.Name) {
			t.Errorf("%q was changed to %q", odd, got)
		}
	}
	if a := get(t, address, "/-/"+script.Name); a.body != script.Text ||
		a.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("the script: got %+v", a)
	}
}

// TestListenerFails: Start returns an error when its listener fails.
func TestListenerFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, wait := New(Options{}).Start(t.Context(), l)
	l.Close()
	<-ctx.Done()
	if err := wait(); err == nil || !strings.Contains(err.Error(), "serving on 127.0.0.1:") {
		t.Errorf("got error %v, want one with the address", err)
	}
}

// TestSlowClients: a client that sends a request slowly is disconnected, and so is one that reads slowly. Neither
// delays other clients or the end of the server.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	dir := testSite(t)
	large := filepath.Join(dir, "media", "aaaaaaaaaaaaaaaa.bin")
	if err := os.WriteFile(large, make([]byte, 64<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	s := New(Options{Dir: dir})
	// Long enough for the other client, also on a busy machine.
	s.times.header, s.times.request, s.times.answer = time.Second, time.Second, time.Second
	address := started(t, s)
	writer, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	io.WriteString(writer, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
	io.WriteString(reader, "GET /media/aaaaaaaaaaaaaaaa.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if a := get(t, address, "/"); a.code != 200 {
		t.Errorf("another client: got %d, want 200", a.code)
	}
	writer.SetReadDeadline(time.Now().Add(20 * time.Second))
	if text, err := io.ReadAll(writer); err != nil || strings.Contains(string(text), "A page") {
		t.Errorf("the slow writer got %q, error %v, want no page", text, err)
	}
	time.Sleep(2 * s.times.answer) // the client does not read, until the buffers of the system are full
	reader.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, _ := io.Copy(io.Discard, reader); n > 60<<20 {
		t.Errorf("the slow reader got %d bytes, want it disconnected before", n)
	}
}
