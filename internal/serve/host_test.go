package serve

import (
	"fmt"
	"strings"
	"testing"
)

// TestHosts sends requests with many host names, on every kind of route.
func TestHosts(t *testing.T) {
	address := started(t, New(Options{
		Dir: testSite(t), Hosts: []string{"Box.example", "192.0.2.7"}, Live: []File{script}, Style: style,
	}))
	_, port, _ := strings.Cut(address, ":")
	for host, allowed := range map[string]bool{
		address: true, "127.0.0.1": true, "127.0.0.1:1": true, "127.8.8.8": true, "[::1]": true, "[::1]:" +
			port: true, "localhost": true, "localhost:" + port: true,
		"[::ffff:127.0.0.1]": true, "box.example": true, "BOX.example:80": true, "192.0.2.7": true,
		"192.0.2.7:8080": true, "LOCALHOST": true, "localhosT:1": true, "box.example.": true,
		"Box.example.:80": true,

		"": false, "evil.example": false, "evil.example:" + port: false, "127.0.0.1.evil.example": false,
		"127.evil.example": false, "localhost.evil.example": false,
		"localhost.": false, "LOCALHOST.": false, "box.example..": false, ".": false,
		"evil.localhost": false, "127.0.0.1.": false,
		"127.1": false, "2130706433": false, "0x7f.0.0.1": false, "0177.0.0.1": false,
		"127.0.0.01": false, "127.0.0.256": false, "0.0.0.0": false, "[::]": false, "[::1": false, "::1": false,
		"::1]": false, "[::1]x": false, "[::1%25lo]": false, "[::1%lo]": false, "[localhost]": false,
		"localhost:": false, "localhost:x": false, "localhost:+80": false, "localhost:99999": false,
		"localhost:80:80": false, "@localhost": false, "evil@localhost": false,
		"localhost/": false, "localhost\\": false, "box.example.evil": false, "notbox.example": false,
		"192.0.2.8": false, "10.0.0.1": false,
	} {
		for _, path := range []string{"/", "/s/one", "/missing", "/-/live.1111111111.js", "/-/missing", "/../x"} {
			a := raw(t, address, fmt.Sprintf("GET %s HTTP/1.1\nHost: %s\nConnection: close\n\n", path, host))
			if refused := a.code == 403 || a.code == 400; refused == allowed {
				t.Errorf("host %q, %s: got %d, want it allowed: %v", host, path, a.code, allowed)
			}
			if !allowed && strings.Contains(a.body, "A page") {
				t.Errorf("host %q, %s: the answer has the page: %q", host, path, a.body)
			}
			if a.code == 403 {
				checkHeaders(t, host, a)
			}
		}
	}
	for _, request := range []string{
		// The host in the request line counts.
		"GET http://evil.example/ HTTP/1.1\nHost: localhost\nConnection: close\n\n",
		"GET http://evil.example/-/events HTTP/1.1\nHost: localhost\nConnection: close\n\n",
		"GET /-/events HTTP/1.1\nHost: evil.example\nConnection: close\n\n",
		"POST / HTTP/1.1\nHost: evil.example\nContent-Length: 0\nConnection: close\n\n",
		"HEAD / HTTP/1.1\nHost: evil.example\nConnection: close\n\n",
		"GET / HTTP/1.0\n\n",
	} {
		if a := raw(t, address, request); a.code != 403 {
			t.Errorf("%q: got %d, want 403", request, a.code)
		}
	}
}
