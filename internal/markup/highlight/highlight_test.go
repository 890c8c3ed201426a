package highlight

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// TestMain fails if a scanner or a lexer of chroma panicked: it would highlight less, which nobody would notice.
func TestMain(m *testing.M) {
	code := m.Run()
	if n := Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d panics of scanners\n", n)
		code = 1
	}
	os.Exit(code)
}

// TestScannerPromises: a mistake of a scanner affects classes, never the text, and a panic is counted.
func TestScannerPromises(t *testing.T) {
	defer recovered.Store(recovered.Load())
	for name, test := range map[string]struct {
		scan   scanner
		want   string
		panics int64
	}{
		"panics": {func(src string, emit func(byte, int)) { emit('k', 2); panic("no") }, "kk...........", 1},
		"back": {func(src string, emit func(byte, int)) {
			emit('k', 3)
			emit('s', 1)
			emit('c', 4)
		}, "kkkc.........", 0},
		"beyond": {func(src string, emit func(byte, int)) { emit('k', len(src)+10) }, "kkkkkkkkkkkkk", 0},
		"short":  {func(src string, emit func(byte, int)) { emit('k', 1) }, "k............", 0},
		"blanks": {func(src string, emit func(byte, int)) {
			emit('k', 3)
			emit(0, 4)
			emit('k', 9)
			emit(0, 10)
			emit('s', 11)
		}, "kkkkkkkkk.s..", 0},
	} {
		before := Recovered()
		const src = "one <two>\nyes"
		var got []byte
		(&Language{test.scan}).Spans(src, func(class byte, start, end int) {
			if class == 0 {
				class = '.'
			}
			got = append(got, bytes.Repeat([]byte{class}, end-start)...)
		})
		if n := Recovered() - before; string(got) != test.want || n != test.panics {
			t.Errorf("%s: got %s, %d panics, want %s and %d", name, got, n, test.want, test.panics)
		}
	}
}
