// Package all lists the sources that the program reads. A new one is one line in all.go. It never looks at a file.
package all
