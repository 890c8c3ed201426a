package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestTaken: that a port is taken has another name on each system.
func TestTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	again, err := net.Listen("tcp", l.Addr().String())
	if err == nil {
		again.Close()
		t.Fatal("two listen on one port")
	}
	if !isPortTaken(err) {
		t.Errorf("%v: want that to say that the port is taken", err)
	}
}

// TestSameFolder: the site is left out of what is watched however its name is written, where
// capitals make no difference, and nothing else is.
func TestSameFolder(t *testing.T) {
	dir := t.TempDir()
	site, other := filepath.Join(dir, "site"), filepath.Join(dir, "Site")
	if err := os.Mkdir(site, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat(other)
	if got, want := sameFolder(site, other), err == nil; got != want {
		t.Errorf("site and Site are one folder: %v, want %v", got, want)
	}
	if !sameFolder(site, site) || sameFolder(site, dir) {
		t.Error("a folder is itself, and not the one that it is in")
	}
}
