// Package archive is the format of archives, which keep session files verbatim: what their manifest says, how contents
// are packed, and how a file is compared with what was sealed. It never opens a file.
//
// An archive is a folder, or the prefix of a bucket, where other files stand for the same, see package store:
//
//	viewer-archive.jsonl        the manifest: a record a line, each with a hash over itself and the hash before
//	data/ab/abcd0123456789.zst  a stream: frames of zstd, one after another; zstdcat prints what was archived
//	seals/00000012.seal, .sig   how many records there were when they were signed, and the hash of the last
//
// Nothing in it is ever rewritten. A stream has the content of one session file, and grows as that does. A version of
// a file is a list of parts of streams: the whole of one for a log that only grows; the beginning of one for a copy
// that is shorter, on another machine for example; parts of several for a file that was rewritten. A record of the
// manifest is added after the frames that it tells of are on the disk. What a stream holds behind the last frame that
// a record tells of was left by a run that did not end, and so was a last line of the manifest without its end.
package archive
