package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/storage"
)

// A Writer adds to an archive. A folder has one writer at a time. A bucket may have several, of which each adds after
// the others.
type Writer struct {
	*Archive
	Written int64 // bytes of frames and records

	lines   []byte    // of the manifest, that are not written yet
	pending []pending // the versions in these lines
	waiting int64     // bytes in their frames
	group   group     // versions that are not packed yet
}

// A pending is a version that is not in the manifest yet.
type pending struct {
	file   File
	record *archive.Record
}

// flushSize is how many bytes are packed between two writes of the manifest. A run that is killed loses at most these.
const flushSize = 4 << 20

// ErrBusy is the error that another process is writing to the archive.
var ErrBusy = errors.New("another viewer archives into")

// Create opens an archive to add to it, and creates it if it does not exist.
func Create(ctx context.Context, name string) (*Writer, error) {
	name = storage.Folder(name)
	place, err := makePlace(ctx, name)
	if err != nil {
		return nil, err
	}
	w := &Writer{Archive: &Archive{name: name, place: place}}
	if err := w.open(); err != nil {
		place.close()
		return nil, err
	}
	return w, nil
}

func (w *Writer) open() error {
	if is, err := w.place.exists(); err != nil {
		return w.unread(err)
	} else if !is {
		if err := w.refuseForeign(); err != nil {
			return err
		}
	}
	switch err := w.place.lock(); {
	case errors.Is(err, ErrBusy):
		return failure.New(fmt.Errorf("%w %s", ErrBusy, w.name), "wait for it, and run this again")
	case err != nil:
		return failure.New(w.failed("opening", archive.LockName, err), "check that the folder can be written to")
	}
	return w.begin()
}

// begin reads the manifest, or starts one.
func (w *Writer) begin() error {
	is, err := w.place.exists()
	switch {
	case err != nil:
		return w.unread(err)
	case !is:
		w.Index = archive.NewIndex()
	default:
		if err := w.read(); err != nil {
			return err
		}
	}
	if w.Size == 0 { // not even the first line was written
		w.lines = w.Chain.Append(nil, archive.Record{Format: archive.Format})
	}
	if len(w.Faults) > 0 {
		f := w.Faults[0]
		err := fmt.Errorf("reading %s:%d: %w", w.path(archive.ManifestName), f.Line, f.Err)
		return failure.New(err, "nothing was changed; viewer archive verify shows more, -o chooses another archive")
	}
	return nil
}

// unread returns the error that a place cannot be read.
func (w *Writer) unread(err error) error {
	if _, known := errors.AsType[*failure.Error](err); known {
		return storage.Failed(w.name, err)
	}
	return failure.New(fmt.Errorf("reading %s: %w", storage.Words(w.name), failure.Cause(err)),
		"use -o to choose another folder")
}

// refuseForeign refuses a folder that holds something else.
func (w *Writer) refuseForeign() error {
	name, err := w.place.foreign()
	switch {
	case err != nil:
		return w.unread(err)
	case name != "":
		return failure.New(fmt.Errorf("%s contains other files", storage.Words(w.name)),
			"use -o to choose another folder")
	}
	return nil
}

// Close writes what is left.
func (w *Writer) Close() error { return errors.Join(w.Flush(), w.place.close()) }

