package storage

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// memory is a bucket with one object, whose streams are closed after so many bytes.
type memory struct {
	data   string
	cut    int // 0 for never
	opened int
}

func (m *memory) List(context.Context, string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) { yield(Object{Name: "a/b", Size: int64(len(m.data))}, nil) }
}

func (m *memory) Open(_ context.Context, name string, offset int64) (io.ReadCloser, Object, error) {
	if name != "a/b" {
		return nil, Object{}, fs.ErrNotExist
	}
	m.opened++
	rest := m.data[offset:]
	var from io.Reader = strings.NewReader(rest)
	if m.cut > 0 && len(rest) > m.cut {
		from = io.MultiReader(strings.NewReader(rest[:m.cut]), iotest.ErrReader(errors.New("connection reset by peer")))
	}
	return io.NopCloser(from), Object{Size: int64(len(m.data))}, nil
}

func (m *memory) Stat(context.Context, string) (Object, error) {
	return Object{Size: int64(len(m.data))}, nil
}
func (m *memory) Close() error { return nil }

// TestFiles: an object can be read like a file, with few requests, and reading continues after a stream was closed.
func TestFiles(t *testing.T) {
	data := strings.Repeat("one line of many\n", 20_000)
	for _, c := range []struct{ cut, opened int }{{0, 1}, {100_000, 4}, {70_000, 5}} {
		m := &memory{data: data, cut: c.cut}
		f, err := Files{m, t.Context()}.Open("a/b")
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 4)
		if n, err := f.(io.ReaderAt).ReadAt(head, 0); n != 4 || err != nil || string(head) != "one " {
			t.Errorf("got the head %q, error %v", head[:n], err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != data {
			t.Errorf("closed after %d: got %d bytes of %d, error %v", c.cut, len(got), len(data), err)
		}
		if m.opened != c.opened {
			t.Errorf("closed after %d: opened %d times, want %d", c.cut, m.opened, c.opened)
		}
		if f.Close() != nil {
			t.Error("Close returns an error")
		}
	}
	if got, err := fs.ReadFile(Files{&memory{data: data, cut: 1000}, t.Context()}, "a/b"); err == nil {
		t.Errorf("a stream that is always closed: got %d bytes, want an error", len(got))
	}
	m := &memory{data: data}
	f, err := Files{m, t.Context()}.Open("a/b")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.(io.Seeker).Seek(int64(len(data))-5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	tail, err := io.ReadAll(f)
	if err != nil || string(tail) != "many\n" {
		t.Errorf("after a seek: got %q, error %v", tail, err)
	}
	middle := make([]byte, 3)
	if _, err := f.(io.ReaderAt).ReadAt(middle, 4); err != nil || !bytes.Equal(middle, []byte("lin")) {
		t.Errorf("in the middle: got %q, error %v", middle, err)
	}
	if _, err := (Files{m, t.Context()}).Open("other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing object: got error %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for name, want := range map[string]bool{
		"s3://bucket/prefix": true, "gs://bucket": true, "azblob://box": true,
		"file:///a": false, "s3": false, "/s3://": false,
	} {
		if IsAddress(name) != want {
			t.Errorf("IsAddress(%s) = %v", name, !want)
		}
	}
	if got := Folder("file:///home/mara/a%20b"); got != "/home/mara/a b" {
		t.Errorf("got folder %s", got)
	}
	drive := "/C:/logs"
	if runtime.GOOS == "windows" {
		drive = "C:/logs"
	}
	if got := Folder("file:///C:/logs"); got != drive {
		t.Errorf("got folder %s, want %s", got, drive)
	}
	for address, want := range map[string]string{
		"s3://bucket/prefix/?endpoint=http://user:key@host": "s3://bucket/prefix",
		"s3://id:key@bucket/a@b/":                           "s3://bucket/a@b",
		"gs://id:k@y@bucket":                                "gs://bucket",
		"s3://bucket/id:key@b":                              "s3://bucket/id:key@b",
		"/home/id:key@b":                                    "/home/id:key@b",
	} {
		if got := Words(address); got != want {
			t.Errorf("Words(%s) = %s, want %s", address, got, want)
		}
	}
	_, err := OpenBucket(t.Context(), "s3://bucket/prefix?endpoint=x")
	if err == nil || !strings.Contains(err.Error(), "reading s3://bucket/prefix: this viewer was built without") {
		t.Errorf("without drivers: got error %v", err)
	}
}
