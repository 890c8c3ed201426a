// Package output writes the files of one site: each as a whole or not at all, none outside of its folder, and none that
// holds the same bytes already. It never decides what a file holds.
//
// The folder of a site is opened as a root (os.Root), which refuses links that lead out of it. A file is written under
// a temporary name and renamed, so that a reader never sees half of it. Before that, its name is written to a journal,
// by which the next build finds what a killed one left. A [Manifest] lists the files of the site with size and time. By
// it a build knows which files have not changed since, and removes those that are no longer made.
//
// A site may also be in a bucket. There each object is written as a whole, and nobody else is expected to write: what
// the manifest lists exists. See bucketFiles.
package output