// Flush writes the records of what was added: first the frames are on the disk, then the manifest.
func (w *Writer) Flush() error {
	for {
		if err := w.endGroup(); err != nil {
			return err
		}
		if len(w.lines) == 0 {
			return nil
		}
		if err := w.place.flush(); err != nil {
			return w.unwritten(archive.DataDir, err)
		}
		err := w.place.extendManifest(w.Size, w.lines)
		if errors.Is(err, errRaced) {
			if err := w.rebase(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return w.unwritten(archive.ManifestName, err)
		}
		w.Size += int64(len(w.lines))
		w.Written += int64(len(w.lines))
		w.lines, w.pending, w.waiting = nil, nil, 0
	}
}

// rebase moves records that are not written yet after those that another writer has added. Versions whose frames no
// longer continue their streams are made again.
func (w *Writer) rebase() error {
	again := w.pending
	w.lines, w.pending, w.waiting = nil, nil, 0
	if err := w.begin(); err != nil {
		return err
	}
	for _, p := range again {
		r := p.record
		if same := w.WithSum(r.Sum); same != nil && len(r.Frames) > 0 {
			r.Parts, r.Frames = same.Parts, nil
		}
		var err error
		if w.Fits(r) == nil {
			err = w.record(p.file, r)
		} else {
			_, err = w.Add(p.file, r.Time)
		}
		if _, read := errors.AsType[*ErrRead](err); err != nil && !read {
			return err
		}
	}
	return nil
}

func (w *Writer) unwritten(name string, err error) error {
	hint := "nothing that was archived is lost; run it again"
	if failure.Full(err) {
		hint = "make room; nothing that was archived is lost, and the next run continues"
	}
	if known, ok := errors.AsType[*failure.Error](err); ok {
		err, hint = known.Err, known.Hint
	}
	if place, ok := errors.AsType[*fs.PathError](err); ok && name == archive.DataDir && place.Path != "" {
		name = place.Path
	}
	return failure.New(w.failed("writing", name, err), hint)
}

// A File is a file to archive.
type File struct {
	archive.Key
	fingerprint.Stamp      // its size is how much of the file is read
	Beside            bool // see archive.Record
	Open              func() (io.ReadCloser, error)
}

// A Result is what Add did with a file.
type Result int

const (
	Unchanged Result = iota
	Added            // the first version
	Appended         // it continues the version before
	Copied           // another file has the same content
	Rewritten        // it differs from the version before, which is kept
	Shortened        // it is shorter than the version before, which is kept
)

// An ErrRead reports that a file could not be read. The archive is unchanged.
type ErrRead struct{ Err error }

func (e *ErrRead) Error() string { return failure.Cause(e.Err).Error() }
func (e *ErrRead) Unwrap() error { return e.Err }

// Add archives the current content of a file.
func (w *Writer) Add(f File, now time.Time) (Result, error) {
	if w.group.keys[f.Key] {
		if err := w.endGroup(); err != nil {
			return 0, err
		}
	}
	last := w.Newest(f.Key)
	if last != nil && last.Size == f.Size && last.Mod == f.Mod && last.Changed == f.Changed && last.Inode == f.Inode {
		return Unchanged, nil
	}
	s, err := w.survey(f)
	if err != nil {
		return 0, &ErrRead{err}
	}
	if last != nil && last.Sum == s.sum {
		return Unchanged, nil
	}
	r := &archive.Record{
		Machine: f.Machine, Folder: f.Folder, Path: f.Path, Time: now.UTC().Truncate(time.Second),
		Mod: f.Mod, Changed: f.Changed, Inode: f.Inode,
		Size: s.size, Sum: s.sum, Head: s.head, Beside: f.Beside,
	}
	b := &builder{w: w, record: r}
	copied := false
	switch same := w.WithSum(s.sum); {
	case same != nil:
		r.Parts, copied = same.Parts, true
	case w.beginsLonger(&s):
		r.Parts, copied = archive.Slice(s.longer.Parts, 0, s.size), true
	case s.base != nil:
		err = b.append(f, s)
	case last == nil && len(s.alike) == 0 && s.size <= groupedSize:
		return w.addToGroup(f, r)
	default:
		err = b.replace(f, s)
	}
	if err != nil {
		return 0, err
	}
	return w.result(last, r, s, copied), w.record(f, r)
}

func (w *Writer) result(last, r *archive.Record, s surveyed, copied bool) Result {
	switch {
	case last == nil && copied:
		return Copied
	case last == nil:
		return Added
	case s.matches[last.Sum], last.Size == 0:
		return Appended
	case r.Size < last.Size:
		return Shortened
	}
	return Rewritten
}

// record adds the record of a version to the manifest.
func (w *Writer) record(file File, r *archive.Record) error {
	for i := range r.Frames {
		w.waiting += r.Frames[i].Packed
	}
	if err := w.Index.Add(r); err != nil {
		return err
	}
	w.pending = append(w.pending, pending{file, r})
	line := *r
	line.Frames = slices.Clone(r.Frames)
	for i := range line.Frames {
		if line.Frames[i].Sum == r.Sum {
			line.Frames[i].Sum = archive.Sum{}
		}
	}
	w.lines = w.Chain.Append(w.lines, line)
	if w.waiting+int64(len(w.lines)) > flushSize || len(w.pending) > maxPending {
		return w.Flush()
	}
	return nil
}

// maxPending is how many versions are added between two writes of the manifest.
const maxPending = 256
