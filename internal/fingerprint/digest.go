package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A Digest identifies bytes: the first 16 bytes of their SHA-256, or the XXH64 of the content of a file.
type Digest [16]byte

// Of returns the digest of bytes, by SHA-256.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(sum[:len(Digest{})])
}

// OfContent returns the digest of the content of a file, by XXH64.
func OfContent(data []byte) Digest { return FromXXH64(xxhash.Sum64(data)) }

// FromXXH64 returns the digest of a content with this XXH64. It is used to see whether a file with another stamp has
// changed. All bytes of the sources are hashed, and a collision does no harm, so a hash is used that takes a tenth of
// the time of SHA-256.
func FromXXH64(sum uint64) (d Digest) {
	binary.BigEndian.PutUint64(d[:], sum)
	return d
}

// Add adds parts to a hash, each with its length before it.
func Add(h hash.Hash, parts ...string) {
	var n [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
}

// SortedKeys returns the keys of a map, sorted by bytes.
func SortedKeys[V any](of map[Digest]V) []Digest {
	return slices.SortedFunc(maps.Keys(of), func(a, b Digest) int { return bytes.Compare(a[:], b[:]) })
}
