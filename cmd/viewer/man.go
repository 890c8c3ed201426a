//go:build man

// With this tag the command writes its manual pages and does nothing else:
//
//	go run -tags man ./cmd/viewer FOLDER
//
// So the code that writes them is not part of the program.
package main

import (
	"errors"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra/doc"
)

func main() {
	u := newUI(os.Stdout, os.Stderr)
	if err := writeManual(u); err != nil {
		u.complain(err)
		os.Exit(exitFailed)
	}
}

func writeManual(u *ui) error {
	if len(os.Args) != 2 {
		return errors.New("give the folder to write the pages to")
	}
	if err := os.MkdirAll(os.Args[1], 0o755); err != nil {
		return err
	}
	root := newRoot(u)
	root.DisableAutoGenTag = true
	date := commitTime()
	return doc.GenManTree(root, &doc.GenManHeader{
		Title: "VIEWER", Section: "1", Manual: "viewer", Source: "viewer " + version, Date: &date,
	}, os.Args[1])
}

// commitTime returns the time of the commit, so that the same commit makes the same pages.
func commitTime() time.Time {
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
					return at
				}
			}
		}
	}
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
}
