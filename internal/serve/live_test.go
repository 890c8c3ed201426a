package serve

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A stream is one client that receives events.
type stream struct {
	net.Conn
	in *bufio.Reader
}

// listen opens a stream, and returns the status of the answer.
func listen(t *testing.T, address, query string, headers ...string) (*stream, int) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c, "GET /-/events%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", query,
		strings.Join(append(headers, ""), "\r\n"))
	in := bufio.NewReader(c)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode == 200 {
		if kind, cache := resp.Header.Get("Content-Type"),
			resp.Header.Get("Cache-Control"); kind != "text/event-stream" || cache != "no-store" {
			t.Errorf("got type %s and cache control %s, want an event stream that is not stored", kind, cache)
		}
		in = bufio.NewReader(resp.Body)
	}
	return &stream{c, in}, resp.StatusCode
}

// next returns the lines of the next message, or nil at the end.
func (s *stream) next() []string {
	var lines []string
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return nil
		}
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			return lines
		}
		lines = append(lines, line)
	}
}

func (s *stream) want(t *testing.T, lines ...string) {
	t.Helper()
	if got := s.next(); !reflect.DeepEqual(got, lines) {
		t.Errorf("got %q, want %q", got, lines)
	}
}

func liveServer(t *testing.T) (*Server, string) {
	t.Helper()
	s := New(Options{Dir: testSite(t), Live: []File{script}})
	s.log.serverID = "run"
	return s, started(t, s)
}

func TestEvents(t *testing.T) {
	s, address := liveServer(t)
	c, _ := listen(t, address, "?since="+s.log.lastID())
	c.want(t, "retry: 1000")
	s.Announce(nil) // without changes, no message is sent
	s.Announce([]string{"s/one/index.html", "index.html"})
	c.want(t, "id: run-1", "event: change", `data: {"pages":["index.html","s/one/index.html"]}`)
	s.Announce([]string{"s/one/2.html"})
	c.want(t, "id: run-2", "event: change", `data: {"pages":["s/one/2.html"]}`)

	// After a reconnection, the next message has all missed changes, once.
	s.Announce([]string{"index.html"})
	s.Announce([]string{"index.html", "s/one/2.html"})
	again, _ := listen(t, address, "?since=run-0", "Last-Event-ID: run-2")
	again.want(t, "retry: 1000")
	again.want(t, "id: run-4", "event: change", `data: {"pages":["index.html","s/one/2.html"]}`)
}

// TestEventsUnknown: if the server cannot tell what a client missed, it announces that everything changed.
func TestEventsUnknown(t *testing.T) {
	s, address := liveServer(t)
	for range maxChanges + 1 {
		s.Announce([]string{"index.html"})
	}
	last := s.log.lastID()
	for _, at := range []string{
		"", "run-0", "run--1", "run-x", "run-99999", "run-99999999999999999999", "other-1", "run", "%00",
	} {
		c, _ := listen(t, address, "?since="+at)
		c.want(t, "retry: 1000")
		c.want(t, "id: "+last, "event: change", `data: {"all":true}`)
	}
	c, _ := listen(t, address, "?since=run-1")
	c.want(t, "retry: 1000")
	c.want(t, "id: "+last, "event: change", `data: {"pages":["index.html"]}`)

	var many []string
	for i := range maxPages + 1 {
		many = append(many, fmt.Sprint(i))
	}
	s.Announce(many)
	c.want(t, "id: "+s.log.lastID(), "event: change", `data: {"all":true}`)
	s.AnnounceAll()
	c.want(t, "id: "+s.log.lastID(), "event: change", `data: {"all":true}`)
}

// TestMostStreams: the number of streams is limited, and a closed stream makes room for another one.
func TestMostStreams(t *testing.T) {
	s, address := liveServer(t)
	streams := make([]*stream, maxStreams)
	for i := range streams {
		var code int
		if streams[i], code = listen(t, address, "?since=run-0"); code != 200 {
			t.Fatalf("stream %d: got %d, want 200", i, code)
		}
		streams[i].want(t, "retry: 1000")
	}
	if _, code := listen(t, address, ""); code != 503 {
		t.Errorf("stream %d: got %d, want 503", maxStreams, code)
	}
	if a := get(t, address, "/-/events"); a.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
	if a := get(t, address, "/"); a.code != 200 {
		t.Errorf("a page: got %d, want 200, while there are %d streams", a.code, maxStreams)
	}
	s.Announce([]string{"index.html"})
	for _, c := range streams {
		c.want(t, "id: run-1", "event: change", `data: {"pages":["index.html"]}`)
	}
	streams[0].Close()
	for i := 0; ; i++ {
		if _, code := listen(t, address, ""); code == 200 {
			break
		}
		if i == 500 {
			t.Fatal("5 s after a stream was closed, no other one can be opened")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestPing: a stream lasts longer than the time for a request, and sends pings.
func TestPing(t *testing.T) {
	t.Parallel()
	s := New(Options{Dir: testSite(t), Live: []File{script}})
	// Long enough for the request itself, also on a busy machine.
	s.times.header, s.times.request, s.times.answer, s.times.ping = time.Second, time.Second, time.Second,
		1200*time.Millisecond
	address := started(t, s)
	c, _ := listen(t, address, "?since="+s.log.lastID())
	c.want(t, "retry: 1000")
	for range 3 {
		c.want(t, ": still here")
	}
	s.Announce([]string{"index.html"})
	if got := c.next(); len(got) != 3 {
		t.Errorf("got %q, want a ping of 3 lines", got)
	}
}

// TestSlowListener: a client that does not read its events is disconnected.
func TestSlowListener(t *testing.T) {
	s := New(Options{Dir: testSite(t), Live: []File{script}})
	s.times.event = 100 * time.Millisecond
	address := started(t, s)
	c, _ := listen(t, address, "?since="+s.log.lastID())
	c.want(t, "retry: 1000")
	long := []string{strings.Repeat("x", 1<<20)}
	for i := 0; ; i++ {
		s.Announce(long)
		s.log.mu.Lock()
		n := s.log.streams
		s.log.mu.Unlock()
		if n == 0 {
			break
		}
		if i == 1000 {
			t.Fatal("the client is still connected after a thousand megabytes")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestEventsOfOtherSites: other sites cannot open streams, not even those on another port of this machine.
func TestEventsOfOtherSites(t *testing.T) {
	s, address := liveServer(t)
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "none": 403, "same-origin": 200} {
		if _, code := listen(t, address, "?since="+s.log.lastID(), "Sec-Fetch-Site: "+site); code != want {
			t.Errorf("from %s: got %d, want %d", site, code, want)
		}
	}
}

// TestShutdown: when the server stops, streams end at once.
func TestShutdown(t *testing.T) {
	s := New(Options{Dir: testSite(t), Live: []File{script}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	serving, wait := s.Start(ctx, l)
	c, _ := listen(t, l.Addr().String(), "")
	c.next()
	c.next()
	stop()
	if err := wait(); err != nil {
		t.Error(err)
	}
	if serving.Err() == nil {
		t.Error("the server is still running")
	}
	if got := c.next(); got != nil {
		t.Errorf("the stream continues: got %q, want its end", got)
	}
}

// TestNoEvents: without a live script there are no events.
func TestNoEvents(t *testing.T) {
	address := started(t, New(Options{Dir: testSite(t)}))
	if a := get(t, address, "/-/events"); a.code != 404 {
		t.Errorf("got %d, want 404", a.code)
	}
	if a := get(t, address, "/"); a.body != page {
		t.Errorf("the page was changed to %s", a.body)
	}
}
