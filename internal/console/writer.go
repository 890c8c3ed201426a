package console

import (
	"fmt"
	"io"
	"sync"
)

// A Writer passes everything that is written to it through [Text], in whatever pieces it comes, so that no command can
// forget to.
type Writer struct {
	to     io.Writer
	mu     sync.Mutex
	c      cleaner
	failed error
}

// NewWriter returns a writer that prints to a terminal, a file or a pipe.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{to: to}
	w.c.begin()
	return w
}

// NewJSONWriter returns a writer for lines of JSON, in which unsafe characters are written by their number, see [JSON].
// Text that is not JSON is made safe, too.
func NewJSONWriter(to io.Writer) *Writer {
	w := NewWriter(to)
	w.c.json = true
	return w
}

// Raw returns the writer behind w, for output that has nothing of a transcript in it, such as a progress bar.
func (w *Writer) Raw() io.Writer { return w.to }

// SetStyles sets whether styles of the program are kept.
func (w *Writer) SetStyles(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.c.styles = on
}

// Write prints p. An error comes from the writer behind it.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		_, w.failed = w.to.Write(w.c.append(make([]byte, 0, len(p)), p, false))
	}
	if w.failed != nil {
		return 0, w.failed
	}
	return len(p), nil
}

// Err returns the error of the first write that failed. Nothing was written after it.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// Printf prints like fmt.Printf. Each text among the arguments is made safe by itself; only a [Styled] keeps its
// styles.
func (w *Writer) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(w, format, safeArgs(args)...)
	return err
}

// safeArgs returns the arguments with each text made safe to print.
func safeArgs(args []any) []any {
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case Styled:
			safe[i] = string(a)
		case string:
			safe[i] = Text(a)
		case []byte:
			safe[i] = Text(string(a))
		case error:
			safe[i] = Text(a.Error())
		case fmt.Stringer:
			safe[i] = Text(a.String())
		default:
			safe[i] = a
		}
	}
	return safe
}
