package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"io"
	"slices"
)

// A Change is how a file has changed since it was sealed.
type Change int

const (
	Same      Change = iota
	Appended         // lines were added at the end, as an agent does that continues
	Truncated        // the end is missing
	CutShort         // a line ends before its end
	Dropped          // a line is missing
	Inserted         // a line was added before others
	Reordered        // a line was moved
	Edited           // a line was changed
	Gone             // the file is missing
)

var changeWords = [...]string{
	"is as it was", "was appended to", "ends here, and did not", "was cut short", "was dropped", "was inserted",
	"was moved", "was edited", "is gone",
}

// String describes the change of a line, or of the file.
func (c Change) String() string { return changeWords[c] }

// Honest reports whether an agent changes its own log in this way.
func (c Change) Honest() bool { return c <= Appended }

// A Finding is the first change of a file.
type Finding struct {
	Change Change
	Line   int // from 1: in the current file, or in the sealed one for a dropped or missing line; 0 for the whole file
}

// Compare compares a file with its sealed version, line by line.
func Compare(sealed, now io.Reader) (Finding, error) {
	a, b := bufio.NewReaderSize(sealed, 64<<10), bufio.NewReaderSize(now, 64<<10)
	for n := 1; ; n++ {
		was, errWas := a.ReadBytes('\n')
		is, errIs := b.ReadBytes('\n')
		if err := failed(errWas, errIs); err != nil {
			return Finding{}, err
		}
		switch {
		case bytes.Equal(was, is):
			if len(was) == 0 {
				return Finding{Change: Same}, nil
			}
			continue
		case len(was) == 0:
			return Finding{Appended, n}, nil
		case errWas == io.EOF && bytes.HasPrefix(is, was): // the last line was not finished
			return Finding{Appended, n}, nil
		case errIs == io.EOF && bytes.HasPrefix(was, is): // nothing follows
			return Finding{Truncated, n}, nil
		}
		change, err := classify(a, b, was, is)
		return Finding{change, n}, err
	}
}

func failed(errs ...error) error {
	for _, err := range errs {
		if err != nil && err != io.EOF {
			return err
		}
	}
	return nil
}

// classify returns how the first line that differs has changed.
func classify(sealed, now *bufio.Reader, was, is []byte) (Change, error) {
	before, err := sumsOf(sealed, was)
	if err != nil {
		return 0, err
	}
	after, err := sumsOf(now, is)
	if err != nil {
		return 0, err
	}
	// how many lines match if the first one was dropped, inserted or edited
	dropped, inserted := same(before[1:], after), same(before, after[1:])
	edited := same(before[1:], after[1:])
	switch {
	case slices.Contains(after, before[0]) && slices.Contains(before, after[0]):
		return Reordered, nil
	case dropped > edited && dropped > inserted:
		return Dropped, nil
	case inserted > edited:
		return Inserted, nil
	case len(after) < len(before) && slices.Contains(before, after[0]):
		return Dropped, nil
	case slices.Contains(after, before[0]):
		return Inserted, nil
	}
	line := bytes.TrimRight(is, "\r\n")
	if len(line) < len(bytes.TrimRight(was, "\r\n")) && bytes.HasPrefix(was, line) {
		return CutShort, nil
	}
	return Edited, nil
}

type lineSum [8]byte

// sumsOf returns the sums of a line and of those after it.
func sumsOf(r *bufio.Reader, first []byte) ([]lineSum, error) {
	var all []lineSum
	for line := first; ; {
		sum := sha256.Sum256(bytes.TrimRight(line, "\n"))
		all = append(all, lineSum(sum[:8]))
		var err error
		if line, err = r.ReadBytes('\n'); len(line) == 0 {
			return all, failed(err)
		}
	}
}

// same returns how many lines two lists have in common at their beginning.
func same(a, b []lineSum) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
