package state

import (
	"errors"
	"io/fs"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

const filesMagic = "viewer state 7\n"

// Read reads the small file of the last build. ReadSessions reads the large one, if there is something to build.
func Read(o *output.Writer, base fingerprint.Digest) *State {
	s := New(base)
	data, sum, err := readFile(o, FilesName, filesMagic)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.Unusable = unusable(failure.Cause(err))
		}
		return s
	}
	old, err := decodeFiles(data)
	if err == nil {
		old.disk.files, old.disk.size = sum, int64(len(data))
		err = old.readUpdates(o)
	}
	if err != nil {
		s.Unusable = unusable(err)
		return s
	}
	s.Outputs, s.disk = old.Outputs, old.disk // to be removed when they are not made again, whichever program made them
	if old.Base != base {
		return s
	}
	s.Files, s.Report, s.Listing = old.Files, old.Report, old.Listing
	return s
}

// WriteFiles writes the changes of SetFile to a state that was read.
func (s *State) WriteFiles(o *output.Writer) error {
	if s.disk == nil {
		return nil // the next build that changes something writes all
	}
	return s.updateFiles(o)
}

// decodeFiles decodes the result of Whole.encodeFiles.
func decodeFiles(data string) (*State, error) {
	s := New(fingerprint.Digest{})
	f := codec.Decoder{Rest: data}
	s.disk = &diskState{sessions: f.Digest()}
	s.Base = f.Digest()
	s.disk.base = s.Base
	s.Report, s.Listing = f.Text(), f.Digest()
	n := f.Count()
	s.Files = make(map[fingerprint.Digest]File, n)
	for range n {
		id := f.Digest()
		s.Files[id] = DecodeFile(&f)
	}
	n = f.Count()
	s.Outputs.Files = make([]output.File, n)
	for i := range s.Outputs.Files {
		s.Outputs.Files[i] = decodeOutput(&f)
	}
	if f.Short || len(f.Rest) > 0 {
		return nil, errDamaged
	}
	return s, nil
}
