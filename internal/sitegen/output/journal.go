package output

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"viewer/internal/failure"
)

const journalName = StateDir + "/journal"

// note writes the name of a file to the journal before the file is created, so that the next build finds the file if
// this one is killed.
func (w *Writer) note(name string) error {
	if w.bucket != nil { // objects have no temporary names
		return w.bucket.markBegun()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		f, err := w.root.OpenFile(cmp.Or(w.ownJournal, journalName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		w.journal = f
	}
	_, err := io.WriteString(w.journal, name+"\n")
	return err
}

// Adopt takes over the manifest of the last build, and adds the files of a later build that was killed.
func (w *Writer) Adopt(m *Manifest) {
	w.manifest = m
	w.adoptJournal(journalName, "")
}

// adoptJournal adds the files in a journal, and removes the temporary files of that attempt.
func (w *Writer) adoptJournal(journal, attempt string) {
	if w.bucket != nil {
		return
	}
	data, err := w.root.ReadFile(journal)
	if err != nil {
		return
	}
	for name := range strings.Lines(string(data)) {
		name, whole := strings.CutSuffix(name, "\n")
		if !whole || !fs.ValidPath(name) {
			continue
		}
		w.root.Remove(tempName(name, attempt)) // it rarely exists
		if isInside(name) && !w.addPartitioned(eventNoted, File{Name: name}) {
			w.manifest.add(name)
		}
	}
}

// Finish writes the state and removes the journal.
func (w *Writer) Finish(writeState func(*Writer) error) error {
	if err := writeState(w); err != nil {
		return err
	}
	if w.journal != nil {
		w.journal.Close()
		w.journal = nil
	}
	if w.bucket != nil && !w.bucket.begun {
		return nil
	}
	if err := w.root.Remove(journalName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure.New(fmt.Errorf("removing %s: %w", w.path(journalName), failure.Cause(err)), checkAccess)
	}
	return nil
}
