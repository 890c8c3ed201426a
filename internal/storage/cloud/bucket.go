//go:build cloud

package cloud

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	gcs "cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// Open opens the bucket at an address with the usual credentials of its provider.
func Open(ctx context.Context, address *url.URL) (storage.LargeBucket, error) {
	top := *address
	top.Path = ""
	if top.Scheme == "s3" && top.Query().Get("endpoint") != "" {
		q := top.Query()
		if q.Get("use_path_style") == "" { // few other servers have a name for each bucket
			q.Set("use_path_style", "true")
		}
		if q.Get("region") == "" {
			q.Set("region", "us-east-1")
		}
		for _, checksum := range []string{"request_checksum_calculation", "response_checksum_validation"} {
			if q.Get(checksum) == "" { // only Amazon has these; for others the library warns on standard error
				q.Set(checksum, "when_required")
			}
		}
		top.RawQuery = q.Encode()
	}
	b, err := blob.OpenBucket(ctx, top.String())
	if err != nil {
		return nil, inWords(err)
	}
	var google *gcs.Client
	if b.As(&google) { // otherwise it retries a busy server for ever
		google.SetRetry(gcs.WithMaxAttempts(libraryTries))
	}
	if prefix := strings.Trim(address.Path, "/"); prefix != "" {
		b = blob.PrefixedBucket(b, prefix+"/")
	}
	return bucket{b}, nil
}

type bucket struct{ b *blob.Bucket }

func (b bucket) Close() error { return b.b.Close() }

func (b bucket) List(ctx context.Context, prefix string) iter.Seq2[storage.Object, error] {
	return func(yield func(storage.Object, error) bool) {
		for token := blob.FirstPageToken; len(token) > 0; {
			var page []*blob.ListObject
			var next []byte
			err := withRetries(ctx, 0, func(ctx context.Context) (err error) {
				page, next, err = b.b.ListPage(ctx, token, pageSize, &blob.ListOptions{Prefix: prefix})
				return err
			})
			if err != nil {
				yield(storage.Object{}, inWords(err))
				return
			}
			for _, o := range page {
				one := storage.Object{Name: o.Key, Size: o.Size, Modified: o.ModTime, MD5: o.MD5}
				if !o.IsDir && !yield(one, nil) {
					return
				}
			}
			token = next
		}
	}
}

// pageSize is how many objects are listed by a request, the largest number that all providers allow.
const pageSize = 1000

func (b bucket) Open(ctx context.Context, name string, offset int64) (io.ReadCloser, storage.Object, error) {
	r := &reader{outer: ctx}
	err := withRetries(ctx, 0, func(context.Context) error { return r.open(b.b, name, offset) })
	if err != nil {
		return nil, storage.Object{}, inWords(err)
	}
	return r, storage.Object{Size: r.answer.Size(), Modified: r.answer.ModTime()}, nil
}

func (b bucket) Stat(ctx context.Context, name string) (storage.Object, error) {
	var a *blob.Attributes
	err := withRetries(ctx, 0, func(ctx context.Context) (err error) {
		a, err = b.b.Attributes(ctx, name)
		return err
	})
	if err != nil {
		return storage.Object{}, inWords(err)
	}
	o := storage.Object{Name: name, Size: a.Size, Modified: a.ModTime, MD5: a.MD5}
	if sum, err := hex.DecodeString(a.Metadata[sumKey]); err == nil && len(sum) == md5.Size {
		o.MD5 = sum
	}
	return o, nil
}

func (b bucket) Put(ctx context.Context, name string, data []byte, o storage.PutOptions) error {
	sum := md5.Sum(data)
	options := writerOptions(sum[:], o)
	options.ContentMD5 = sum[:]
	return put(ctx, int64(len(data)), o, func(ctx context.Context) error {
		return b.b.WriteAll(ctx, name, data, options)
	})
}

func (b bucket) PutFile(ctx context.Context, name string, from io.ReadSeeker, o storage.PutOptions) error {
	rewind := func() error {
		_, err := from.Seek(0, io.SeekStart)
		return err
	}
	sum, size := md5.New(), int64(0)
	err := rewind()
	if err == nil {
		size, err = io.Copy(sum, from)
	}
	if err != nil {
		return err
	}
	options := writerOptions(sum.Sum(nil), o)
	return put(ctx, size, o, func(ctx context.Context) error {
		if err := rewind(); err != nil {
			return err
		}
		return b.b.Upload(ctx, name, from, options)
	})
}

func writerOptions(sum []byte, o storage.PutOptions) *blob.WriterOptions {
	return &blob.WriterOptions{
		ContentType: cmp.Or(o.Type, "application/octet-stream"), CacheControl: o.Cache, IfNotExist: o.IfAbsent,
		Metadata: map[string]string{sumKey: hex.EncodeToString(sum)},
	}
}

