// Package decode reads files of sources as sessions need them: decompressed, in UTF-8, and a database with the changes
// in its write-ahead log. It never writes, and knows no sessions.
package decode
