package output

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"viewer/internal/failure"
)

// The shards of one build write to one folder at the same time. A shard may run twice, because a scheduler starts
// another attempt if one seems dead. Each attempt has its own id in its temporary names and its own journal, so that no
// two write to the same file, and the merge finds the files of each.

// journalPrefix begins the names of the journals of attempts.
const journalPrefix = "journal-"

// Share makes the writer use its own temporary names, and its own journal in a folder of the state.
func (w *Writer) Share(folder, attempt string) error {
	w.attempt, w.ownJournal = attempt, folder+"/"+journalPrefix+attempt
	return w.MakeFolder(folder)
}

// MakeFolder creates a folder of the state.
func (w *Writer) MakeFolder(folder string) error {
	return failed(w.path(folder), w.root.MkdirAll(folder, 0o755))
}

// AdoptAttempts adds the files of the attempts with journals in a folder to the manifest, and removes the temporary
// files of killed attempts.
func (w *Writer) AdoptAttempts(folder string) {
	entries, err := w.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if attempt, ok := strings.CutPrefix(e.Name(), journalPrefix); ok {
			w.adoptJournal(folder+"/"+e.Name(), attempt)
		}
	}
}

// DropFolder removes a folder of the state with its files. The files that the journals in it list are added to the
// journal of the site, so that the next build knows them.
func (w *Writer) DropFolder(folder string) error {
	entries, err := w.ReadDir(folder)
	if err != nil {
		return failed(w.path(folder), err)
	}
	for _, e := range entries {
		attempt, ok := strings.CutPrefix(e.Name(), journalPrefix)
		if !ok {
			continue
		}
		data, err := w.root.ReadFile(folder + "/" + e.Name())
		if err != nil {
			return failed(w.path(folder), err)
		}
		for name := range strings.Lines(string(data)) {
			name, whole := strings.CutSuffix(name, "\n")
			if !whole || !fs.ValidPath(name) {
				continue
			}
			w.root.Remove(tempName(name, attempt))
			if !isInside(name) {
				continue
			}
			if err := w.note(name); err != nil {
				return failed(w.path(journalName), err)
			}
		}
	}
	return w.RemoveFolder(folder)
}

// RemoveFolder removes a folder of the state and everything in it.
func (w *Writer) RemoveFolder(folder string) error {
	if err := w.root.RemoveAll(folder); err != nil {
		return failure.New(fmt.Errorf("removing %s: %w", w.path(folder), failure.Cause(err)), checkAccess)
	}
	return nil
}

// Listed returns the files of these names from the manifest.
func (w *Writer) Listed(names []string) []File {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]File, 0, len(names))
	for _, name := range names {
		if f := w.manifest.find(name); f != nil {
			all = append(all, File{Name: f.Name, Size: f.Size, Mod: f.Mod})
		}
	}
	return all
}

// Accept lists files that another process has written as files of this build. If one is already listed with other
// values, two shards may have written it, and the file itself is checked.
func (w *Writer) Accept(files []File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range files {
		if !isInside(f.Name) {
			continue
		}
		if w.addPartitioned(eventMade, f) {
			continue
		}
		known := w.manifest.add(f.Name)
		switch {
		case known.claimed != w.build:
			w.bytes.Add(f.Size)
		case known.Size != f.Size || known.Mod != f.Mod:
			if info, err := os.Lstat(w.path(f.Name)); err == nil && w.bucket == nil {
				f.Size, f.Mod = info.Size(), info.ModTime().UnixNano()
			}
		}
		known.set(f.Size, f.Mod)
		known.claimed = w.build
	}
}

// AppendUnlisted opens a file for appending that no page needs and the manifest does not list.
func (w *Writer) AppendUnlisted(name string) (io.WriteCloser, error) {
	if w.bucket != nil {
		return &objectPieces{files: w.bucket, name: name}, nil
	}
	f, err := w.root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	return f, failed(w.path(name), err)
}

// Folders returns the names of the folders in a folder of the state, sorted.
func (w *Writer) Folders(folder string) []string {
	entries, err := w.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, path.Base(e.Name()))
		}
	}
	slices.Sort(names)
	return names
}

// EachName yields the names in a folder of the state, of which there may be a million.
func (w *Writer) EachName(folder string, do func(name string)) error {
	disk, ok := w.root.(diskFiles)
	if !ok {
		entries, err := w.ReadDir(folder)
		for _, e := range entries {
			do(e.Name())
		}
		return err
	}
	f, err := OpenFile(disk.Root, folder)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			do(name)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Remember adds files to the manifest as an earlier build left them.
func (w *Writer) Remember(files []File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range files {
		if known := w.manifest.add(f.Name); isInside(f.Name) && known.claimed != w.build {
			known.set(f.Size, f.Mod)
			known.intact = 0
		}
	}
}

// Dir returns the folder as it was given.
func (w *Writer) Dir() string { return w.dir }
