package state

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// UpdatesName is the file to which each build appends its changes of the other two, so that a build in a large site
// writes only what has changed. Its head names the files that it belongs to by a checksum. Each update ends in a
// checksum: an incomplete one is ignored with everything after it, as if those builds had not run. When the file is
// large, a build writes the other two anew and removes it.
const UpdatesName = output.StateDir + "/updates"

const updatesMagic = "viewer updates 3\n"

// SegmentsDir has the segments of the search index, one file for each session, named like its folder. In a bucket,
// those of a few sessions that have grown are in the updates until the two files are written anew, which saves an
// object.
const SegmentsDir = output.StateDir + "/search"

// A diskState describes the state in the folder.
type diskState struct {
	base            fingerprint.Digest // see State.Base
	files, sessions fingerprint.Digest // checksums of the two files
	size            int64              // of both, in bytes
	updates         int64              // size of the complete updates, in bytes
	object          string             // these updates, in a bucket, where an object is written as a whole
	sessionUpdates  []string           // updates that were read but not applied
	segments        map[string]string  // in the updates, by folder of the session
}

// Segment returns the segment of a session in the updates, "" if there is none.
func (s *State) Segment(folder string) string {
	if data := s.Segments[folder]; data != nil || s.disk == nil {
		return string(data)
	}
	return s.disk.segments[folder]
}

