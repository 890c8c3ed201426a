//go:build unix

package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"viewer/internal/failure"
)

// A fullListener accepts nothing, because of the limit of open files, until it is closed.
type fullListener struct {
	net.Listener
	tries int
}

func (l *fullListener) Accept() (net.Conn, error) {
	if l.tries--; l.tries < 0 {
		return nil, net.ErrClosed
	}
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
}

// TestFaults: what net/http logs while it serves is reported in our words: the limit of open files once, although it is
// reached again and again, and a panic without its stack.
func TestFaults(t *testing.T) {
	var mu sync.Mutex
	var got []string
	s := New(Options{Dir: testSite(t), Style: style, Report: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		text := err.Error()
		var known *failure.Error
		if errors.As(err, &known) {
			text += "; " + known.Hint
		}
		got = append(got, text)
	}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, wait := s.Start(context.Background(), &fullListener{l, 3})
	if err := wait(); err == nil || !strings.Contains(err.Error(), "use of closed network connection") {
		t.Errorf("serving ended with %v", err)
	}
	var server http.Server
	reportTo(s.o.Report, &server, l)
	log := server.ErrorLog
	log.Print("http: panic serving 127.0.0.1:4711: no such page\ngoroutine 7 [running]:\nmain.main()")
	log.Print("http: superfluous response.WriteHeader call from viewer/internal/serve.refuse (serve.go:7)")
	want := []string{
		"pages have to wait: accepting a connection on " + l.Addr().String() +
			": too many open files; raise the limit of open files, see ulimit -n",
		"a fault of the viewer, please report it: answering 127.0.0.1:4711: no such page",
		"serving: superfluous response.WriteHeader call from viewer/internal/serve.refuse (serve.go:7)",
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
