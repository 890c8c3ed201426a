package sitegen

import (
	"hash"
	"io/fs"

	"viewer/internal/fingerprint"
)

type (
	stamp  = fingerprint.Stamp
	digest = fingerprint.Digest
)

func newStamp(info fs.FileInfo) stamp  { return fingerprint.StampOf(info) }
func digestOf(data []byte) digest      { return fingerprint.Of(data) }
func contentOf(data []byte) digest     { return fingerprint.OfContent(data) }
func summed(sum uint64) digest         { return fingerprint.FromXXH64(sum) }
func changed(path string) int64        { return fingerprint.ChangeTime(path) }
func add(h hash.Hash, parts ...string) { fingerprint.Add(h, parts...) }
