package output

import "slices"

// A Manifest lists the files of a site.
type Manifest struct {
	Files  []File
	byName map[string]int // indexes of Files; built on first use, because a build without changes does not need it
	gone   []string       // names that were removed from the list since MarkStored
}

// A File is a file of the site as the last build left it.
type File struct {
	Name      string // relative to the site, with forward slashes
	Size, Mod int64  // bytes, nanoseconds since 1970; Size is -1 if it did not exist
	claimed   int    // number of the last build that wrote or kept it
	intact    int    // number of the last build that found it unchanged
	stored    bool   // the state in the folder lists it like this
}

// find returns the file of that name, or nil. The pointer is valid until a file is added.
func (m *Manifest) find(name string) *File {
	if m.byName == nil {
		m.byName = make(map[string]int, len(m.Files)+len(m.Files)/8)
		for i := range m.Files {
			m.byName[m.Files[i].Name] = i
		}
	}
	i, ok := m.byName[name]
	if !ok {
		return nil
	}
	return &m.Files[i]
}

// add returns the file of that name and adds it if it is missing.
func (m *Manifest) add(name string) *File {
	if f := m.find(name); f != nil {
		return f
	}
	m.byName[name] = len(m.Files)
	m.Files = append(m.Files, File{Name: name, Size: -1})
	return &m.Files[len(m.Files)-1]
}

// filter removes the files for which holds returns false.
func (m *Manifest) filter(holds func(*File) bool) {
	n := len(m.Files)
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool {
		if holds(&f) {
			return false
		}
		m.gone = append(m.gone, f.Name)
		return true
	})
	if len(m.Files) < n {
		m.byName = nil
	}
}

// set records size and time of a file.
func (f *File) set(size, mod int64) {
	f.stored = f.stored && f.Size == size && f.Mod == mod
	f.Size, f.Mod = size, mod
}

// Unstored returns the files that have changed since MarkStored, and the names that were removed from the list.
func (m *Manifest) Unstored() (changed []File, gone []string) {
	for i := range m.Files {
		if !m.Files[i].stored {
			changed = append(changed, m.Files[i])
		}
	}
	return changed, m.gone
}

// MarkStored marks all files as listed by the state in the folder.
func (m *Manifest) MarkStored() {
	for i := range m.Files {
		m.Files[i].stored = true
	}
	m.gone = nil
}

// Update applies the result of Unstored.
func (m *Manifest) Update(changed []File, gone []string) {
	if len(gone) > 0 {
		left := make(map[string]bool, len(gone))
		for _, name := range gone {
			left[name] = true
		}
		m.filter(func(f *File) bool { return !left[f.Name] })
	}
	for _, f := range changed {
		m.add(f.Name).set(f.Size, f.Mod)
	}
}

// Manifest returns the list of the files of the site, as of now.
func (w *Writer) Manifest() *Manifest { return w.manifest }
