//go:build cloud

package cloud

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"viewer/internal/storage"
)

// open opens a bucket of a server.
func open(t *testing.T, server string) storage.LargeBucket {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	address, err := url.Parse("s3://bucket/site?endpoint=" + url.QueryEscape(server))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	saved := answerTime
	answerTime = 200 * time.Millisecond
	t.Cleanup(func() { answerTime = saved })
	return b
}

// TestBucketSilent: if a server accepts connections and never answers, each request fails with the reason.
func TestBucketSilent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	b := open(t, "http://"+l.Addr().String())
	for name, request := range map[string]func(context.Context) error{
		"stat": func(ctx context.Context) error { _, err := b.Stat(ctx, "x"); return err },
		"read": func(ctx context.Context) error { _, _, err := b.Open(ctx, "x", 0); return err },
		"put": func(ctx context.Context) error {
			return b.Put(ctx, "x", []byte("text"), storage.PutOptions{})
		},
		"list": func(ctx context.Context) (err error) {
			for _, err = range b.List(ctx, "") {
				break
			}
			return err
		},
		"delete": func(ctx context.Context) error { return b.Delete(ctx, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			if err := request(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer") {
				t.Errorf("got error %v, want that the server does not answer", err)
			}
		})
	}
}

// TestBucketSilentAnswer: the same for a server that stops in the middle of an object.
func TestBucketSilentAnswer(t *testing.T) {
	over := make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Header().Set("Last-Modified", time.Unix(1e9, 0).UTC().Format(http.TimeFormat))
		io.WriteString(w, "some of it")
		w.(http.Flusher).Flush()
		<-over
	}))
	t.Cleanup(func() { close(over); s.Close() })
	r, _, err := open(t, s.URL).Open(t.Context(), "x", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("got %q, %v", data, err)
	}
}

// TestBucketLargeRequest: the timeout of a very large request does not overflow.
func TestBucketLargeRequest(t *testing.T) {
	err := limited(t.Context(), 1<<40, func(ctx context.Context) error { return ctx.Err() })
	if err != nil {
		t.Errorf("a request of a terabyte: error %v, want none", err)
	}
}
