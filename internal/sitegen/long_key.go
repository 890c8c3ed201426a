package sitegen

import (
	"crypto/sha256"
	"hash"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
)

// A longKey is a hash of values of which there may be too many to be in memory at once.
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

// digest is that of all values, as fingerprint.Of has it.
func (k *longKey) digest() fingerprint.Digest {
	k.flush()
	return fingerprint.Digest(k.hash.Sum(nil)[:len(fingerprint.Digest{})])
}
