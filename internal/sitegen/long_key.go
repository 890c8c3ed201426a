package sitegen

import (
	"crypto/sha256"
	"hash"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
)

// A longKey hashes values that may be too many for memory.
type longKey struct {
	codec.Encoder
	hash hash.Hash
}

func newLongKey() *longKey { return &longKey{hash: sha256.New()} }

// flush hashes the values so far.
func (k *longKey) flush() {
	k.hash.Write(k.Encoder)
	k.Encoder = k.Encoder[:0]
}

// digest returns the same digest of all values as fingerprint.Of.
func (k *longKey) digest() fingerprint.Digest {
	k.flush()
	return fingerprint.Digest(k.hash.Sum(nil)[:len(fingerprint.Digest{})])
}
