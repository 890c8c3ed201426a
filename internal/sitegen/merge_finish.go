package sitegen

import (
	"encoding/json"
	"slices"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// finish removes old files and writes the state.
func (m *largeMerge) finish() error {
	abandon := m.old.Lost && !m.Prune
	if abandon {
		m.report.Left = m.out.Abandon()
	}
	outputs, err := m.out.FinishPartitioned(abandon, maxChanges)
	if err != nil {
		return err
	}
	defer outputs.Kept.Close()
	m.report.Left += outputs.Left
	if err := m.out.Prune(); err != nil {
		return err
	}
	files, number, err := m.finishFiles()
	if err != nil {
		return err
	}
	defer files.Close()
	r := &m.report
	r.Written, r.OutBytes = m.out.Counts()
	r.Found, r.Fresh, r.Read = m.found, m.old.Unusable, m.bytesRead.Load()
	r.setFilter(m.Filter)
	encoded, err := json.Marshal(r)
	if err != nil {
		return err
	}
	m.next.Report = string(encoded)
	r.Changed = m.out.TakeChanged()
	for at := range m.forgotten {
		if id, encoded, err := m.encoded(at); err == nil {
			k := state.DecodeSession(encoded, false)
			k.Forget()
			m.change(id, k)
		}
	}
	others := m.out.Manifest().Files
	whole := state.Whole{
		State: m.next, Sessions: m.number, Files: number, Outputs: outputs.Number + len(others),
		EachSession: m.eachSession,
		EachFile:    func(do func(fingerprint.Digest, state.File)) error { return eachFile(files, do) },
		EachOutput: func(do func(output.File)) error {
			for i := range others {
				do(others[i])
			}
			return outputs.Each(do)
		},
	}
	var changes *state.Changes
	if !m.tooMany && !outputs.Many {
		changed, gone := m.out.Manifest().Unstored()
		m.changes.Outputs = output.ChangesOf(slices.Concat(changed, outputs.Changed), slices.Concat(gone, outputs.Gone))
		changes = &m.changes
	}
	m.stored.Close() // so that it can be replaced
	return m.out.Finish(func(o *output.Writer) error { return whole.Write(o, m.stored, changes) })
}

// eachSession yields each session that the state keeps.
func (m *largeMerge) eachSession(do func(id fingerprint.Digest, encoded string)) error {
	for at := range m.ends {
		if m.marks[at]&markKept == 0 {
			continue
		}
		id, encoded, err := m.encoded(at)
		if err != nil {
			return err
		}
		if m.forgotten[at] {
			k := state.DecodeSession(encoded, false)
			k.Forget()
			encoded = k.Encode()
		}
		do(id, encoded)
	}
	return nil
}

// finishFiles merges the records about the files of the sources. It returns the files that exist, and their number.
func (m *largeMerge) finishFiles() (there *output.Partitions, number int, err error) {
	there = new(output.Partitions)
	for i := range output.NumPartitions {
		n, err := m.finishFilesOf(i, there)
		if err != nil {
			there.Close()
			return nil, 0, err
		}
		number += n
	}
	return there, number, nil
}

// finishFilesOf does the same for the files of one partition.
func (m *largeMerge) finishFilesOf(i int, there *output.Partitions) (number int, err error) {
	data, err := m.files.Get(i)
	if err != nil {
		return 0, err
	}
	before, now := make(map[fingerprint.Digest]state.File), make(map[fingerprint.Digest]state.File)
	read := make(map[fingerprint.Digest]bool)
	for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
		what, id := d.Int(), fingerprint.Digest(d.Digest())
		f := state.DecodeFile(&d)
		switch {
		case what == fileBefore:
			before[id] = f
		case what == fileGone:
			delete(before, id)
		case what == fileRead:
			now[id], read[id] = f, true
		case !read[id]:
			now[id] = f
		}
	}
	for _, id := range fingerprint.SortedKeys(now) {
		f := now[id]
		var r codec.Encoder
		r.Digest(id)
		state.EncodeFile(&r, f)
		if err := there.Put(i, r); err != nil {
			return 0, err
		}
		number++
		if was, is := before[id]; !is || was != f {
			m.changeFile(id, &f)
		}
		delete(before, id)
	}
	for id := range before {
		m.changeFile(id, nil)
	}
	return number, nil
}

func (m *largeMerge) changeFile(id fingerprint.Digest, f *state.File) {
	if len(m.changes.Files) == maxChanges {
		m.tooMany = true
		return
	}
	m.changes.Files[id] = f
}

func eachFile(files *output.Partitions, do func(fingerprint.Digest, state.File)) error {
	for i := range output.NumPartitions {
		data, err := files.Get(i)
		if err != nil {
			return err
		}
		for d := (codec.Decoder{Rest: data}); d.Rest != ""; {
			id := fingerprint.Digest(d.Digest())
			do(id, state.DecodeFile(&d))
		}
	}
	return nil
}
