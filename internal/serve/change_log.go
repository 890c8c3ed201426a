package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits of event streams. Clients have no queues: a client knows the id of the last change that it got, and gets the
// changes since. If the log does not have these any more, it gets a change of all pages.
const (
	maxStreams = 500
	maxChanges = 256 // changes
	maxPages   = 500 // in one event; with more, all pages change
	retryAfter = "5" // seconds, for a client beyond maxStreams
)

// A changeLog holds the latest changes and the streams that wait for more.
type changeLog struct {
	serverID string // random; changes are counted from 1 in each run of a server

	mu      sync.Mutex
	last    int           // number of the last change
	changes [][]string    // the latest changes: the pages of each, nil for all
	next    chan struct{} // closed by the next change
	streams int
	closed  bool
}

func newChangeLog() *changeLog {
	return &changeLog{serverID: strings.ToLower(rand.Text()[:8]), next: make(chan struct{})}
}

func (l *changeLog) add(pages []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	l.changes = append(l.changes, pages)
	if len(l.changes) > maxChanges {
		l.changes = slices.Delete(l.changes, 0, len(l.changes)-maxChanges)
	}
	l.wakeAll()
}

// close ends all streams.
func (l *changeLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wakeAll()
}

func (l *changeLog) wakeAll() {
	close(l.next)
	l.next = make(chan struct{})
}

// lastID returns the id of the last change.
func (l *changeLog) lastID() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.id()
}

func (l *changeLog) id() string { return l.serverID + "-" + strconv.Itoa(l.last) }

// addStream counts a stream; false if there are too many.
func (l *changeLog) addStream() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.streams == maxStreams {
		return false
	}
	l.streams++
	return true
}

func (l *changeLog) removeStream() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams--
}

// An event tells a page which pages have changed, or that all may have.
type event struct {
	Pages []string `json:"pages,omitempty"`
	All   bool     `json:"all,omitempty"`
}

// since returns what changed after a change, the id of the last change, and a channel that the next change closes.
func (l *changeLog) since(id string) (e event, now string, more <-chan struct{}, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	run, number, _ := strings.Cut(id, "-")
	n, err := strconv.Atoi(number)
	missed := l.last - n
	if run != l.serverID || err != nil || missed < 0 || missed > len(l.changes) {
		return event{All: true}, l.id(), l.next, l.closed
	}
	names, all := make(map[string]bool), false
	for _, c := range l.changes[len(l.changes)-missed:] {
		all = all || c == nil
		for _, name := range c {
			names[name] = true
		}
	}
	if all || len(names) > maxPages {
		return event{All: true}, l.id(), l.next, l.closed
	}
	return event{Pages: slices.Sorted(maps.Keys(names))}, l.id(), l.next, l.closed
}

// events streams changes to a page, beginning after the change that it names.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	// Streams are limited, so only pages of this server may have one.
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		refuse(w, http.StatusForbidden, "Only pages of this site can follow changes.")
		return
	}
	if !s.log.addStream() {
		w.Header().Set("Retry-After", retryAfter)
		refuse(w, http.StatusServiceUnavailable, "Too many pages are following changes.")
		return
	}
	defer s.log.removeStream()
	at := r.Header.Get("Last-Event-ID")
	if at == "" {
		at = r.URL.Query().Get("since")
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy in between passes events on at once
	if r.Method == http.MethodHead {
		return
	}
	stream := eventStream{w, http.NewResponseController(w), s.times.event}
	// The deadline for reading the request does not apply to the stream.
	if stream.control.SetReadDeadline(time.Time{}) == nil && stream.write("retry: 1000\n\n") {
		s.follow(r.Context(), stream, at)
	}
}

// follow writes the changes after one, until the page is closed or the server ends.
func (s *Server) follow(ctx context.Context, stream eventStream, at string) {
	ping := time.NewTicker(s.times.ping)
	defer ping.Stop()
	for {
		e, now, more, closed := s.log.since(at)
		if closed {
			return
		}
		if e.All || len(e.Pages) > 0 {
			data, err := json.Marshal(e)
			if err != nil || !stream.write(fmt.Sprintf("id: %s\nevent: change\ndata: %s\n\n", now, data)) {
				return
			}
		}
		at = now
		select {
		case <-more:
		case <-ping.C:
			if !stream.write(": still here\n\n") {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// An eventStream is an open response.
type eventStream struct {
	to      io.Writer
	control *http.ResponseController
	timeout time.Duration // of a write
}

// write sends text at once, and reports whether that worked.
func (s eventStream) write(text string) bool {
	if s.control.SetWriteDeadline(time.Now().Add(s.timeout)) != nil {
		return false
	}
	if _, err := io.WriteString(s.to, text); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
