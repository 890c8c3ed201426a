package publish

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A File is a file to publish.
type File struct {
	Name     string
	Size     int64
	MD5      [md5.Size]byte
	Data     func() ([]byte, error)
	Optional bool // it is not published if a foreign file has its name

	// Tag identifies the content of an encrypted file, whose bytes, size and MD5 differ each time. It is "" for others.
	Tag string
	// Kept marks a file that stays as it is there.
	Kept bool
}

// Has reports whether the file has the content that was published.
func (f *File) Has(e Entry) bool {
	return f.Tag != "" && f.Tag == e.Tag || f.Tag == "" && hex.EncodeToString(f.MD5[:]) == e.MD5
}

// A Plan has the changes to make at a place.
type Plan struct {
	New, Changed []File
	Removed      []string
	Same         int   // files that need not be written
	Others       int   // foreign files, which stay
	Bytes        int64 // to be written

	place *Place
	old   *Record
	mu    sync.Mutex
	next  *Record
}

// Plan compares files with those at the place. next is the new record, still without its files. If a foreign file has
// the name of a published one, it is replaced with force, and an error otherwise.
func (p *Place) Plan(files []File, old, next *Record, force bool) (*Plan, error) {
	plan := &Plan{place: p, old: old, next: next}
	var taken []string
	for _, f := range files {
		there, exists := p.objects[f.Name]
		known, isOurs := old.Files[f.Name]
		if f.Kept && !(exists && isOurs) {
			continue
		}
		entry, same := entryOf(f, there, exists, known, isOurs)
		switch {
		case same:
			plan.Same++
		case exists && !isOurs && f.Optional:
			continue
		case exists && !isOurs && !force:
			taken = append(taken, f.Name)
		case exists:
			plan.Changed = append(plan.Changed, f)
		default:
			plan.New = append(plan.New, f)
		}
		if !same {
			plan.Bytes += f.Size
		}
		next.Files[f.Name] = entry
	}
	if len(taken) > 0 {
		slices.Sort(taken)
		return nil, failure.New(fmt.Errorf("%s contains files that viewer did not publish: %s", p.Name, someOf(taken)),
			"choose another place, or replace them with --force")
	}
	plan.planRemovals()
	byName := func(a, b File) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(plan.New, byName)
	slices.SortFunc(plan.Changed, byName)
	return plan, nil
}

// entryOf returns the entry of a file in the new record, and whether the file at the place can stay as it is. The entry
// of an encrypted file that cannot stay is empty until the file is encrypted.
func entryOf(f File, there storage.Object, exists bool, known Entry, isOurs bool) (Entry, bool) {
	if !f.Kept && f.Tag == "" {
		entry := Entry{MD5: hex.EncodeToString(f.MD5[:])}
		return entry, exists && isSame(there, f, known == entry)
	}
	if !exists || !isOurs {
		return Entry{}, false
	}
	if f.Kept || f.Tag == known.Tag && (there.MD5 == nil || hex.EncodeToString(there.MD5) == known.MD5) {
		return known, true
	}
	return Entry{}, false
}

// planRemovals finds the files at the place that are to be removed, and counts those of others.
func (p *Plan) planRemovals() {
	for name := range p.place.objects {
		_, published := p.next.Files[name]
		_, known := p.old.Files[name]
		switch {
		case published || isRecord(name):
		case known || p.place.Kind != Bucket && isBeside(name):
			p.Removed = append(p.Removed, name)
		default:
			p.Others++
		}
	}
	slices.Sort(p.Removed)
}

// isSame reports whether an object has the bytes of a file. If the provider has no checksum, the object is assumed to
// be what was last written.
func isSame(there storage.Object, f File, wasWritten bool) bool {
	if there.Size != f.Size {
		return false
	}
	if there.MD5 == nil {
		return wasWritten
	}
	return bytes.Equal(there.MD5, f.MD5[:])
}

func someOf(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// IsDone reports whether there is nothing to change.
func (p *Plan) IsDone() bool {
	data, err := p.next.encode()
	return len(p.New)+len(p.Changed)+len(p.Removed) == 0 && err == nil && (bytes.Equal(data, p.old.data) ||
		len(p.next.Files) == 0 && p.old.name == "")
}
