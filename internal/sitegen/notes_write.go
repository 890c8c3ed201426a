package sitegen

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"viewer/internal/failure"
	"viewer/internal/notes"
	"viewer/internal/sitegen/output"
	"viewer/internal/smallfile"
)

// errNote is the error for data that is not one note.
var errNote = errors.New("not a note")

// maxNote limits the text of a note that is added, in bytes.
const maxNote = 32 << 10

// AddNote adds one note, as JSON, to a file of notes in JSON. The file need not exist. It is replaced as a whole, and
// writers of several processes wait for each other.
func AddNote(file string, data []byte) error {
	all, problems := notes.JSON("", data)
	if len(problems) > 0 || len(all) != 1 {
		return errNote
	}
	n := all[0]
	if len(n.Text) > maxNote || len(n.Session)+len(n.Anchor)+len(n.Author)+len(n.Label) > 1<<10 {
		return fmt.Errorf("%w: it is too long", errNote)
	}
	dir, name := filepath.Split(file)
	dir = cmp.Or(dir, ".")
	release, err := lockNotes(filepath.Join(dir, "."+name+".lock"))
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, failure.Cause(err))
	}
	defer release()
	before, err := smallfile.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", file, failure.Cause(err))
	}
	after, err := notes.Append(before, n)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return output.WriteFile(file, after)
}

// lockNotes waits until no other process writes notes. It locks another file, because the file of the notes is
// replaced.
func lockNotes(name string) (release func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 300 {
		if err = output.TryLock(f); err == nil {
			return func() { f.Close() }, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.Close()
	return nil, errors.New("another program writes it")
}
