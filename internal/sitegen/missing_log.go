package sitegen

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/internal/storage"
)

// missingLog returns an empty file in place of a session's log that is missing while files of its agents exist.
func missingLog(src *input.Source, path string, agents []agentFile) file {
	nowhere := *src
	nowhere.FS = emptyFiles{}
	f := newFile(&nowhere, path, fingerprint.Stamp{})
	// The log may come back, or an earlier build may have read it, so its id differs.
	f.id = newFile(src, sources.WithoutExt(path), fingerprint.Stamp{}).id
	var stamps []byte
	for _, a := range agents { // the facts of the session are those of its agents
		f.Mod, f.Changed = max(f.Mod, a.Mod), max(f.Changed, a.Changed)
		stamps = fmt.Appendln(stamps, a.path, a.Stamp)
	}
	f.Inode = xxhash.Sum64(stamps) // changes with any of them
	return f
}

// scanAgents returns the facts of a session without a log, taken from its agents. All are read, because which of them
// has the first and the last time cannot be told from the times of the files, which copies do not keep.
func (v *survey) scanAgents(s *session) (sources.Facts, error) {
	var all sources.Facts
	for _, a := range s.agents {
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

// dropLogMissing drops sessions without a log if the site keeps the pages that were made from the log.
func (b *builder) dropLogMissing(kept map[fingerprint.Digest]*state.Session) {
	ids := make(map[string]bool, len(kept))
	for _, known := range kept {
		if id := known.Facts().SessionID; id != "" {
			ids[id] = true
		}
	}
	for _, fo := range b.folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool {
			return s.logMissing && (kept[newFile(s.main.source, s.main.path, fingerprint.Stamp{}).id] != nil ||
				ids[s.main.facts().SessionID])
		})
	}
}

// emptyFiles is a file system in which each file exists and is empty.
type emptyFiles struct{}

func (emptyFiles) Open(name string) (fs.File, error) {
	return emptyFile{storage.Info{Object: storage.Object{Name: name}}}, nil
}

type emptyFile struct{ info storage.Info }

func (f emptyFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f emptyFile) Read([]byte) (int, error)   { return 0, io.EOF }
func (f emptyFile) Close() error               { return nil }
