// Package facts describes sessions and their calls as rows of two tables, for programs that count and compare. It draws
// nothing and never writes a file. Package parquet encodes the rows, in programs built with the tag "parquet".
package facts
