// Package search finds messages in all sessions of a site: it writes an index that a page opened from disk can use,
// and answers queries from it. It never does I/O and knows no HTML.
//
// # Two levels
//
// A page on disk can load only whole files, and should load few. So the index has two levels.
//
// The term index maps each term to the units that contain it. A unit is the text of one page of a session, or of a
// part of a long page. Sessions are grouped into blocks of 64, 512 or 4,096 by the time they began (blocks.go); the
// terms of a block are distributed to shards by a hash of their first letters (shard.go). A term has one entry for
// each unit, with the weight of the best kind of message that contains it.
//
// The unit files have the text of each unit, document by document, compressed (unit.go): a browser that cannot
// decompress them searches only the open page. A call and its result are one document. Of an output of more than 64 KB
// only the words are kept after that length. All files of the index are scripts in UTF-16 with two packed bytes a code
// unit (utf16.go).
//
// # Queries
//
// A query finds in the term index the units that contain all its words, reads the most promising unit files, and
// matches their text. So it supports phrases, highlights the matches, and ranks by the text itself (BM25, with the
// length in letters). It reads eight units first, of different kinds, and more until it has ten hits (evaluation.go).
// Small units come first; units that resemble one without a hit come last, as they are often copies.
//
// Stop words are dropped from a query (stop_words.go), and words after the 32nd. If no document has all words, a second
// pass takes those that have some, and multiplies the score by the share of the weights of the words that the document
// has. For a word that is in no unit, the shards of words with a similar beginning have terms within one or two edits
// (near.go). Events rank last, and a title that is a sentence of a prompt is one hit with it.
//
// assets/js/search.js implements tokenizer.go, query.go, near.go, match.go, find.go and evaluation.go for the browser;
// testdata/terms.txt and queries.txt test that both make the same terms and read queries alike. Pages and terminal give
// the same hits in the same order.
//
// # Very many sessions
//
// A site of more than 10,000 sessions has the same blocks in another layout (layout.go), in which no query reads a list
// of all units. Directories of terms (terms.go) tell which blocks have a word; the lists of blocks and projects tell
// which of them belong to a time and a project. For its first answer a query reads at most 30 files of less than a
// megabyte in all (cut.go): it searches the most promising blocks, and others only if more is asked for.
//
// # Updates
//
// A build keeps the terms of each session in a segment (segment.go). If a session of a block changed, only the shards
// of terms that it gained or lost are rewritten ([Patch]), with the same bytes as a new block would have. If sessions
// were added to a block or removed, the block is written again from the segments of its sessions ([WriteBlock],
// [BlockParts]).
//
// Hashes of terms use a seed that is new in each run, so nobody can construct texts whose terms collide. No output
// depends on the seed.
package search
