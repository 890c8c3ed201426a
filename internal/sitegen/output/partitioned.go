package output

import (
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
)

// A large site has too many files of sessions for a manifest in memory. A merge writes events about them to partitions
// by name, and applies the events when it has read all parts.

// A partitioned contains the events about the files of sessions.
type partitioned struct {
	events *Partitions
	err    error
}

// Events about a file.
const (
	eventBefore = iota // the last build left it like this
	eventGone          // a later update removed it
	eventNoted         // it is in a journal
	eventKept          // this build keeps it as it is
	eventMade          // this build wrote it
)

// ListInPartitions makes the writer list the files of sessions in partitions instead of the manifest, until
// ClosePartitions.
func (w *Writer) ListInPartitions() { w.partitioned = &partitioned{events: new(Partitions)} }

// ClosePartitions removes the temporary file of the list.
func (w *Writer) ClosePartitions() {
	if w.partitioned != nil {
		w.partitioned.events.Close()
		w.partitioned = nil
	}
}

// IsPartitioned reports whether a file is listed in partitions.
func IsPartitioned(name string) bool {
	return strings.HasPrefix(name, "s/") || strings.HasPrefix(name, "media/")
}

// Before adds a partitioned file as the last build left it.
func (w *Writer) Before(f File) { w.partitioned.add(eventBefore, f) }

// Gone adds the name of a file that a later build removed.
func (w *Writer) Gone(name string) { w.partitioned.add(eventGone, File{Name: name}) }

// addPartitioned adds an event if a file is listed in partitions, and reports whether it is.
func (w *Writer) addPartitioned(what int64, f File) bool {
	if w.partitioned == nil || !IsPartitioned(f.Name) {
		return false
	}
	w.partitioned.add(what, f)
	return true
}

func (a *partitioned) add(what int64, f File) {
	var r codec.Encoder
	r.Int(what, f.Size, f.Mod)
	r.Text(f.Name)
	if err := a.events.Put(int(xxhash.Sum64String(f.Name)%NumPartitions), r); err != nil && a.err == nil {
		a.err = err
	}
}

// A PartitionedFiles is the result of all events.
type PartitionedFiles struct {
	Kept    *Partitions // name, size and time of each file that stays
	Number  int         // of these files
	Changed []File      // files with other values in the last build, up to a number
	Gone    []string    // files that are no longer listed, up to the same number
	Many    bool        // there are more of either
	Left    int         // number of abandoned files
}

// FinishPartitioned applies the events. It removes files that this build does not have; with abandon it only drops them
// from the list. most limits the number of listed changes.
func (w *Writer) FinishPartitioned(abandon bool, most int) (*PartitionedFiles, error) {
	if w.partitioned.err != nil {
		return nil, w.partitioned.err
	}
	all := &PartitionedFiles{Kept: new(Partitions)}
	for i := range NumPartitions {
		if err := w.finishPartition(i, abandon, most, all); err != nil {
			all.Kept.Close()
			return nil, err
		}
	}
	return all, nil
}

// A partitionedFile is a file while its events are applied.
type partitionedFile struct {
	File
	before             File
	wasListed, isNoted bool
	isClaimed          bool
}

func (w *Writer) finishPartition(i int, abandon bool, most int, all *PartitionedFiles) error {
	data, err := w.partitioned.events.Get(i)
	if err != nil {
		return err
	}
	files := make(map[string]*partitionedFile)
	var order []*partitionedFile
	for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
		what := d.Int()
		event := File{Size: d.Int(), Mod: d.Int(), Name: d.Text()}
		f := files[event.Name]
		if f == nil {
			f = &partitionedFile{File: File{Name: event.Name, Size: -1}}
			files[event.Name] = f
			order = append(order, f)
		}
		f.apply(what, event, w)
	}
	for _, f := range order {
		isListed := f.isClaimed
		switch {
		case !f.wasListed && !f.isNoted && !f.isClaimed: // written and removed by earlier builds
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

// apply applies an event. If two shards wrote the file, the file itself is checked.
func (f *partitionedFile) apply(what int64, event File, w *Writer) {
	switch what {
	case eventBefore:
		f.before, f.wasListed = event, true
		f.Size, f.Mod = event.Size, event.Mod
	case eventGone:
		f.wasListed = false
		f.Size, f.Mod = -1, 0
	case eventNoted:
		f.isNoted = true
	case eventKept:
		f.isClaimed = true
	case eventMade:
		if f.isClaimed && (f.Size != event.Size || f.Mod != event.Mod) {
			if info, err := os.Lstat(w.path(f.Name)); err == nil && w.bucket == nil {
				event.Size, event.Mod = info.Size(), info.ModTime().UnixNano()
			}
		}
		f.Size, f.Mod, f.isClaimed = event.Size, event.Mod, true
	}
}

// compare adds a file to the changes if its entry has changed.
func (a *PartitionedFiles) compare(f *partitionedFile, isListed bool, most int) {
	switch {
	case isListed && (!f.wasListed || f.before.Size != f.Size || f.before.Mod != f.Mod):
		if len(a.Changed) < most {
			f.Name = strings.Clone(f.Name) // without the memory of the partition
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

// Each yields each file that stays.
func (a *PartitionedFiles) Each(do func(File)) error {
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

// ChangesOf returns a manifest with only these changes: see Manifest.Unstored.
func ChangesOf(changed []File, gone []string) *Manifest {
	return &Manifest{Files: changed, gone: gone}
}
