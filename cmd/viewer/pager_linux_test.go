package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal with so many columns. screen is the end from which its contents are read.
func terminal(t *testing.T, columns uint16) (tty, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err == nil {
		t.Cleanup(func() { tty.Close() })
		err = unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err != nil {
		t.Fatal(err)
	}
	return tty, screen
}

// TestPager: text goes to the pager of the environment, or to the terminal if there is none.
func TestPager(t *testing.T) {
	dir := t.TempDir()
	got := filepath.Join(dir, "got")
	if err := os.WriteFile(filepath.Join(dir, "some-pager"),
		[]byte("#!/bin/sh\n{ echo \"$1 $LESS\"; cat; } > \"$GOT\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOT", got)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("LESS", "")
	t.Setenv("TERM", "xterm")
	tty, screen := terminal(t, 97)
	u := newUI(tty, new(bytes.Buffer))
	if n := u.outColumns(); n != 97 {
		t.Errorf("got %d columns, want 97", n)
	}
	t.Setenv("PAGER", "some-pager -x")
	if err := u.page([]byte("all of it\n")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(got); string(text) != "-x FRX\nall of it\n" {
		t.Errorf("the pager was given %q (error %v), want the text and -x FRX", text, err)
	}
	shown := bufio.NewReader(screen) // a line may come in parts
	shows := func(why string) {
		t.Helper()
		if err := u.page([]byte(why + "\n")); err != nil {
			t.Fatal(err)
		}
		if line, err := shown.ReadString('\n'); err != nil || strings.TrimSpace(line) != why {
			t.Errorf("the terminal shows %q (error %v), want %q", line, err, why)
		}
	}
	t.Setenv("TERM", "dumb")
	shows("a terminal that cannot show a pager")
	t.Setenv("TERM", "xterm")
	t.Setenv("VIEWER_PAGER", filepath.Join(dir, "nosuch"))
	shows("a pager that is not there")
}
