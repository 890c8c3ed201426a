//go:build cloud

package cloud

import (
	"context"
	"errors"
	"time"

	"gocloud.dev/blob"
)

// answerTime is the maximum time before the answer of a server begins, and between two parts of it. Requests with a
// body get more time, as much as a slow network needs.
var answerTime = time.Minute

const slowest = 20 << 10 // bytes a second

// errSilent means that a server took longer. The libraries would wait forever.
var errSilent = errors.New("the server does not answer")

// limited makes a request that sends so many bytes.
func limited(ctx context.Context, size int64, request func(context.Context) error) error {
	sending := time.Duration(size/slowest) * time.Second
	ctx, stop := context.WithTimeoutCause(ctx, answerTime+sending, errSilent)
	defer stop()
	err := request(ctx)
	if err != nil && context.Cause(ctx) == errSilent {
		return errSilent
	}
	return err
}

// A reader reads an object, and fails if its server stops answering.
type reader struct {
	answer *blob.Reader // not embedded: its WriteTo has no time limit
	outer  context.Context
	ctx    context.Context // of the answer
	stop   context.CancelCauseFunc
	timer  *time.Timer
}

func (r *reader) open(b *blob.Bucket, name string, offset int64) error {
	r.ctx, r.stop = context.WithCancelCause(r.outer)
	stop := r.stop
	r.timer = time.AfterFunc(answerTime, func() { stop(errSilent) })
	var err error
	if r.answer, err = b.NewRangeReader(r.ctx, name, offset, -1, nil); err != nil {
		err = r.reason(err)
		r.timer.Stop()
		r.stop(nil)
		return err
	}
	r.timer.Stop()
	return nil
}

func (r *reader) Read(p []byte) (int, error) {
	r.timer.Reset(answerTime)
	n, err := r.answer.Read(p)
	r.timer.Stop()
	return n, r.reason(err)
}

// reason returns why a request failed.
func (r *reader) reason(err error) error {
	if err != nil && context.Cause(r.ctx) == errSilent {
		return errSilent
	}
	return err
}

// Close ends the request.
func (r *reader) Close() error {
	r.timer.Stop()
	err := r.answer.Close()
	r.stop(nil)
	return err
}
