// Package decode opens files of sources decompressed, converted to UTF-8 and, for databases, with the changes in the
// write-ahead log. It never writes, and does not interpret the content.
package decode
