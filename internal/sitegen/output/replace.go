package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"viewer/internal/failure"
)

// tempName returns the name under which a file is written before it is renamed. No other name in a site begins with a
// dot.
func tempName(name, attempt string) string {
	dir, base := path.Split(name)
	if attempt != "" {
		base += "." + attempt
	}
	return dir + "." + base + ".new"
}

func (w *Writer) tempName(name string) string { return tempName(name, w.attempt) }

// replace writes a file under its temporary name and renames it.
func (d *DirWriter) replace(name string, write func(io.Writer) error) (fs.FileInfo, error) {
	info, err := d.writeTemp(name, write)
	if err == nil {
		err = d.commit(name)
	}
	return info, err
}

// writeTemp writes a file under its temporary name.
func (d *DirWriter) writeTemp(name string, write func(io.Writer) error) (fs.FileInfo, error) {
	if err := d.note(d.dir + name); err != nil {
		return nil, err
	}
	temp := d.tempName(name)
	f, err := d.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.root.MkdirAll(path.Dir(name), 0o755); err == nil {
			f, err = d.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		}
	}
	if err != nil {
		return nil, err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	var info fs.FileInfo
	if err == nil {
		info, err = d.root.Lstat(temp) // on Windows, closing may set the time
	}
	if err != nil {
		d.root.Remove(temp)
		return nil, err
	}
	return info, nil
}

// commit renames a file that was written.
func (d *DirWriter) commit(name string) error {
	err := whileBusy(func() error { return d.root.Rename(d.tempName(name), name) })
	if err != nil {
		d.root.Remove(d.tempName(name))
	}
	return err
}

// WriteTemp writes a file that the manifest does not list under its temporary name, until Commit or Discard.
func (w *Writer) WriteTemp(name string, write func(io.Writer) error) error {
	_, err := w.Top().writeTemp(name, write)
	return failed(w.path(name), err)
}

// Commit renames what WriteTemp has written.
func (w *Writer) Commit(name string) error { return failed(w.path(name), w.Top().commit(name)) }

// Discard removes what WriteTemp has written.
func (w *Writer) Discard(name string) { w.root.Remove(w.tempName(name)) }

// whileBusy repeats an operation that fails because another program has opened the file, as virus scanners and search
// indexers do for a moment. This happens only on Windows.
func whileBusy(do func() error) error {
	err := do()
	for wait := time.Millisecond; failure.Busy(err) && wait < time.Second; wait *= 2 {
		time.Sleep(wait)
		err = do()
	}
	return err
}
