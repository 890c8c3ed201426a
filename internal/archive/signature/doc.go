// Package signature signs seals of archives with SSH keys, by ssh-keygen, and says who signed one. It never reads what
// is in an archive.
package signature
