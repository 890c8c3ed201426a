//go:build unix

package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"viewer/assets"
	"viewer/internal/testing/htmlcheck"
)

var addressLine = regexp.MustCompile(`(?m)^(http://\S+/)$`)

// startServe runs viewer serve and returns the address that it prints.
func startServe(t *testing.T, env []string, args ...string) (*process, string) {
	t.Helper()
	r := &process{t: t, cmd: exec.Command("viewer", append([]string{"serve"}, args...)...)}
	r.cmd.Env = append(os.Environ(), env...)
	r.cmd.Stdout, r.cmd.Stderr = r, r
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill(); r.cmd.Wait() })
	r.await("to print its address", func() bool { return addressLine.MatchString(r.messages()) })
	return r, addressLine.FindString(r.messages())
}

// fetch requests a page. If host is not empty, it is sent as the Host header.
func fetch(t *testing.T, address, host string) (int, string) {
	t.Helper()
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// TestServe serves a site while a session grows. Its folder must be readable by its user only.
func TestServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
	s.age()
	// The program that opens the address, as on a desktop.
	opened := filepath.Join(dir, "opened")
	s.write("../bin/xdg-open", "#!/bin/sh\necho \"$1\" > \"$OPENED\"\n")
	s.check(os.Chmod(filepath.Join(dir, "bin", "xdg-open"), 0o755))
	cache := filepath.Join(dir, "cache")

	r, address := startServe(t, []string{
		"OPENED=" + opened, "XDG_CACHE_HOME=" + cache, "PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"),
	}, s.dir, "--port", "0", "--open", "--allowed-host", "box.example")
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("the address is %s, want one of 127.0.0.1", address)
	}
	r.await("to open a browser", func() bool {
		text, _ := os.ReadFile(opened)
		return strings.TrimSpace(string(text)) == address
	})
	info, err := os.Stat(filepath.Join(cache, "viewer"))
	s.check(err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the cache folder has mode %v, want 0700", info.Mode())
	}

	page := address + "s/" + strings.TrimSuffix(filepath.Base(one), ".jsonl") + "/"
	code, html := fetch(t, page, "")
	if code != 200 || !strings.Contains(html, `<script src="/-/`+assets.LiveScript().Name+`">`) ||
		!strings.Contains(html, htmlcheck.Policy+"; connect-src 'self'") {
		t.Errorf("got status %d and a page without the live script or its policy: %.800s", code, html)
	}
	events, err := http.Get(address + "-/events?since=none-0")
	s.check(err)
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	wait := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("the events end before %q: %v", text, lines.Err())
	}
	wait(`data: {"all":true}`)
	s.append(one, promptLine(77))
	wait(`"s/` + strings.TrimSuffix(filepath.Base(one), ".jsonl") + `/index.html"`)
	if _, html := fetch(t, page, ""); !strings.Contains(html, "And 77, please") {
		t.Error("the page lacks the prompt that the event announced")
	}

	for host, want := range map[string]int{"evil.example": 403, "box.example": 200, "localhost": 200, "": 200} {
		for _, path := range []string{"", "s/", "-/events", "-/" + assets.LiveScript().Name} {
			if path == "-/events" && want == 200 || path == "s/" && want == 200 {
				continue
			}
			if code, _ := fetch(t, address+path, host); code != want {
				t.Errorf("%s with host %q: got %d, want %d", path, host, code, want)
			}
		}
	}
	if code, html := fetch(t, address+"nowhere", ""); code != 404 || !strings.Contains(html, "No such page") {
		t.Errorf("a missing page: got %d %s, want 404 and a page that says so", code, html)
	}
	if _, css := fetch(t, address+"-/"+assets.Stylesheet().Name, ""); css != assets.Stylesheet().Text {
		t.Error("the style sheet of that page differs or is missing")
	}
	if strings.Contains(r.messages(), "warning") {
		t.Errorf("got messages\n%s\nwant no warning", r.messages())
	}
	r.stop()

	// The next run finds the site in its cache.
	again, _ := startServe(t, []string{"XDG_CACHE_HOME=" + cache}, s.dir, "--port", "0")
	if !strings.Contains(again.messages(), "rendered 0,") {
		t.Errorf("serving again: got %s\nwant nothing rendered", again.messages())
	}
	again.stop()
}

// TestServeNoWatch serves a finished site unchanged.
func TestServeNoWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	if msg, err := exec.Command("viewer", "build", "../../testdata/projects", "-o", site).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	want, err := os.ReadFile(filepath.Join(site, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	r, address := startServe(t, nil, "--no-watch", "-o", site, "--port", "0", "--host", "0.0.0.0")
	if code, html := fetch(t, address, ""); code != 200 || html != string(want) {
		t.Errorf("got status %d, want 200; index unchanged: %t, want true", code, html == string(want))
	}
	if code, _ := fetch(t, address+"-/events", ""); code != 404 {
		t.Errorf("events: got status %d, want 404", code)
	}
	if !strings.Contains(r.messages(), "viewer: warning: whoever reaches this machine") {
		t.Errorf("got messages\n%s\nwant a warning that it listens on all addresses", r.messages())
	}
	r.stop()
}

// TestServePort: if the default port is taken, another one is used. A port that was asked for and is taken is an error.
func TestServePort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	msg, err := exec.Command("viewer", "serve", "../../testdata/projects", "-o", filepath.Join(t.TempDir(), "site"),
		"--port", port).CombinedOutput()
	if err == nil || !strings.Contains(string(msg), "viewer: error: listening on 127.0.0.1:"+port+
		": address already in use\nviewer: hint: use --port") {
		t.Errorf("a port that is taken: error %v, want one with a hint\n%s", err, msg)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:4880")
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); { // another test may have it
		time.Sleep(20 * time.Millisecond)
		taken, err = net.Listen("tcp", "127.0.0.1:4880")
	}
	if err == nil {
		defer taken.Close()
	}
	r, address := startServe(t, nil, "../../testdata/projects", "-o", filepath.Join(t.TempDir(), "site"))
	if strings.HasSuffix(address, ":4880/") {
		t.Errorf("the address is %s, want another port: it is taken", address)
	}
	r.stop()
}
