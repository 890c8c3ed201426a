package archive

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Seal identifies the state of a manifest at a time. Its signature covers everything that was in the archive then.
type Seal struct {
	Records int
	Last    Sum // the hash after the last record
	Time    time.Time
}

const sealBegin = "viewer archive seal\n"

// Text returns the text of the seal, which is what is signed.
func (s Seal) Text() []byte {
	at := s.Time.UTC().Format(time.RFC3339)
	return fmt.Appendf(nil, "%srecords %d\nhash %s\ntime %s\n", sealBegin, s.Records, s.Last, at)
}

// Path returns the path of its file. The signature is next to it, with ".sig" added to the name.
func (s Seal) Path() string { return fmt.Sprintf("%s/%08d.seal", SealDir, s.Records) }

var errSeal = errors.New("not a seal")

// ReadSeal reads what Text returns.
func ReadSeal(text []byte) (s Seal, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(sealBegin))
	lines := strings.Split(string(rest), "\n")
	if !ok || len(lines) != 4 {
		return s, errSeal
	}
	value := func(i int, name string) string {
		v, found := strings.CutPrefix(lines[i], name+" ")
		ok = ok && found
		return v
	}
	s.Records, err = strconv.Atoi(value(0, "records"))
	err = errors.Join(err, s.Last.UnmarshalText([]byte(value(1, "hash"))))
	at, failed := time.Parse(time.RFC3339, value(2, "time"))
	s.Time = at
	if err != nil || failed != nil || !ok || !bytes.Equal(s.Text(), text) {
		return s, errSeal
	}
	return s, nil
}

// Check returns an error unless a seal matches the beginning of the archive.
func (x *Index) Check(s Seal) error {
	switch {
	case s.Records > len(x.Hashes):
		return fmt.Errorf("%d records were sealed, and %d are left", s.Records, len(x.Hashes))
	case s.Records < 1 || x.Hashes[s.Records-1] != s.Last:
		return fmt.Errorf("the first %d records are not those that were sealed", s.Records)
	}
	return nil
}
