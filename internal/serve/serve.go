// Package serve serves one built site over HTTP, to this machine and to the hosts that were allowed. It never reads
// outside of the folder of the site, never changes anything itself, and knows nothing of sessions.
//
// The host of every request is checked first, on every route: the owner of another site can make its name point to this
// machine (DNS rebinding), and must not read what is served (host.go). Then come the method and the path, which must be
// unambiguous. The file is opened in an os.Root that is opened for each request, because a build may replace the
// folder.
//
// Pages are changed while they are served (page.go): their content security policy allows connect-src 'self', and
// they get the live script and the number of the last change that they may show. The live script waits for events
// (change_log.go), fetches the page again after a change, and applies the differences to what the reader sees
// (assets/live/patch.js).
//
// If Options.Write is set, pages get a token, and data that they send with it is passed on (write.go).
package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/netutil"
)

// Options are the options of a server.
type Options struct {
	Dir   string   // of the site; it may be rebuilt, or be missing for a while
	Hosts []string // allowed host names, in addition to the addresses of this machine

	// Live are the script and the style sheet that pages load additionally to follow what Announce reports. Without
	// them pages are served unchanged, and there are no events.
	Live []File
	// Write receives data that a page of this server sends. If it is nil, no data is accepted.
	Write func(data []byte) error
	// Report is called with faults while the site is served, perhaps by several goroutines at the same time. Nil leaves
	// them to the log of the process.
	Report func(error)
	// Style is the style sheet of the page for missing pages.
	Style File
}

// A File is served from memory. Its content never changes under the same name.
type File struct {
	Name string // with a hash of the content: viewer.<hash>.css
	Text string
}

// policy is the content security policy: that of the site, plus connections to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

// ownPrefix begins the paths of the server's own files and events. No folder of a site has such a name.
const ownPrefix = "/-/"

// Limits for all clients together. Further ones wait.
const (
	headerBytes = 16 << 10
	connections = 1024
)

// times are limits for clients; slower ones are disconnected.
type times struct {
	header, request, answer, idle time.Duration

	event time.Duration // to receive an event
	ping  time.Duration // between messages that detect dead connections
	end   time.Duration // for unfinished answers when the server stops
}

var defaultTimes = times{
	header: 5 * time.Second, request: 10 * time.Second, answer: 2 * time.Minute, idle: 2 * time.Minute,
	event: 10 * time.Second, ping: 15 * time.Second, end: 200 * time.Millisecond,
}

// A Server is an http.Handler for a site.
type Server struct {
	o     Options
	times times
	hosts map[string]bool
	log   *changeLog
	own   map[string]File
	token string // that pages send with their data; "" if no data is accepted
}

func New(o Options) *Server {
	s := &Server{o: o, times: defaultTimes, log: newChangeLog()}
	if o.Write != nil {
		s.token = rand.Text()
	}
	s.hosts, s.own = make(map[string]bool), make(map[string]File)
	for _, h := range o.Hosts {
		s.hosts[strings.TrimSuffix(strings.ToLower(h), ".")] = true
	}
	for _, f := range append([]File{o.Style}, o.Live...) {
		s.own[f.Name] = f
	}
	return s
}

// Announce tells open pages which pages have changed, by their names in the site's folder.
func (s *Server) Announce(pages []string) {
	if len(pages) > 0 {
		s.log.add(slices.Clone(pages))
	}
}

// AnnounceAll tells open pages that all pages may have changed.
func (s *Server) AnnounceAll() { s.log.add(nil) }

// Start serves on l until the context ends. The returned context ends when serving does; wait then returns the error
// that ended it, nil if it was the end of the given context.
func (s *Server) Start(ctx context.Context, l net.Listener) (serving context.Context, wait func() error) {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.times.header,
		ReadTimeout:       s.times.request,
		WriteTimeout:      s.times.answer,
		IdleTimeout:       s.times.idle,
		MaxHeaderBytes:    headerBytes,
		// Otherwise OPTIONS * is answered before the host is checked.
		DisableGeneralOptionsHandler: true,
	}
	l = reportTo(s.o.Report, server, l)
	serving, ended := context.WithCancel(ctx)
	stopped := context.AfterFunc(ctx, func() {
		s.log.close()
		limited, done := context.WithTimeout(context.Background(), s.times.end)
		defer done()
		if server.Shutdown(limited) != nil {
			server.Close()
		}
	})
	result := make(chan error, 1)
	go func() {
		err := server.Serve(netutil.LimitListener(l, connections))
		if stopped() {
			err = fmt.Errorf("serving on %s: %w", l.Addr(), err)
		} else if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		result <- err
		ended()
	}()
	return serving, func() error { return <-result }
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")

	if !s.hostAllowed(r) {
		refuse(w, http.StatusForbidden,
			fmt.Sprintf("This server does not answer to the name %q. If it should: viewer serve --allowed-host NAME", r.Host))
		return
	}
	if s.o.Write != nil && r.Method == http.MethodPost && r.URL.Path == writePath {
		s.write(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "Pages can be read here, and nothing else.")
		return
	}
	name, ok := cleanPath(r)
	switch {
	case !ok:
		s.notFound(w, r)
	case !strings.HasPrefix(r.URL.Path, ownPrefix):
		s.file(w, r, name)
	case r.URL.Path == ownPrefix+"events" && len(s.o.Live) > 0:
		s.events(w, r)
	default:
		s.ownFile(w, r, strings.TrimPrefix(r.URL.Path, ownPrefix))
	}
}

// refuse answers with a line of text.
func refuse(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, text) // the client may have gone
}
