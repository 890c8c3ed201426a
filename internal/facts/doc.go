// Package facts tells sessions and their calls as rows of two tables, for programs that count and compare. It draws
// nothing and never writes a file: what encodes the rows is package parquet, in programs that were built with the tag
// "parquet".
package facts
