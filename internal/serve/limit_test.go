//go:build unix

package serve

import (
	"net/http/httptest"
	"syscall"
	"testing"
)

// TestFewFiles: at the limit of open files a page is not said to be missing.
func TestFewFiles(t *testing.T) {
	s := New(Options{Dir: testSite(t), Live: []File{script, sheet}, Style: style})
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	answers := make(map[string]*httptest.ResponseRecorder)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/s/one/2.html", "/favicon.ico"} {
		answers[path] = httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		s.ServeHTTP(answers[path], r)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	for path, a := range answers {
		if a.Code != 503 || a.Header().Get("Retry-After") == "" {
			t.Errorf("%s: got %d, %v; want 503 and when to try again", path, a.Code, a.Header())
		}
	}
}
