package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestPortTaken: isPortTaken recognizes the error of each system.
func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	again, err := net.Listen("tcp", l.Addr().String())
	if err == nil {
		again.Close()
		t.Fatal("listening twice on one port succeeds, want an error")
	}
	if !isPortTaken(err) {
		t.Errorf("isPortTaken(%v) = false, want true", err)
	}
}

// TestSameFolder: on file systems that ignore case, the site is not watched, however its name is written. Other folders
// are.
func TestSameFolder(t *testing.T) {
	dir := t.TempDir()
	site, other := filepath.Join(dir, "site"), filepath.Join(dir, "Site")
	if err := os.Mkdir(site, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat(other)
	if got, want := sameFolder(site, other), err == nil; got != want {
		t.Errorf("sameFolder(site, Site) = %t, want %t", got, want)
	}
	if !sameFolder(site, site) || sameFolder(site, dir) {
		t.Error("want a folder to be the same as itself, and not as its parent")
	}
}
