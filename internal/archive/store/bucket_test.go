package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/storage"
)

// memory is a bucket in memory.
type memory map[string][]byte

func (m memory) List(_ context.Context, prefix string) iter.Seq2[storage.Object, error] {
	return func(yield func(storage.Object, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if strings.HasPrefix(name, prefix) && !yield(storage.Object{Name: name, Size: int64(len(m[name]))}, nil) {
				return
			}
		}
	}
}

func (m memory) Open(_ context.Context, name string, offset int64) (io.ReadCloser, storage.Object, error) {
	data, ok := m[name]
	if !ok {
		return nil, storage.Object{}, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(data[offset:])), storage.Object{Size: int64(len(data))}, nil
}

func (m memory) Stat(_ context.Context, name string) (storage.Object, error) {
	data, ok := m[name]
	if !ok {
		return storage.Object{}, fs.ErrNotExist
	}
	return storage.Object{Name: name, Size: int64(len(data))}, nil
}

func (m memory) Put(_ context.Context, name string, data []byte, o storage.PutOptions) error {
	if _, ok := m[name]; ok && o.IfAbsent {
		return fs.ErrExist
	}
	m[name] = bytes.Clone(data)
	return nil
}

func (m memory) Delete(_ context.Context, name string) error {
	delete(m, name)
	return nil
}

func (m memory) Close() error { return nil }

func (m memory) place(t *testing.T) *bucket {
	return &bucket{ctx: t.Context(), bucket: m, waiting: make(map[string][]byte), recent: make(map[string][]byte)}
}

func (m memory) writer(t *testing.T) *Writer {
	t.Helper()
	w := &Writer{Archive: &Archive{name: "s3://m", place: m.place(t)}}
	if err := w.open(); err != nil {
		t.Fatal(err)
	}
	return w
}

// has checks that the newest versions in the archive have these contents, by machine and path, and that the archive has
// no faults.
func (m memory) has(t *testing.T, want map[string]string) *Archive {
	t.Helper()
	a := &Archive{name: "s3://m", place: m.place(t)}
	if err := a.read(); err != nil {
		t.Fatal(err)
	}
	if err := a.Verify(t.Context(), func(f Flaw) {
		if !f.Mild {
			t.Error(f)
		}
	}); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, k := range a.Keys() {
		text, err := io.ReadAll(a.Content(a.Newest(k)))
		if err != nil {
			t.Error(err)
		}
		got[k.Machine+"/"+k.Path] = string(text)
	}
	if !maps.Equal(got, want) {
		t.Errorf("the archive has\n%q\nwant\n%q", got, want)
	}
	return a
}

// TestConcurrentWriters: several writers to a bucket each add their files after what the others have added meanwhile.
func TestConcurrentWriters(t *testing.T) {
	long := strings.Repeat("one line of a log that several machines have\n", 40)
	add := func(w *Writer, machine, name, text string) {
		t.Helper()
		f := logOf(name, text)
		f.Machine = machine
		if _, err := w.Add(f, day1); err != nil {
			t.Fatal(err)
		}
	}
	flush := func(w *Writer) {
		t.Helper()
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	m := make(memory)
	a, b, c := m.writer(t), m.writer(t), m.writer(t) // each creates the archive
	add(a, "a", "same", long)
	add(b, "b", "same", long)       // content that another writer added too
	add(b, "b", "own", "two\n")     // content of this writer only
	add(c, "c", "same", long+"3\n") // a continuation of another writer's content
	for _, w := range []*Writer{a, b, c} {
		flush(w)
	}
	m.has(t, map[string]string{"a/same": long, "b/same": long, "b/own": "two\n", "c/same": long + "3\n"})

	// Two writers append to one stream.
	add(a, "a", "same", long+"from a\n")
	add(b, "b", "same", long+"from b\n")
	flush(b)
	flush(a)
	add(a, "a", "same", long+"from a\nand on\n")
	flush(a)
	archive := m.has(t, map[string]string{
		"a/same": long + "from a\nand on\n", "b/same": long + "from b\n", "b/own": "two\n", "c/same": long + "3\n",
	})
	if len(archive.Faults) > 0 || archive.Torn > 0 {
		t.Errorf("the manifest has faults %v and an incomplete line of %d bytes, want none",
			archive.Faults, archive.Torn)
	}

	// Two processes archive the same file of one machine.
	add(b, "b", "own", "two\nthree\n")
	add(c, "b", "own", "two\nthree\n")
	flush(b)
	flush(c)
	m.has(t, map[string]string{
		"a/same": long + "from a\nand on\n", "b/same": long + "from b\n",
		"b/own": "two\nthree\n", "c/same": long + "3\n",
	})
}

// TestManifestPieces: many pieces of a manifest are read as few objects. None of them is removed, because a suspended
// writer might otherwise write it again.
func TestManifestPieces(t *testing.T) {
	m, want := make(memory), make(map[string]string)
	asleep := m.writer(t)
	if _, err := asleep.Add(logOf("late", "late\n"), day1); err != nil {
		t.Fatal(err)
	}
	w := m.writer(t)
	for n := range 3*mergedPieces + 5 {
		name := fmt.Sprintf("%03d", n)
		if _, err := w.Add(logOf(name, name+"\n"), day1); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		want["m/"+name] = name + "\n"
	}
	if err := asleep.Close(); err != nil {
		t.Fatal(err)
	}
	want["m/late"] = "late\n"
	a := m.has(t, want)
	if n := len(a.place.(*bucket).pieces); n != 3+5+1 {
		t.Errorf("the manifest is read as %d objects, want 9", n)
	}

	// A missing piece is reported, and the pieces after it are read.
	for name := range m {
		if strings.HasPrefix(name, piecesDir) && strings.Contains(name, "-0") {
			delete(m, name)
		}
	}
	m.has(t, want)
	delete(m, a.place.(*bucket).pieces[len(a.place.(*bucket).pieces)-2].name)
	a = &Archive{name: "s3://m", place: m.place(t)}
	if err := a.read(); err != nil {
		t.Fatal(err)
	}
	if len(a.Faults) != 2 || len(a.Files) != len(want)-1 {
		t.Errorf("got %d files of %d and the faults %v; want all but one, and 2 faults",
			len(a.Files), len(want), a.Faults)
	}
	if err := (&Writer{Archive: &Archive{name: "s3://m", place: m.place(t)}}).open(); err == nil ||
		!strings.HasPrefix(err.Error(), "reading s3://m/viewer-archive.jsonl:") {
		t.Errorf("opening a writer: error %v, want one that names the manifest", err)
	}
}

// TestLargeObject: if an object is much larger than its frame, only the size of the frame is read.
func TestLargeObject(t *testing.T) {
	m := make(memory)
	w := m.writer(t)
	f := logOf("a.jsonl", "one\n")
	if _, err := w.Add(f, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range m {
		if strings.HasPrefix(name, "data/") {
			m[name] = append(data, make([]byte, 64<<20)...)
		}
	}
	a := &Archive{name: "s3://m", place: m.place(t)}
	if err := a.read(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := a.Content(a.Newest(a.Keys()[0]))
	defer c.Close()
	if text, err := io.ReadAll(c); err != nil || string(text) != "one\n" {
		t.Errorf("got %q, error %v, want one", text, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("reading allocates %d MB, want at most 16", used>>20)
	}
}
