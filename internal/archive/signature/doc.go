// Package signature signs the seals of archives with SSH keys, and verifies the signatures. It runs ssh-keygen, and it
// never reads an archive.
package signature
