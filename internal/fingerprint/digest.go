package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A Digest stands for bytes: 16 bytes of their SHA-256, or the XXH64 of the content of a file.
type Digest [16]byte

// Of is the digest of bytes by SHA-256.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(sum[:len(Digest{})])
}

// OfContent is the digest of the content of a file by XXH64.
func OfContent(data []byte) Digest { return FromXXH64(xxhash.Sum64(data)) }

// FromXXH64 is the digest of a content whose XXH64 is known. It tells whether a file with another
// stamp has changed. Nobody gains by two contents with one sum, and all bytes there are
// go through it: so it is a hash that takes a tenth of the time of SHA-256.
func FromXXH64(sum uint64) (d Digest) {
	binary.BigEndian.PutUint64(d[:], sum)
	return d
}

// Add puts parts into a hash, each behind its length.
func Add(h hash.Hash, parts ...string) {
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
}

// SortedKeys are the keys of a map in the order of their bytes.
func SortedKeys[V any](of map[Digest]V) []Digest {
	ids := make([]Digest, 0, len(of))
	for id := range of {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b Digest) int { return bytes.Compare(a[:], b[:]) })
	return ids
}
