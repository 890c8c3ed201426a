package output

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"viewer/internal/fingerprint"
)

// StatAll checks on all cores which listed files are unchanged since the last build.
func (w *Writer) StatAll() {
	const batch = 64
	all := w.manifest.Files
	isIntact := w.IsIntact
	if w.bucket == nil {
		top, err := os.Open(w.dir)
		if err != nil {
			return // each file is checked when it is needed
		}
		defer top.Close()
		isIntact = func(f *File) bool { return f.isBelow(top) }
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)/batch+1) {
		group.Go(func() {
			for {
				end := int(next.Add(batch))
				for i := end - batch; i < min(end, len(all)); i++ {
					if f := &all[i]; f.Size >= 0 && isIntact(f) {
						f.intact = w.build
					}
				}
				if end >= len(all) {
					return
				}
			}
		})
	}
	group.Wait()
}

// AllIntact reports whether StatAll found all files unchanged.
func (w *Writer) AllIntact() bool {
	return !slices.ContainsFunc(w.manifest.Files, func(f File) bool { return f.intact != w.build })
}

// ForgetChanged makes the files that were written since TakeChanged count as changed, because the build that wrote them
// has failed: they are not what the state says.
func (w *Writer) ForgetChanged() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range w.changed {
		if f := w.manifest.find(name); f != nil {
			f.set(-1, 0)
			f.claimed, f.intact = 0, 0
		}
	}
}

// Intact reports whether files are unchanged since the last build. Each file is checked once in a build.
func (w *Writer) Intact(names ...string) bool {
	for _, name := range names {
		w.mu.Lock()
		var file File
		f := w.manifest.find(name)
		if f != nil {
			file = *f
		}
		w.mu.Unlock()
		switch {
		case f == nil:
			return false
		case file.intact == w.build || file.claimed == w.build:
		case !w.IsIntact(&file):
			return false
		default:
			w.mu.Lock()
			w.manifest.find(name).intact = w.build
			w.mu.Unlock()
		}
	}
	return true
}

// IsIntact checks one file. It must be a regular file; links are not followed.
func (w *Writer) IsIntact(f *File) bool {
	if w.bucket != nil { // nobody else writes there, and a request for each object would cost more than drawing it
		return f.Size >= 0
	}
	info, err := os.Lstat(w.path(f.Name))
	return err == nil && info.Mode().IsRegular() && info.Size() == f.Size && info.ModTime().UnixNano() == f.Mod
}

// isBelow is IsIntact for a file below an open folder.
func (f *File) isBelow(top *os.File) bool {
	stamp, regular, err := fingerprint.Below(top, f.Name)
	return err == nil && regular && stamp.Size == f.Size && stamp.Mod == f.Mod
}
