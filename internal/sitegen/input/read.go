package input

import (
	"io/fs"

	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/transcript"
)

// Head returns the beginning of a file, or nil when it cannot be read: its writer is then not recognized.
func (s *Source) Head(p string) []byte {
	f, err := s.FS.Open(p)
	if err != nil {
		return nil
	}
	defer f.Close()
	return sources.ReadHead(f)
}

// IsSession reports whether a file is a session, by its name or its beginning.
func (s *Source) IsSession(p string) bool {
	list := s.SourceList()
	switch {
	case sources.IsLog(p), list.MayHold(p) && s.holdsSessions(p):
		return true
	case len(list) == 1 || !list.Wants(p):
		return false
	}
	return list.Of(s.Head(p)) != list[len(list)-1]
}

// SourceList returns the known sources, or those of a test.
func (s *Source) SourceList() sources.List {
	if s.Writers == nil {
		return all.Sources
	}
	return s.Writers
}

// NewScan returns a scan for a file with that beginning, and its writer.
func (s *Source) NewScan(head []byte) (sources.Scan, transcript.Writer) {
	writer := s.SourceList().Of(head)
	scan := writer.NewScan()
	if scan == nil {
		scan = sources.ScanRecords(writer)
	}
	return scan, writer.Writer()
}

// Raw returns the file system of the source, without decompression and without the parts of files.
func (s *Source) Raw() fs.FS {
	fsys := s.FS
	if split, ok := fsys.(*splitFiles); ok {
		fsys = split.FS
	}
	if d, ok := fsys.(decode.FS); ok {
		fsys = d.FS
	}
	return fsys
}
