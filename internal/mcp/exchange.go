package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// An exchange is the input and the output of a server. The input only ends when all requests in it are answered: the
// server stops at its end, and would drop the others. Programs that write requests to a pipe end it at once.
type exchange struct {
	in       io.ReadCloser
	out      io.WriteCloser
	ended    error // of the input
	asked    messages
	answers  messages
	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // has a value after an answer
}

// maxWait is how long the end of the input waits for answers: a request that was cancelled gets none.
const maxWait = 10 * time.Second

func newExchange(in io.ReadCloser, out io.WriteCloser) *exchange {
	return &exchange{in: in, out: out, answered: make(chan struct{}, 1)}
}

func (x *exchange) count(n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.open += n
}

// Read reads input.
func (x *exchange) Read(p []byte) (int, error) {
	if x.ended == nil {
		n, err := x.in.Read(p)
		x.ended = err
		ask := func(m message) {
			if m.Method != "" {
				x.count(1)
			}
		}
		if x.asked.add(p[:n], ask); err != nil {
			x.asked.add([]byte("\n"), ask)
		}
		if n > 0 || err == nil {
			return n, nil
		}
	}
	x.wait()
	return 0, x.ended
}

// wait returns when nothing is open, or after some time.
func (x *exchange) wait() {
	timeout := time.After(maxWait)
	for {
		x.mu.Lock()
		open := x.open
		x.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-x.answered:
		case <-timeout:
			return
		}
	}
}

// Close closes the input.
func (x *exchange) Close() error { return x.in.Close() }

// output is the output of an exchange.
type output struct{ *exchange }

// Write writes output.
func (o output) Write(p []byte) (int, error) {
	n, err := o.out.Write(p)
	o.answers.add(p[:n], func(m message) {
		if m.Method == "" {
			o.count(-1)
			select {
			case o.answered <- struct{}{}:
			default:
			}
		}
	})
	return n, err
}

// Close closes the output.
func (o output) Close() error { return o.out.Close() }

// messages finds messages in a stream, one a line.
type messages struct{ line []byte }

// A message is a request, if it has a method and an id, or an answer, if it only has an id.
type message struct {
	ID     json.RawMessage
	Method string
}

// add calls do with each message that has an id and ends in the next part of the stream.
func (s *messages) add(part []byte, do func(message)) {
	for {
		line, rest, whole := bytes.Cut(part, []byte("\n"))
		s.line = append(s.line, line...)
		if !whole {
			return
		}
		var m message
		if json.Unmarshal(s.line, &m) == nil && m.ID != nil {
			do(m)
		}
		s.line, part = s.line[:0], rest
	}
}
