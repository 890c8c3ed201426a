// Package archive is the format of archives, which keep session files verbatim: the manifest, the packed contents, and
// the comparison of a file with its sealed version. It never opens a file.
//
// An archive is a folder, or the prefix of a bucket with other files for the same, see package store:
//
//	viewer-archive.jsonl        the manifest: a record a line, each with a hash over itself and the hash before
//	data/ab/abcd0123456789.zst  a stream: frames of zstd, one after another; zstdcat prints what was archived
//	seals/00000012.seal, .sig   how many records there were when they were signed, and the hash of the last
//
// Nothing in it is ever rewritten. A stream has the content of one session file and grows with it. It may begin with
// several small files, which were archived together. A version of a file is a list of parts of streams: a whole stream
// for a log that only grows, the beginning of a stream for a copy that is shorter, for example on another machine, and
// parts of several streams for a file that was rewritten. A record is added to the manifest after its frames are on the
// disk. So a killed run may leave data in a stream after the last frame that a record names, or an unfinished last line
// in the manifest. Both are ignored.
package archive
