package sitegen

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"path"
	"slices"

	"viewer/internal/fingerprint"
)

// A SQLite database that is open in a program has a write-ahead log next to it, with the latest changes
// (https://sqlite.org/fileformat2.html, section 4). Such a database is read together with its log and without opening
// it in SQLite: nothing is locked and nothing is written.
const (
	sqliteMagic   = "SQLite format 3\x00"
	journalSuffix = "-wal"
	journalHeader = 32 // bytes
	frameHeader   = 24
)

// databaseExts are the extensions of databases, for which a write-ahead log is looked for.
var databaseExts = []string{".db", ".sqlite", ".sqlite3", ".vscdb"}

// stampWithJournal combines the stamp of a database with that of its write-ahead log, because either may change.
func stampWithJournal(fsys fs.FS, name string, at fingerprint.Stamp) fingerprint.Stamp {
	if !slices.Contains(databaseExts, path.Ext(name)) {
		return at
	}
	info, err := fs.Stat(fsys, name+journalSuffix)
	if err != nil || !info.Mode().IsRegular() {
		return at
	}
	journal := fingerprint.StampOf(info)
	at.Size += journal.Size
	at.Mod, at.Changed = max(at.Mod, journal.Mod), max(at.Changed, journal.Changed)
	return at
}

// openedTimes limits how often a database is read again because it was written to meanwhile.
const openedTimes = 4

// readDatabase returns a database with the changes in its write-ahead log, or nil when it has no log.
func (d decoding) readDatabase(name string) ([]byte, error) {
	var db []byte
	if info, err := fs.Stat(d.FS, name+journalSuffix); err == nil && info.Size() > maxRead {
		return nil, &fs.PathError{Op: "reading", Path: name + journalSuffix, Err: errTooLarge}
	}
	for range openedTimes {
		journal, err := fs.ReadFile(d.FS, name+journalSuffix)
		if err != nil || len(journal) < journalHeader {
			return nil, nil // complete without a log
		}
		if db, err = fs.ReadFile(d.FS, name); err != nil {
			return nil, err
		}
		db = applyJournal(db, journal)
		// If the log is unchanged, what was copied from it to the file meanwhile is in both.
		if again, err := fs.ReadFile(d.FS, name+journalSuffix); err == nil && bytes.Equal(again, journal) {
			break
		}
	}
	return db, nil
}

// applyJournal returns a database with the pages of its write-ahead log, up to the last complete transaction. A damaged
// log counts up to the damage, and a log of another database does not count.
func applyJournal(db, journal []byte) []byte {
	if len(db) < 100 || len(journal) < journalHeader || !bytes.HasPrefix(db, []byte(sqliteMagic)) {
		return db
	}
	var order binary.ByteOrder = binary.LittleEndian // of the checksums only
	switch binary.BigEndian.Uint32(journal) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return db
	}
	size := int(binary.BigEndian.Uint32(journal[8:]))
	if size < 512 || size > 1<<16 || size&(size-1) != 0 {
		return db
	}
	sum := journalSum{order: order}
	sum.add(journal[:24])
	if !sum.is(journal[24:]) {
		return db
	}
	salt := journal[16:24]
	pages := make(map[uint32][]byte) // of complete transactions
	open := make(map[uint32][]byte)  // of the incomplete transaction
	count := uint32(0)               // number of pages after the last transaction
	for rest := journal[journalHeader:]; len(rest) >= frameHeader+size; rest = rest[frameHeader+size:] {
		number, commit := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
		page := rest[frameHeader : frameHeader+size]
		sum.add(rest[:8])
		sum.add(page)
		if number == 0 || !bytes.Equal(rest[8:16], salt) || !sum.is(rest[16:]) {
			break
		}
		open[number] = page
		if commit > 0 {
			for number, page := range open {
				pages[number] = page
			}
			clear(open)
			count = commit
		}
	}
	if count == 0 || int64(count)*int64(size) > int64(len(db)+len(journal)) { // more than both files can hold
		return db
	}
	all := make([]byte, int(count)*size)
	copy(all, db)
	for number, page := range pages {
		if number <= count {
			copy(all[int(number-1)*size:], page)
		}
	}
	all[18], all[19] = 1, 1 // no log is needed any more
	return all
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

// databaseFile is a database in memory.
type databaseFile struct {
	fs.File
	*bytes.Reader
}

func (f databaseFile) Read(p []byte) (int, error) { return f.Reader.Read(p) }

func (f databaseFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err != nil {
		return nil, err
	}
	return sized{info, f.Reader.Size()}, nil
}

// asDatabase returns a file with the changes in its write-ahead log, or nil when it has no log.
func (d decoding) asDatabase(f fs.File, name string) (fs.File, error) {
	var begin [len(sqliteMagic)]byte
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, nil
	}
	if n, _ := at.ReadAt(begin[:], 0); string(begin[:n]) != sqliteMagic {
		return nil, nil
	}
	db, err := d.readDatabase(name)
	if err != nil || db == nil {
		return nil, err
	}
	return databaseFile{f, bytes.NewReader(db)}, nil
}