// put writes an object of so many bytes, with retries.
func put(ctx context.Context, size int64, o storage.PutOptions, write func(context.Context) error) error {
	err := withRetries(ctx, size, write)
	code := gcerrors.Code(err)
	if o.IfAbsent && (code == gcerrors.FailedPrecondition || code == gcerrors.AlreadyExists) {
		return fs.ErrExist
	}
	if err != nil {
		return inWords(err)
	}
	return nil
}

// tries limits the attempts at a request that fails with a temporary error. The libraries make some tries for each
// attempt.
const (
	tries        = 4
	libraryTries = 3
	azureTries   = 2 // its library waits for ten seconds
	silentTries  = 2 // of a server that does not answer
)

// withRetries repeats a request that sends so many bytes while it fails with a temporary error, with increasing pauses.
func withRetries(ctx context.Context, size int64, request func(context.Context) error) error {
	pause := 100 * time.Millisecond
	for n := 1; ; n++ {
		err := limited(ctx, size, request)
		switch gcerrors.Code(err) {
		case gcerrors.OK, gcerrors.NotFound, gcerrors.AlreadyExists, gcerrors.InvalidArgument, gcerrors.Unimplemented,
			gcerrors.FailedPrecondition, gcerrors.PermissionDenied, gcerrors.Canceled:
			return err
		}
		_, _, status := answerOf(err)
		refused := status == http.StatusForbidden || status == http.StatusUnauthorized
		azure := (*azcore.ResponseError)(nil)
		silent := n == silentTries && errors.Is(err, errSilent)
		if refused || n == tries || silent || n == azureTries && errors.As(err, &azure) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause + rand.N(pause)):
			pause *= 3
		}
	}
}

// sumKey is the metadata of an object with its checksum, for providers whose checksum is not that of the content.
const sumKey = "viewer-md5"

func (b bucket) Delete(ctx context.Context, name string) error {
	err := withRetries(ctx, 0, func(ctx context.Context) error { return b.b.Delete(ctx, name) })
	if err == nil || gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return inWords(err)
}

// inWords returns the answer of a provider, without addresses and ids of requests.
func inWords(err error) error {
	cause, code, status := answerOf(err)
	switch code {
	case "NoSuchBucket":
		return failure.New(errors.New("no such bucket"), "check its name, and the endpoint")
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
		return failure.New(cause, "name the region of the bucket: s3://BUCKET/PREFIX?region=eu-west-1")
	case "SlowDown", "ServiceUnavailable", "RequestLimitExceeded", "ServerBusy", "rateLimitExceeded":
		return failure.New(cause, "run it again later, or with fewer shards at a time")
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "RequestTimeTooSkewed", "AuthenticationFailed",
		"authError":
		return failure.New(cause, "check the credentials in the environment, and the clock")
	}
	switch {
	case status == http.StatusForbidden || gcerrors.Code(err) == gcerrors.PermissionDenied:
		return failure.New(fmt.Errorf("no permission: %w", cause), "check the credentials and what they may do there")
	case gcerrors.Code(err) == gcerrors.NotFound:
		return fs.ErrNotExist
	}
	if cut := cutOff(err); cut != nil && code == "" {
		return failure.New(cut, "check the endpoint and the network, and run it again: finished work is not repeated")
	}
	if code == "" && strings.Contains(err.Error(), "credentials") {
		return failure.New(errors.New("no credentials were found"),
			"set those of the provider, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; ?anonymous=true reads public buckets")
	}
	return failure.New(cause, "run it again: finished work is not repeated")
}

// answerOf returns the error message of a provider, with its code, and the status if that tells more. Without an answer
// it returns the error and no code.
func answerOf(err error) (cause error, code string, status int) {
	var amazon interface {
		ErrorCode() string
		ErrorMessage() string
	}
	var google *googleapi.Error
	var azure *azcore.ResponseError
	text := ""
	switch {
	case errors.As(err, &amazon):
		code, text = amazon.ErrorCode(), amazon.ErrorMessage()
	case errors.As(err, &google):
		code, text, status = http.StatusText(google.Code), google.Message, google.Code
		if len(google.Errors) > 0 && google.Errors[0].Reason != "" {
			code = google.Errors[0].Reason
		}
	case errors.As(err, &azure): // its text has many lines
		code, status = cmp.Or(azure.ErrorCode, http.StatusText(azure.StatusCode)), azure.StatusCode
	default:
		return err, "", 0
	}
	text, _, _ = strings.Cut(text, "\n")
	if text = strings.TrimSuffix(text, "."); text == "" {
		return errors.New(code), code, status
	}
	return fmt.Errorf("%s (%s)", strings.ToLower(text[:1])+text[1:], code), code, status
}

// cutOff returns the network error, nil if the error is of another kind.
func cutOff(err error) error {
	var request *url.Error
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, errSilent):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return errors.New("the connection was cut")
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "EOF"):
		return errors.New("the connection was cut in an answer")
	case errors.As(err, &syntax):
		return errors.New("the answer is not one of a bucket")
	case errors.As(err, &request):
		return request.Err
	}
	return nil
}
