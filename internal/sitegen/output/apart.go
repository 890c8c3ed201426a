package output

import (
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
)

// Files of sessions of a large site are too many for a manifest in memory. A merge lists them apart: what is said of
// them is put into partitions by name, and brought together when all is said.

// An apart is the list of the files of sessions.
type apart struct {
	said *Partitions
	err  error
}

// What is said of a file.
const (
	saidBefore = iota // the last build left it so
	saidGone          // a later update removed it
	saidNoted         // it is in a journal
	saidKept          // it is a file of this build as it is
	saidMade          // it was written for this build
)

// ListApart makes the writer list the files of sessions apart from the manifest, until CloseApart.
func (w *Writer) ListApart() { w.apart = &apart{said: new(Partitions)} }

// CloseApart removes the temporary file of the list.
func (w *Writer) CloseApart() {
	if w.apart != nil {
		w.apart.said.Close()
		w.apart = nil
	}
}

// IsApart reports whether a file is one of those that are listed apart.
func IsApart(name string) bool {
	return strings.HasPrefix(name, "s/") || strings.HasPrefix(name, "media/")
}

// Before says how the last build left a file that is listed apart.
func (w *Writer) Before(f File) { w.apart.say(saidBefore, f) }

// Gone says that a later build has removed such a file.
func (w *Writer) Gone(name string) { w.apart.say(saidGone, File{Name: name}) }

// listsApart says something of a file, if it is listed apart.
func (w *Writer) listsApart(what int64, f File) bool {
	if w.apart == nil || !IsApart(f.Name) {
		return false
	}
	w.apart.say(what, f)
	return true
}

func (a *apart) say(what int64, f File) {
	var r codec.Encoder
	r.Int(what, f.Size, f.Mod)
	r.Text(f.Name)
	if err := a.said.Put(int(xxhash.Sum64String(f.Name)%NumPartitions), r); err != nil && a.err == nil {
		a.err = err
	}
}

// A FilesApart is what has become of the files that were listed apart.
type FilesApart struct {
	Kept    *Partitions // all that stay: name, size and time of each
	Number  int         // of these
	Changed []File      // those of which the last build said something else, up to a number
	Gone    []string    // those that it listed, and that are listed no more, up to the same number
	Many    bool        // there are more of either
	Left    int         // abandoned
}

// FinishApart brings together what was said of the files of sessions. It removes those that this build does not have
// or, if they are to be abandoned, only forgets them. most limits the changes that are told one by one.
func (w *Writer) FinishApart(abandon bool, most int) (*FilesApart, error) {
	if w.apart.err != nil {
		return nil, w.apart.err
	}
	all := &FilesApart{Kept: new(Partitions)}
	for i := range NumPartitions {
		if err := w.finishPartition(i, abandon, most, all); err != nil {
			all.Kept.Close()
			return nil, err
		}
	}
	return all, nil
}

// A fileApart is what was said of a file.
type fileApart struct {
	File
	before             File
	wasListed, isNoted bool
	isClaimed          bool
}

func (w *Writer) finishPartition(i int, abandon bool, most int, all *FilesApart) error {
	data, err := w.apart.said.Get(i)
	if err != nil {
		return err
	}
	files := make(map[string]*fileApart)
	var order []*fileApart
	for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
		what := d.Int()
		said := File{Size: d.Int(), Mod: d.Int(), Name: d.Text()}
		f := files[said.Name]
		if f == nil {
			f = &fileApart{File: File{Name: said.Name, Size: -1}}
			files[said.Name] = f
			order = append(order, f)
		}
		f.say(what, said, w)
	}
	for _, f := range order {
		isListed := f.isClaimed
		switch {
		case !f.wasListed && !f.isNoted && !f.isClaimed: // written and removed long ago
		case f.isClaimed:
			w.bytes.Add(f.Size)
		case abandon:
			all.Left++
		default:
			if err := w.remove(strings.Clone(f.Name)); err != nil {
				return err
			}
		}
		if isListed {
			var r codec.Encoder
			r.Text(f.Name)
			r.Int(f.Size, f.Mod)
			if err := all.Kept.Put(i, r); err != nil {
				return err
			}
			all.Number++
		}
		all.compare(f, isListed, most)
	}
	return nil
}

// say notes what is said of a file. Of two shards that both wrote it the file itself is asked.
func (f *fileApart) say(what int64, said File, w *Writer) {
	switch what {
	case saidBefore:
		f.before, f.wasListed = said, true
		f.Size, f.Mod = said.Size, said.Mod
	case saidGone:
		f.wasListed = false
		f.Size, f.Mod = -1, 0
	case saidNoted:
		f.isNoted = true
	case saidKept:
		f.isClaimed = true
	case saidMade:
		if f.isClaimed && (f.Size != said.Size || f.Mod != said.Mod) {
			if info, err := os.Lstat(w.path(f.Name)); err == nil && w.bucket == nil {
				said.Size, said.Mod = info.Size(), info.ModTime().UnixNano()
			}
		}
		f.Size, f.Mod, f.isClaimed = said.Size, said.Mod, true
	}
}

// compare notes where a file is listed otherwise than before.
func (a *FilesApart) compare(f *fileApart, isListed bool, most int) {
	switch {
	case isListed && (!f.wasListed || f.before.Size != f.Size || f.before.Mod != f.Mod):
		if len(a.Changed) < most {
			f.Name = strings.Clone(f.Name) // else it is a piece of the whole partition
			a.Changed = append(a.Changed, f.File)
			return
		}
		a.Many = true
	case !isListed && f.wasListed:
		if len(a.Gone) < most {
			a.Gone = append(a.Gone, strings.Clone(f.Name))
			return
		}
		a.Many = true
	}
}

// Each tells each file that stays.
func (a *FilesApart) Each(do func(File)) error {
	for i := range NumPartitions {
		data, err := a.Kept.Get(i)
		if err != nil {
			return err
		}
		for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
			do(File{Name: d.Text(), Size: d.Int(), Mod: d.Int()})
		}
	}
	return nil
}

// ChangesOf returns a manifest that tells only of changes: see Manifest.Unstored.
func ChangesOf(changed []File, gone []string) *Manifest {
	return &Manifest{Files: changed, gone: gone}
}
