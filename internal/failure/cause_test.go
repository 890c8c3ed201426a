package failure

import (
	"io/fs"
	"os"
	"testing"
)

// TestCauseOfNames: what a message says of a file is without its path. A name that cannot be read says what to do.
func TestCauseOfNames(t *testing.T) {
	dir := os.DirFS(t.TempDir())
	_, gone := dir.Open("gone.jsonl")
	_, name := dir.Open("caf\xe9.jsonl")
	_, invalid := dir.Open("../up.jsonl")
	for _, c := range []struct {
		err  error
		want string
	}{
		{gone, inOurWords(gone.(*fs.PathError).Err).Error()},
		{name, "its name is not UTF-8; rename it"},
		{invalid, fs.ErrInvalid.Error()},
		{fs.ErrClosed, fs.ErrClosed.Error()},
	} {
		if got := Cause(c.err).Error(); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
