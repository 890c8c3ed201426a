package output

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSpoolBegins puts data into a spool that begins with a file, in memory and in the temporary file, and reads all.
func TestSpoolBegins(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no spool begins with a file")
	}
	name := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(name, []byte("the state and its checksum"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	spool := new(Spool)
	defer spool.Close()
	if !spool.Begin(f, int64(len("the state"))) || spool.Begin(f, 1) {
		t.Error("a file begins the spool twice or never, want once")
	}
	want := map[Span]string{FileSpan(4, 5): "state"}
	for _, data := range []string{"early", strings.Repeat("large", spoolMemory), "late"} {
		span, err := spool.Put([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		want[span] = data
		for span, data := range want {
			if got, err := spool.Get(span); err != nil || !bytes.Equal(got, []byte(data)) {
				t.Errorf("got %.20q, %v, want %.20q", got, err, data)
			}
		}
	}
	f.Close()
	if _, err := spool.Get(FileSpan(4, 5)); err == nil || !strings.Contains(err.Error(), "reading the state") {
		t.Errorf("got the error %v from a closed file, want one about the state", err)
	}
}
