// Package output writes the files of a site: each as a whole or not at all, none outside of the folder, and none that
// has the same bytes already. It never decides what a file contains.
//
// The folder of a site is opened as a root (os.Root), which refuses links that lead out of it. A file is written under
// a temporary name and renamed, so that a reader never sees half of it. Before that, its name is written to a journal,
// so that the next build finds the files of a killed one. A [Manifest] lists the files of the site with size and time.
// It tells a build which files are unchanged, and which ones to remove.
//
// A site may also be in a bucket. Each object is written as a whole, and nobody else may write there: everything in the
// manifest exists. See bucketFiles.
package output
