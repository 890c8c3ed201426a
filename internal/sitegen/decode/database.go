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
	"time"

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

// readLog reads the bytes of a write-ahead log, none if it does not exist. They are not whole if the program has begun
// to overwrite the log meanwhile, or has truncated it: then they may end before what the database already contains.
func (d FS) readLog(name string) (log []byte, whole bool) {
	f, err := d.FS.Open(name)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	log, err = io.ReadAll(f)
	at, ok := f.(io.ReaderAt)
	if err != nil || !ok {
		return log, err == nil
	}
	begin := make([]byte, min(len(log), journalHeader)) // it differs in each round of overwriting
	_, err = at.ReadAt(begin, 0)
	info, failed := f.Stat()
	return log, err == nil && failed == nil && info.Size() >= int64(len(log)) && bytes.Equal(begin, log[:len(begin)])
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

// A checked is a database that fails with errWritten if it was changed after it was opened, since its pages, and those
// of its log, may not match then.
type checked struct {
	db io.ReaderAt
	of fs.File
	at fingerprint.Stamp
}

func (c checked) check() error {
	now, err := c.of.Stat()
	if err == nil && fingerprint.StampOf(now) != c.at {
		err = errWritten
	}
	return err
}

func (c checked) ReadAt(p []byte, from int64) (int, error) {
	n, err := c.db.ReadAt(p, from)
	if failed := c.check(); failed != nil {
		return n, failed
	}
	return n, err
}

// A journaled is a database with its write-ahead log. Only the log is in memory.
type journaled struct {
	journal
	db io.ReaderAt
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

// clockStep is more than the time in which a file system gives all changes of a file the same time.
const clockStep = 20 * time.Millisecond

// asDatabase returns a database with the changes in its write-ahead log, if it has one. It returns nil for a file that
// cannot be read at any place.
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
		if age := time.Since(before.ModTime()); age >= 0 && age < clockStep {
			time.Sleep(clockStep - age) // it may still be written to, which its time would not tell
			continue
		}
		db := checked{at, f, fingerprint.StampOf(before)}
		log, whole := d.readLog(name + JournalSuffix)
		j, ok := readJournal(log)
		ok = ok && int64(j.count)*int64(j.pageSize) <= before.Size()+int64(len(log)) // else it is of another database
		switch {
		case !whole || db.check() != nil:
		case ok:
			joined := &journaled{journal: j, db: db}
			return databaseFile{f, io.NewSectionReader(joined, 0, joined.size())}, nil
		default:
			return databaseFile{f, io.NewSectionReader(db, 0, before.Size())}, nil
		}
	}
	return nil, &fs.PathError{Op: "reading", Path: name, Err: errWritten}
}