// writeSegments writes the segments of this build, and those in the updates of earlier builds, to separate files.
func (s *State) writeSegments(o *output.Writer, before *State) error {
	segments := make(map[string][]byte)
	maps.Copy(segments, s.Segments)
	if before != nil && before.disk != nil && len(before.disk.segments) > 0 {
		for _, k := range s.Sessions {
			data, is := before.disk.segments[k.Folder]
			if is && segments[k.Folder] == nil && fingerprint.OfContent([]byte(data)) == k.Segment {
				segments[k.Folder] = []byte(data)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(segments)) {
		if err := o.Top().WriteUnlisted(SegmentsDir+"/"+folder, segments[folder]); err != nil {
			return err
		}
	}
	return nil
}

// maxUpdates returns the maximum size of updates to files of this size, in bytes. It lets a state be written as a whole
// at most once in a hundred builds, and keeps reading the updates faster than reading the files.
func maxUpdates(size int64, isBucket bool) int64 {
	most := int64(mostUpdates)
	if isBucket {
		most = maxOfObject
	}
	return min(max(64<<10, size/4), most)
}

// Maximum sizes of updates, in bytes: each build has them in memory, and uploads all of them to a bucket when it adds
// some.
const (
	mostUpdates = 16 << 20
	maxOfObject = 2 << 20
)

// readUpdates reads the updates, and applies those of files to the state.
func (s *State) readUpdates(o *output.Writer) error {
	s.Outputs.MarkStored()
	if err := s.applyUpdates(o, s); err != nil {
		return err
	}
	s.Outputs.MarkStored()
	return nil
}

// applyUpdates reads the updates, and passes those of files on.
func (s *State) applyUpdates(o *output.Writer, to fileSink) error {
	data, err := o.ReadFile(UpdatesName)
	switch {
	case err == nil:
	case o.IsBucket() && !errors.Is(err, fs.ErrNotExist):
		return err // continuing would lose them
	default:
		return nil // usually there is none
	}
	rest, ours := strings.CutPrefix(string(data), updatesMagic)
	f := codec.Decoder{Rest: rest}
	if !ours || f.Digest() != s.disk.files {
		return nil // they belong to older files
	}
	for f.Rest != "" {
		files, sessions, segments, sum := f.Text(), f.Text(), f.Text(), f.Digest()
		if f.Short || sum != updateSum(files, sessions, segments) {
			break
		}
		if !s.decodeFileUpdate(files, to) {
			return errDamaged
		}
		if sessions != "" {
			s.disk.sessionUpdates = append(s.disk.sessionUpdates, sessions)
		}
		if !s.disk.decodeSegments(segments) {
			return errDamaged
		}
		s.disk.updates = int64(len(data) - len(f.Rest))
	}
	if o.IsBucket() {
		s.disk.object = string(data[:s.disk.updates])
	}
	return nil
}

func updateSum(parts ...string) fingerprint.Digest {
	h := xxhash.New()
	for _, part := range parts {
		h.WriteString(part)
	}
	return fingerprint.FromXXH64(h.Sum64())
}

// applySessionUpdates applies updates of sessions. It returns false if one is incomplete.
func (s *State) applySessionUpdates(updates []string) bool {
	return !slices.ContainsFunc(updates, func(update string) bool { return !s.applySessionUpdate(update) })
}

// update appends the differences from the state in the folder. It returns false if the two files have to be written.
func (s *State) update(o *output.Writer, before *State) (bool, error) {
	if before == nil || before.disk == nil || before.disk.base != s.Base {
		return false, nil
	}
	var files, sessions codec.Encoder
	s.encodeFileUpdate(&files, before)
	s.encodeSessionUpdate(&sessions, before)
	segments := encodeSegments(s.Segments)
	disk := *before.disk
	disk.sessionUpdates = nil
	if disk.updates+int64(len(files)+len(sessions)+len(segments)) > maxUpdates(disk.size, o.IsBucket()) {
		return false, nil
	}
	if err := disk.append(o, files, sessions, segments); err != nil {
		return false, err
	}
	if len(s.Segments) > 0 {
		disk.segments = maps.Clone(disk.segments)
		disk.decodeSegments(string(segments))
	}
	s.disk, s.Segments = &disk, nil
	s.markStored()
	return true, nil
}

// updateFiles is update if only SetFile has changed the state.
func (s *State) updateFiles(o *output.Writer) error {
	var files codec.Encoder
	s.encodeFileUpdate(&files, s)
	err := s.disk.append(o, files, nil, nil)
	s.restamped = nil
	if err != nil {
		s.disk = nil
	}
	return err
}

// append appends an update.
func (d *diskState) append(o *output.Writer, files, sessions, segments codec.Encoder) error {
	var data codec.Encoder
	if d.updates == 0 {
		data = append(data, updatesMagic...)
		data.Digest(d.files)
	}
	data.Text(string(files), string(sessions), string(segments))
	data.Digest(updateSum(string(files), string(sessions), string(segments)))
	if o.IsBucket() {
		all := d.object + string(data)
		if err := o.Top().WriteUnlisted(UpdatesName, []byte(all)); err != nil {
			return err
		}
		d.object = all
	} else if err := o.WriteTail(UpdatesName, d.updates, data); err != nil {
		return err
	}
	d.updates += int64(len(data))
	return nil
}

// encodeSegments writes segments, usually none.
func encodeSegments(segments map[string][]byte) (w codec.Encoder) {
	for _, folder := range slices.Sorted(maps.Keys(segments)) {
		w.Text(folder, string(segments[folder]))
	}
	return w
}

// decodeSegments decodes the result of encodeSegments. It returns false if it is incomplete.
func (d *diskState) decodeSegments(update string) bool {
	f := codec.Decoder{Rest: update}
	for f.Rest != "" && !f.Short {
		if d.segments == nil {
			d.segments = make(map[string]string)
		}
		folder := f.Text()
		d.segments[folder] = f.Text()
	}
	return !f.Short
}

// markStored records that the folder has all of the state.
func (s *State) markStored() {
	s.Outputs.MarkStored()
	for _, k := range s.Sessions {
		k.stored = true
	}
	s.restamped = nil
}

// encodeFileUpdate writes the changes that every build needs.
func (s *State) encodeFileUpdate(w *codec.Encoder, before *State) {
	begin, end := sharedEnds(before.Report, s.Report)
	w.Int(int64(begin), int64(end))
	w.Text(s.Report[begin : len(s.Report)-end])
	w.Digest(s.Listing)
	put, gone := differing(s.Files, before.Files, byBytes, func(a, b File) bool { return a == b })
	for _, id := range before.restamped {
		if _, is := s.Files[id]; is {
			put = append(put, id)
		}
	}
	w.Int(int64(len(put)))
	for _, id := range put {
		w.Digest(id)
		EncodeFile(w, s.Files[id])
	}
	encodeIDs(w, gone)
	changed, names := s.Outputs.Unstored()
	w.Int(int64(len(changed)))
	for i := range changed {
		encodeOutput(w, &changed[i])
	}
	w.Texts(names)
}

// sharedEnds returns the lengths of the longest common beginning and end of two texts: a report lists all problems, and
// usually only its counts change.
func sharedEnds(a, b string) (begin, end int) {
	n := min(len(a), len(b))
	for begin < n && a[begin] == b[begin] {
		begin++
	}
	for end < n-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return begin, end
}

// A fileSink receives updates of files.
type fileSink interface {
	putFile(fingerprint.Digest, File)
	dropFile(fingerprint.Digest)
	updateOutputs(changed []output.File, gone []string)
}

func (s *State) putFile(id fingerprint.Digest, f File) { s.Files[id] = f }
func (s *State) dropFile(id fingerprint.Digest)        { delete(s.Files, id) }
func (s *State) updateOutputs(changed []output.File, gone []string) {
	s.Outputs.Update(changed, gone)
}

// decodeFileUpdate decodes the result of encodeFileUpdate. It returns false if it is incomplete.
func (s *State) decodeFileUpdate(update string, to fileSink) bool {
	f := codec.Decoder{Rest: update}
	begin, end, middle, listing := int(f.Int()), int(f.Int()), f.Text(), f.Digest()
	if begin < 0 || end < 0 || begin > len(s.Report)-end {
		return false
	}
	s.Report, s.Listing = s.Report[:begin]+middle+s.Report[len(s.Report)-end:], listing
	for range f.Count() {
		id := f.Digest()
		to.putFile(id, DecodeFile(&f))
	}
	for range f.Count() {
		to.dropFile(f.Digest())
	}
	changed := make([]output.File, f.Count())
	for i := range changed {
		changed[i] = decodeOutput(&f)
	}
	to.updateOutputs(changed, f.Texts())
	return !f.Short && f.Rest == ""
}

// encodeSessionUpdate writes the changes that only builds with changes need.
func (s *State) encodeSessionUpdate(w *codec.Encoder, before *State) {
	put, gone := differing(s.Sessions, before.Sessions, byBytes, func(a, b *Session) bool { return a == b && a.stored })
	w.Int(int64(len(put)))
	for _, id := range put {
		w.Digest(id)
		encodeSession(w, s.Sessions[id])
	}
	encodeIDs(w, gone)

	put, gone = differing(s.LooseFacts, before.LooseFacts, byBytes, func(a, b string) bool { return a == b })
	w.Int(int64(len(put)))
	for _, id := range put {
		w.Digest(id)
		w.Text(s.LooseFacts[id])
	}
	encodeIDs(w, gone)

	put, gone = differing(s.Lookups, before.Lookups, byBytes, Lookup.equal)
	w.Int(int64(len(put)))
	for _, id := range put {
		w.Digest(id)
		encodeLookup(w, s.Lookups[id])
	}
	encodeIDs(w, gone)

	names, without := differing(s.IndexKeys, before.IndexKeys, cmp.Compare[string],
		func(a, b fingerprint.Digest) bool { return a == b })
	w.Int(int64(len(names)))
	for _, name := range names {
		w.Text(name)
		w.Digest(s.IndexKeys[name])
	}
	w.Texts(without)

	names, without = differing(s.RowSizes, before.RowSizes, cmp.Compare[string], func(a, b int) bool { return a == b })
	w.Int(int64(len(names)))
	for _, name := range names {
		w.Text(name)
		w.Int(int64(s.RowSizes[name]))
	}
	w.Texts(without)
}

// applySessionUpdate applies the result of encodeSessionUpdate. It returns false if it is incomplete.
func (s *State) applySessionUpdate(update string) bool {
	f := codec.Decoder{Rest: update}
	for range f.Count() {
		id, k := f.Digest(), new(Session)
		decodeSession(&f, k)
		s.Sessions[id] = k
	}
	for range f.Count() {
		if id := f.Digest(); s.overlays {
			s.Sessions[id] = nil
		} else {
			delete(s.Sessions, id)
		}
	}
	for range f.Count() {
		id := f.Digest()
		s.LooseFacts[id] = f.Text()
	}
	for range f.Count() {
		delete(s.LooseFacts, f.Digest())
	}
	for range f.Count() {
		id := f.Digest()
		s.Lookups[id] = decodeLookup(&f)
	}
	for range f.Count() {
		delete(s.Lookups, f.Digest())
	}
	for range f.Count() {
		name := f.Text()
		s.IndexKeys[name] = f.Digest()
	}
	for _, name := range f.Texts() {
		delete(s.IndexKeys, name)
	}
	for range f.Count() {
		name := f.Text()
		s.RowSizes[name] = int(f.Int())
	}
	for _, name := range f.Texts() {
		delete(s.RowSizes, name)
	}
	return !f.Short && f.Rest == ""
}

// differing returns the keys of new and changed values, and those of removed ones, sorted.
func differing[K comparable, V any](
	now, before map[K]V, compare func(a, b K) int, same func(a, b V) bool,
) (put, gone []K) {
	left := len(before)
	for key, value := range now {
		old, is := before[key]
		if is {
			left--
		}
		if !is || !same(value, old) {
			put = append(put, key)
		}
	}
	if left > 0 {
		for key := range before {
			if _, is := now[key]; !is {
				gone = append(gone, key)
			}
		}
	}
	slices.SortFunc(put, compare)
	slices.SortFunc(gone, compare)
	return put, gone
}

func byBytes(a, b fingerprint.Digest) int { return bytes.Compare(a[:], b[:]) }

func encodeIDs(w *codec.Encoder, ids []fingerprint.Digest) {
	w.Int(int64(len(ids)))
	for _, id := range ids {
		w.Digest(id)
	}
}
