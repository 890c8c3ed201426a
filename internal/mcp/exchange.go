package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An exchange is the input and the output of a server.
//
// A line of the input that is no message is answered with an error, and left out: the server stops at the first one. So
// is a request with the id of one that has no answer yet, which the server would drop. A list of messages counts as
// these messages, because newer versions of the protocol have no lists, and the server stops at one.
//
// The input only ends when all requests in it are answered: the server stops at its end, and would drop the others.
// Programs that write requests to a pipe end it at once.
type exchange struct {
	in    io.Closer
	lines *bufio.Reader
	ready []byte // messages to read
	ended error  // of the input

	out     io.WriteCloser
	writing sync.Mutex

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // requests without an answer
	answered chan struct{}       // has a value after an answer
}

// maxWait is how long the end of the input waits for answers: a request that was cancelled gets none.
const maxWait = 10 * time.Second

// maxLine is the maximum length of a line of the input in bytes. Questions have a few hundred.
const maxLine = 1 << 20

func newExchange(in io.ReadCloser, out io.WriteCloser) *exchange {
	return &exchange{
		in: in, lines: bufio.NewReader(in), out: out, open: make(map[jsonrpc.ID]bool),
		answered: make(chan struct{}, 1),
	}
}

// begin notes a request. It returns false if one with its id has no answer yet.
func (x *exchange) begin(id jsonrpc.ID) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.open[id] {
		return false
	}
	x.open[id] = true
	return true
}

func (x *exchange) end(id jsonrpc.ID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.open, id)
}

// Read reads messages, each on a line.
func (x *exchange) Read(p []byte) (int, error) {
	for len(x.ready) == 0 {
		if x.ended != nil {
			x.wait()
			return 0, x.ended
		}
		line := bytes.TrimPrefix(x.line(), []byte("\ufeff")) // a mark that some shells write first to a pipe
		if len(line) > maxLine {
			x.refuse(jsonrpc.CodeParseError, fmt.Sprintf("a line is longer than %d bytes", maxLine))
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			x.take(line)
		}
	}
	n := copy(p, x.ready)
	x.ready = x.ready[n:]
	return n, nil
}

// line returns the next line of the input. Of one that is too long, it returns some bytes more than maxLine.
func (x *exchange) line() (line []byte) {
	for {
		part, err := x.lines.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			x.ended = err
			return line
		}
	}
}

// take makes the messages of a line ready to be read.
func (x *exchange) take(line []byte) {
	if !json.Valid(line) {
		x.refuse(jsonrpc.CodeParseError, "a line is not JSON")
		return
	}
	var all []json.RawMessage
	if json.Unmarshal(line, &all) != nil || len(all) == 0 { // an empty list is no message
		all = []json.RawMessage{line}
	}
	for _, one := range all {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			x.refuse(jsonrpc.CodeInvalidRequest, "a line is not a message of JSON-RPC 2.0")
			continue
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			if !exact(one, r.ID) {
				x.refuse(jsonrpc.CodeInvalidRequest, "the id of a request is no text or whole number below 2^53")
				continue
			}
			if !x.begin(r.ID) {
				x.refuse(jsonrpc.CodeInvalidRequest, "a request has the id of one that is not answered yet")
				continue
			}
		}
		x.ready = append(append(x.ready, one...), '\n')
	}
}

// exact reports whether a request has the id that was read from it. Numbers are read as whole ones, from 64-bit floats,
// and an answer with another id would be none.
func exact(request []byte, id jsonrpc.ID) bool {
	read, isNumber := id.Raw().(int64)
	if !isNumber {
		return true
	}
	var given struct{ ID float64 }
	err := json.Unmarshal(request, &given)
	return err == nil && given.ID == float64(read) && math.Abs(given.ID) < 1<<53
}

// refuse answers a line without messages, or a request that the server does not get. The id is null, because another
// request may wait for an answer with its id. If that fails, so does the next answer of the server.
func (x *exchange) refuse(code int, why string) {
	_, _ = x.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why))
}

func (x *exchange) write(p []byte) (int, error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	return x.out.Write(p)
}

// wait returns when nothing is open, or after some time.
func (x *exchange) wait() {
	timeout := time.After(maxWait)
	for {
		x.mu.Lock()
		open := len(x.open)
		x.mu.Unlock()
		if open == 0 {
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

// Write writes a message.
func (o output) Write(p []byte) (int, error) {
	n, err := o.write(p)
	if m, failed := jsonrpc.DecodeMessage(p); failed == nil {
		if r, ok := m.(*jsonrpc.Response); ok {
			o.end(r.ID)
			select {
			case o.answered <- struct{}{}:
			default:
			}
		}
	}
	return n, err
}

// Close closes the output.
func (o output) Close() error { return o.out.Close() }
