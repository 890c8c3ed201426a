//go:build cloud

package cloud

import (
	"context"
	"errors"
	"time"

	"gocloud.dev/blob"
)

// answerTime is how long a server may be silent: before its answer begins, and between two parts of it. Sent bytes take
// longer, by the slowest network that is waited for.
var answerTime = time.Minute

const slowest = 20 << 10 // bytes a second

// errSilent says that a server took longer. The libraries wait for ever.
var errSilent = errors.New("the server does not answer")

// limited makes one request that sends so many bytes.
func limited(ctx context.Context, size int64, request func(context.Context) error) error {
	sending := time.Duration(size) * time.Second / slowest
	ctx, stop := context.WithTimeoutCause(ctx, answerTime+sending, errSilent)
	defer stop()
	err := request(ctx)
	if err != nil && context.Cause(ctx) == errSilent {
		return errSilent
	}
	return err
}

// A reader reads an object, and gives up when its server falls silent.
type reader struct {
	answer *blob.Reader // not embedded: its WriteTo knows no time
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
