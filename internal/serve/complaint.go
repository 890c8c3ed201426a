package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"viewer/internal/failure"
)

// net/http reports faults to a log of its own: a connection that cannot be accepted each second, and a panic with all
// of its stack. They are reported once, as errors.

// again is the time after which a connection that cannot be accepted is reported again.
const again = 10 * time.Minute

// A reportingListener reports connections that cannot be accepted. The server tries again by itself.
type reportingListener struct {
	net.Listener
	report func(error)
	last   time.Time // of the last report; Accept is only called by the loop of the server
}

func (l *reportingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil || errors.Is(err, net.ErrClosed) || time.Since(l.last) < again {
		return c, err
	}
	l.last = time.Now()
	cause := err
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		cause = call.Err
	}
	l.report(failure.New(fmt.Errorf("pages have to wait: accepting a connection on %s: %w", l.Addr(), cause), ""))
	return c, err
}

// A faultLog reports what net/http logs.
type faultLog struct{ report func(error) }

func (l faultLog) Enabled(context.Context, slog.Level) bool { return true }
func (l faultLog) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l faultLog) WithGroup(string) slog.Handler            { return l }

func (l faultLog) Handle(_ context.Context, r slog.Record) error {
	text, _, _ := strings.Cut(strings.TrimPrefix(r.Message, "http: "), "\n") // the rest is a stack
	if panicked, is := strings.CutPrefix(text, "panic serving "); is {
		l.report(fmt.Errorf("a fault of the viewer, please report it: answering %s", panicked))
	} else if !strings.HasPrefix(text, "Accept error: ") { // the listener reports it
		l.report(fmt.Errorf("serving: %s", text))
	}
	return nil
}

// reportTo makes a server report its faults, and returns the listener that it is to use.
func reportTo(report func(error), server *http.Server, l net.Listener) net.Listener {
	if report == nil {
		return l
	}
	server.ErrorLog = slog.NewLogLogger(faultLog{report}, slog.LevelError)
	return &reportingListener{Listener: l, report: report}
}
