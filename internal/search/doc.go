// Package search finds messages in all sessions of a site: it writes an index
// that a page opened from disk can use, and answers queries from it. It does no
// I/O and knows no HTML.
//
// The index has two floors, because what a page on disk can load is whole files
// and few of them.
//
// Upstairs each term leads to the units that hold it. A unit is the text of one
// page of a session (of a part of it, where it is long). Sessions lie in blocks
// by the time they began (blocks.go); the terms of a block are dealt onto shards
// by a hash of their first letters (shard.go). That is small: a term counts once
// a unit.
//
// Downstairs is the text of each unit, document by document, packed (unit.go). A
// query asks upstairs which units hold all its words, reads the most promising
// ones, and looks at what really stands there: so it knows phrases, marks what
// it found, and ranks by what it has seen (find.go).
//
// assets/js/search.js is the twin of terms.go, query.go, match.go and find.go;
// testdata/terms.txt holds both to the same terms.
package search
