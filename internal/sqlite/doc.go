// Package sqlite reads the tables of SQLite databases according to the documentation of the file format
// (https://sqlite.org/fileformat2.html). It iterates over rows, and can read a row again by its place. It executes no
// SQL, takes no locks, writes nothing and never opens a file. A write-ahead log must have been applied already.
//
// A library with all of SQLite takes longer to compile than the rest of the program, and longer to scan a table.
//
// Damage is reported as an error with the table and the page, and the rows of other pages are read. No file can make
// the package use more memory than the size of the file, or loop forever.
package sqlite
