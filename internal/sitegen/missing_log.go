package sitegen

import (
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
)

// missingLog stands for the log of a session that is missing at its path: files of its agents are there. It is an
// empty file.
func missingLog(src *source, path string, agents []agentFile) file {
	nowhere := *src
	nowhere.fsys = emptyFiles{}
	f := newFile(&nowhere, path, fingerprint.Stamp{})
	// the log itself may come back, or have been there in an earlier build
	f.id = newFile(src, sources.WithoutExt(path), fingerprint.Stamp{}).id
	for _, a := range agents { // what is known of the session is known of them
		f.Mod = max(f.Mod, a.Mod)
	}
	return f
}

// scanAgents tells of a session whose log is missing what the files of its agents do.
func (v *survey) scanAgents(s *session) (sources.Facts, error) {
	agents := slices.SortedFunc(slices.Values(s.agents), func(a, b agentFile) int {
		return cmp.Or(cmp.Compare(a.Mod, b.Mod), strings.Compare(a.path, b.path))
	})
	var all sources.Facts
	for i, a := range agents {
		if i > 0 && i < len(agents)-1 { // the first and the last to be written tell the times
			continue
		}
		f := a.file
		f.scanned = new(scanResult)
		facts, _, _, err := v.scanFile(f)
		if err != nil {
			return all, err
		}
		all.CWD, all.SessionID = cmp.Or(all.CWD, facts.CWD), cmp.Or(all.SessionID, facts.SessionID)
		if all.Start.IsZero() || !facts.Start.IsZero() && facts.Start.Before(all.Start) {
			all.Start = facts.Start
		}
		if facts.End.After(all.End) {
			all.End = facts.End
		}
	}
	return all, nil
}

// dropLogMissing leaves out sessions whose log is missing where the site keeps the pages that were made of the log.
func (b *builder) dropLogMissing(archived map[fingerprint.Digest]*state.Session) {
	ids := make(map[string]bool, len(archived))
	for _, known := range archived {
		if id := known.Facts().SessionID; id != "" {
			ids[id] = true
		}
	}
	for _, fo := range b.folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool {
			return s.logMissing && (archived[newFile(s.main.source, s.main.path, fingerprint.Stamp{}).id] != nil ||
				ids[s.main.facts().SessionID])
		})
	}
}

// emptyFiles is a file system in which each file is there and empty.
type emptyFiles struct{}

func (emptyFiles) Open(name string) (fs.File, error) { return emptyFile(path.Base(name)), nil }

type emptyFile string

func (f emptyFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f emptyFile) Read([]byte) (int, error)   { return 0, io.EOF }
func (f emptyFile) Close() error               { return nil }
func (f emptyFile) Name() string               { return string(f) }
func (f emptyFile) Size() int64                { return 0 }
func (f emptyFile) Mode() fs.FileMode          { return 0o444 }
func (f emptyFile) ModTime() time.Time         { return time.Time{} }
func (f emptyFile) IsDir() bool                { return false }
func (f emptyFile) Sys() any                   { return nil }
