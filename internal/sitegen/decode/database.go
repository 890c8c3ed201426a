package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"

	"viewer/internal/fingerprint"
)

// A SQLite database that is open in a program has a write-ahead log next to it, with the latest changes
// (https://sqlite.org/fileformat2.html, section 4). Such a database is read together with its log and without opening
// it in SQLite: nothing is locked and nothing is written.
const (
	sqliteMagic   = "SQLite format 3\x00"
	JournalSuffix = "-wal"
	journalHeader = 32 // bytes
	frameHeader   = 24
)

// DatabaseExts are the extensions of databases, for which a write-ahead log is looked for.
var DatabaseExts = []string{".db", ".sqlite", ".sqlite3", ".vscdb"}

// StampWithJournal combines the stamp of a database with that of its write-ahead log, because either may change.
func StampWithJournal(fsys fs.FS, name string, at fingerprint.Stamp) fingerprint.Stamp {
	if !slices.Contains(DatabaseExts, path.Ext(name)) {
		return at
	}
	info, err := fs.Stat(fsys, name+JournalSuffix)
	if err != nil || !info.Mode().IsRegular() {
		return at
	}
	journal := fingerprint.StampOf(info)
	at.Size += journal.Size
	at.Mod, at.Changed = max(at.Mod, journal.Mod), max(at.Changed, journal.Changed)
	return at
}

// openedTimes limits how often a write-ahead log is read again because the database was written to meanwhile.
const openedTimes = 4

// errWritten means that a program has changed a database while it was read. The next build reads it again.
var errWritten = errors.New("the database was written to while it was read")

// A journal is the effective content of a write-ahead log: the last version of each page.
type journal struct {
	pageSize int
	count    uint32 // number of pages of the database after the last transaction
	pages    map[uint32][]byte
}

// readJournal reads a write-ahead log up to the last complete transaction. A damaged log is read up to the damage. ok
// is false for a log without a transaction, and for other data.
func readJournal(log []byte) (j journal, ok bool) {
	if len(log) < journalHeader {
		return journal{}, false
	}
	var order binary.ByteOrder = binary.LittleEndian // of the checksums only
	switch binary.BigEndian.Uint32(log) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return journal{}, false
	}
	size := int(binary.BigEndian.Uint32(log[8:]))
	if size < 512 || size > 1<<16 || size&(size-1) != 0 {
		return journal{}, false
	}
	sum := journalSum{order: order}
	sum.add(log[:24])
	if !sum.is(log[24:]) {
		return journal{}, false
	}
	salt := log[16:24]
	j = journal{pageSize: size, pages: make(map[uint32][]byte)}
	open := make(map[uint32][]byte) // of the incomplete transaction
	for rest := log[journalHeader:]; len(rest) >= frameHeader+size; rest = rest[frameHeader+size:] {
		number, commit := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
		page := rest[frameHeader : frameHeader+size]
		sum.add(rest[:8])
		sum.add(page)
		if number == 0 || !bytes.Equal(rest[8:16], salt) || !sum.is(rest[16:]) {
			break
		}
		open[number] = page
		if commit > 0 {
			maps.Copy(j.pages, open)
			clear(open)
			j.count = commit
		}
	}
	return j, j.count > 0
}

// A journaled is a database with its write-ahead log. Only the log is in memory. Reading fails with errWritten if the
// database was changed meanwhile, since its pages and those of the log may not match.
type journaled struct {
	journal
	db    io.ReaderAt
	check func() error
}

func (j *journaled) size() int64 { return int64(j.count) * int64(j.pageSize) }

// ReadAt reads pages of the log and of the database.
func (j *journaled) ReadAt(p []byte, from int64) (n int, err error) {
	if from < 0 {
		return 0, fs.ErrInvalid
	}
	for n < len(p) {
		at := from + int64(n)
		if at >= j.size() {
			return n, io.EOF
		}
		number, within := uint32(at/int64(j.pageSize))+1, int(at%int64(j.pageSize))
		to := p[n:min(len(p), n+j.pageSize-within)]
		if page := j.pages[number]; page != nil {
			copy(to, page[within:])
		} else {
			read, err := j.db.ReadAt(to, at)
			if err != nil && err != io.EOF {
				return n, err
			}
			clear(to[read:]) // a page that nobody wrote
			if err := j.check(); err != nil {
				return n, err
			}
		}
		for i := max(at, 18); i < min(at+int64(len(to)), 20); i++ {
			to[i-at] = 1 // log is not needed
		}
		n += len(to)
	}
	return n, nil
}

// A journalSum is the running checksum of a write-ahead log. Each frame continues that of the frame before.
type journalSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (s *journalSum) add(data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		s.s0 += s.order.Uint32(data) + s.s1
		s.s1 += s.order.Uint32(data[4:]) + s.s0
	}
}

func (s *journalSum) is(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == s.s0 && binary.BigEndian.Uint32(stored[4:]) == s.s1
}

// databaseFile is a database with its write-ahead log, as a file.
type databaseFile struct {
	fs.File
	*io.SectionReader
}

func (f databaseFile) Read(p []byte) (int, error) { return f.SectionReader.Read(p) }

func (f databaseFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return sized{info, f.SectionReader.Size()}, nil
}

// asDatabase returns a file with the changes in its write-ahead log, or nil when it has no log, one of another
// database, or one without a transaction.
func (d FS) asDatabase(f fs.File, name string) (fs.File, error) {
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, nil
	}
	if info, err := fs.Stat(d.FS, name+JournalSuffix); err == nil && info.Size() > MaxRead {
		return nil, &fs.PathError{Op: "reading", Path: name + JournalSuffix, Err: ErrTooLarge}
	}
	for range openedTimes {
		before, err := f.Stat()
		if err != nil {
			return nil, err
		}
		log, err := fs.ReadFile(d.FS, name+JournalSuffix)
		if err != nil {
			return nil, nil // complete without a log
		}
		j, ok := readJournal(log)
		if !ok || j.count == 0 || int64(j.count)*int64(j.pageSize) > before.Size()+int64(len(log)) {
			return nil, nil // more than both files can hold: it is of another database
		}
		stamp := fingerprint.StampOf(before)
		db := &journaled{journal: j, db: at, check: func() error {
			if now, err := f.Stat(); err != nil {
				return err
			} else if fingerprint.StampOf(now) != stamp {
				return errWritten
			}
			return nil
		}}
		if db.check() == nil {
			return databaseFile{f, io.NewSectionReader(db, 0, db.size())}, nil
		}
	}
	return nil, &fs.PathError{Op: "reading", Path: name, Err: errWritten}
}
