package sitegen

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/smallfile"
	"viewer/internal/sources"
)

// A file is one source file. It is opened when its session is built.
type file struct {
	source *input.Source
	path   string             // in the source, as shown in problems and pages
	id     fingerprint.Digest // see newFile
	part   bool               // see source.IsPart
	fingerprint.Stamp
	scanned *scanResult // of session files and loose agents
}

// newFile returns a file of a source. Its id is unique and the same in each build. It is a hash, because a site may be
// published and should not contain the path.
func newFile(src *input.Source, path string, s fingerprint.Stamp) file {
	var buffer [512]byte
	sum := sha256.Sum256(append(append(append(buffer[:0], src.ID...), 0), path...))
	return file{source: src, path: path, id: fingerprint.Digest(sum[:len(fingerprint.Digest{})]),
		part: src.IsPart(path), Stamp: s}
}

// A scanResult is what the scan of a file before the build found.
type scanResult struct {
	facts   *sources.Facts     // nil once most are no longer needed
	encoded string             // facts, see state.EncodeFacts
	given   sources.Facts      // the facts of the working directory if a file around the log has it
	safe    string             // the redacted name, "" while it is not needed
	place   place              // see settlePlaces
	content fingerprint.Digest // of its bytes
	size    int64              // bytes read by the scan: all, or 0
	err     error

	oldSize int64              // of the file at the last build, 0 where it was not there or larger
	begins  fingerprint.Digest // digest of the first oldSize bytes of the current file
}

// setFacts sets the facts that the scan found. A given working directory replaces the one of the log, which may be
// guessed.
func (r *scanResult) setFacts(encoded string) {
	facts := state.DecodeFacts(encoded)
	if g := &r.given; g.CWDHash != "" && g.CWDHash != facts.CWDHash {
		facts.CWD, facts.CWDHash, facts.MainHash = g.CWD, g.CWDHash, g.MainHash
		encoded = state.EncodeFacts(facts)
	}
	r.encoded, r.facts = encoded, &facts
}

// facts returns the facts that the scan found in the file.
func (f file) facts() *sources.Facts {
	if f.scanned.facts == nil {
		facts := state.DecodeFacts(f.scanned.encoded)
		return &facts
	}
	return f.scanned.facts
}

// read reads a file that is not a transcript, without its byte order mark. Of a damaged one it returns what comes
// before the damage, and an error.
func (f file) read() ([]byte, error) {
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return nil, f.failed(err)
	}
	defer open.Close()
	var b bytes.Buffer
	b.Grow(int(f.Size) + bytes.MinRead)
	most := max(f.Size, maxSpilled) // a few bytes can unpack to any size
	n, err := b.ReadFrom(io.LimitReader(open, most+1))
	if n > most {
		err = fmt.Errorf("it unpacks to more than %d MB", most>>20)
	}
	if err != nil {
		return nil, f.failed(err)
	}
	data := smallfile.WithoutMark(b.Bytes())
	if damage := decode.DamageOf(open); damage != nil {
		return data, f.failed(fmt.Errorf("the rest of the file cannot be read: %w", damage))
	}
	return data, nil
}

func (f file) failed(err error) error {
	return fmt.Errorf("reading %s: %w", f.path, failure.Cause(err))
}

// stem returns the name without folder and extension.
func (f file) stem() string { return sources.Stem(f.path) }

// begin returns the beginning of a file, or nil when it cannot be read.
func (f file) begin(most int64) []byte {
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return nil
	}
	defer open.Close()
	data, err := io.ReadAll(io.LimitReader(open, most))
	if err != nil {
		return nil
	}
	return data
}

// writer returns the source whose program wrote a file. sure means that no more of the file changes that: the first
// bytes of a line name no writer.
func (f file) writer() (by sources.Source, sure bool) {
	head := f.source.Head(f.path)
	return f.source.SourceList().Of(head), sources.IsWholeHead(head)
}

// digestOfUnreadable takes the place of the digest of a file that the session is drawn without.
func digestOfUnreadable(f file, err error) fingerprint.Digest {
	return fingerprint.Of(fmt.Append(nil, f.Size, f.Mod, err))
}

// content returns the digest of a file. The scan has computed it, unless the file has grown since. If the file was
// rewritten since, the state has the stamp from the scan, so that the next build reads it again.
func (f file) content() (fingerprint.Digest, error) {
	if f.scanned != nil && f.scanned.err == nil && f.isWhole(f.scanned.size) &&
		f.scanned.content != (fingerprint.Digest{}) {
		return f.scanned.content, nil
	}
	return f.hash()
}

// hash returns the digest of a file.
func (f file) hash() (fingerprint.Digest, error) {
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return fingerprint.Digest{}, f.failed(err)
	}
	defer open.Close()
	h := xxhash.New()
	if _, err := io.Copy(h, open); err != nil {
		return fingerprint.Digest{}, f.failed(err)
	}
	return digestOf(h, decode.DamageOf(open)), nil
}

// digestOf returns the digest of what was read of a file. It includes why a compressed file ended early, because pages
// show that.
func digestOf(sum *xxhash.Digest, damage error) fingerprint.Digest {
	d := fingerprint.FromXXH64(sum.Sum64())
	if damage == nil {
		return d
	}
	return fingerprint.Of(append(d[:], damage.Error()...))
}

// most returns how much of a file there is to read. The size of a part, or of a compressed file, is only an estimate.
func (f file) most() int64 {
	if f.part {
		return decode.MaxRead
	}
	return f.Size
}

// isWhole reports whether a file had so many bytes when it was found.
func (f file) isWhole(size int64) bool { return size == f.Size || f.part && size > 0 }
