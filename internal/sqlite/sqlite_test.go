package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func open(t testing.TB, name string) (*Database, []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	db, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return db, data
}

// dump prints the contents of all tables as sqlite3 does in its mode "quote".
func dump(t testing.TB, db *Database) string {
	var b strings.Builder
	for _, table := range db.tables {
		fmt.Fprintf(&b, "# %s\n", table.Name)
		for row, err := range table.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			again, err := table.Row(row.Place())
			if err != nil || again.number != row.number {
				t.Fatalf("%s: Row(%d) = %v, error %v, want the same row", table.Name, row.number, again, err)
			}
			for i := range table.Columns {
				if table.stored[i] < 0 && i != table.alias { // a computed column
					continue
				}
				if i > 0 {
					b.WriteByte('|')
				}
				b.WriteString(again.Text(i))
			}
			if row.Err() != nil || again.Err() != nil {
				t.Fatal(row.Err(), again.Err())
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestTables: values of all kinds, names in all quotes, keys that are stored first, rows over several pages, and
// columns that were added later.
func TestTables(t *testing.T) {
	db, _ := open(t, "testdata/shapes.db")
	got := dump(t, db)
	for _, want := range []string{
		"\n1|one|1.5|\x00\xff|1|A|A\n2||-2||2||\n", "\n3||1e+300|\x00\x00\x00||Ü|Ü\n",
		"\n4|9007199254740993|0||1|42|42\n",
		"\n5|-129|140737488355327|x|2|-8388608|-8388608\n",
		"\nvalue 1 of many|1|k001\n", "\nvalue 80 of many|2|k080\n",
		"\nid30|30000|" + strings.Repeat("ab30", 330) + "|\n",
		"\nlast|1|x|new\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the dump lacks %q", want)
		}
	}
	if strings.Contains(got, "id14|") {
		t.Error("the dump has a deleted row")
	}
	if n := strings.Count(got, "value "); n != 80 {
		t.Errorf("got %d rows with keys, want 80", n)
	}
	long := db.Table("LONG")
	if !long.Has("DATA") || long.Has("none") || db.Table("seen") != nil || !db.Has("keys", "empty") || db.Has("none") {
		t.Error("Has or Table is wrong about a table or a column")
	}
	for row, err := range long.Rows("none", "data", "at") {
		if err != nil || !row.IsNull(0) || row.Text(0) != "" || row.Size(1) != len(row.Text(1)) || row.Int(2) == 0 {
			t.Fatal(row.number, err, row.Size(1))
		}
	}
}

// TestDamaged: damage is an error, and the rest is read.
func TestDamaged(t *testing.T) {
	whole, data := open(t, "testdata/shapes.db")
	all := strings.Count(dump(t, whole), "\n")
	if db, err := Open(strings.NewReader("{}"), 2); db != nil || err != nil {
		t.Errorf("not a database: got %v and error %v, want neither", db, err)
	}
	page := make([]byte, 512)
	for at := 512; at < len(data); at += 512 {
		broken := bytes.Clone(data)
		copy(broken[at:], page)
		db, err := Open(bytes.NewReader(broken), int64(len(broken)))
		var damage Damage
		damage.Add(err)
		n := 0
		for _, table := range db.tables {
			n++
			for row := range damage.Rows(table) {
				n++
				for i := range table.Columns {
					row.Text(i)
				}
			}
		}
		if damage.Err() == nil && n != all {
			t.Errorf("page %d: got %d rows of %d without an error", at/512+1, n, all)
		}
	}
}

// TestAgainstSQLite compares every table with the output of SQLite: for pages of many sizes, each encoding, and with
// rows deleted and changed.
func TestAgainstSQLite(t *testing.T) {
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed: only testdata/shapes.db is tested")
	}
	random := rand.New(rand.NewSource(1))
	for _, c := range []struct {
		pageSize int
		encoding string
	}{{512, "UTF-8"}, {4096, "UTF-16le"}, {65536, "UTF-16be"}, {1024, "UTF-8"}} {
		name := filepath.Join(t.TempDir(), "random.db")
		var sql strings.Builder
		fmt.Fprintf(&sql, "PRAGMA page_size=%d; PRAGMA encoding='%s'; BEGIN; CREATE TABLE a(x TEXT, y, z);\n",
			c.pageSize, c.encoding)
		for range 400 {
			fmt.Fprintf(&sql, "INSERT INTO a VALUES ('%s', %d, '%s');\n", strings.Repeat("é", random.Intn(20)),
				random.Int63()>>random.Intn(63), strings.Repeat("text ", 1<<random.Intn(11)))
		}
		sql.WriteString("DELETE FROM a WHERE rowid % 5 = 0; UPDATE a SET z = z || z WHERE rowid % 7 = 0; COMMIT;\n")
		sql.WriteString("SELECT '# a'; SELECT * FROM a;\n")
		cmd := exec.Command(program, name)
		cmd.Stdin = strings.NewReader(sql.String())
		want, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, want)
		}
		db, _ := open(t, name)
		if got := dump(t, db); got != string(want) {
			t.Errorf("pages of %d bytes, %s: the dump differs from that of SQLite", c.pageSize, c.encoding)
		}
	}
}

func FuzzOpen(f *testing.F) {
	data, err := os.ReadFile("testdata/shapes.db")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 0, byte(0))
	f.Add(data, 1030, byte(255))
	f.Add(data[:700], 30, byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at int, to byte) {
		if len(data) > 0 {
			data[uint(at)%uint(len(data))] = to
		}
		db, _ := Open(bytes.NewReader(data), int64(len(data)))
		if db == nil {
			return
		}
		for _, table := range db.tables {
			n := 0
			for row, err := range table.Rows() {
				if n++; n > len(data) {
					t.Fatalf("table %s has more rows than the file has bytes", table.Name)
				}
				if err != nil {
					continue
				}
				for i := range table.Columns {
					if len(row.Bytes(i)) > 2*len(data)+64 {
						t.Fatalf("a value is longer than the file")
					}
					row.Int(i)
					row.Float(i)
				}
			}
		}
	})
}

// TestFailingReader: an error of the reader is returned, and not treated as the end of the file.
func TestFailingReader(t *testing.T) {
	_, data := open(t, "testdata/shapes.db")
	db, err := Open(failing{bytes.NewReader(data)}, int64(len(data)))
	if !errors.Is(err, io.ErrClosedPipe) && !errors.Is(errorsOf(db), io.ErrClosedPipe) {
		t.Errorf("got error %v, want that of the reader", err)
	}
}

func errorsOf(db *Database) (all error) {
	for _, table := range db.tables {
		for _, err := range table.Rows() {
			all = errors.Join(all, err)
		}
	}
	return all
}

type failing struct{ io.ReaderAt }

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at > 4000 {
		return 0, io.ErrClosedPipe
	}
	return f.ReaderAt.ReadAt(p, at)
}
