package sitegen

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"viewer/export"
	"viewer/render"
	"viewer/report"
)

// ReportOn collects the facts of sessions. They are drawn into one file of that
// name, or into a site where single is "".
func ReportOn(sessions []render.Session, single string) report.Facts {
	var exported []export.Session
	var sources []report.Source
	for i, s := range sessions {
		src := report.Source{File: s.Main.Name, Page: single, Secrets: s.Secrets}
		if single != "" {
			src.Prefix = render.SinglePrefix(i)
		} else {
			src.Page = "s/" + s.Folder + "/index.html"
			src.Places = render.Open(s).Places()
			for anchor, page := range src.Places {
				src.Places[anchor] = "s/" + s.Folder + "/" + page
			}
		}
		exported = append(exported, Exported(s))
		sources = append(sources, src)
	}
	return report.Of(exported, sources)
}

// Stdin writes what comes through a pipe into a file that can be read as a
// session; remove takes it away.
func Stdin(r io.Reader) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "viewer-stdin-")
	if err != nil {
		return "", nil, fmt.Errorf("keeping standard input: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, "stdin", "stdin.jsonl") // which may show, where the session names no folder of its own
	err = os.Mkdir(filepath.Dir(name), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		_, err = io.Copy(f, r)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("keeping standard input: %w", err)
	}
	return name, remove, nil
}

// AppendFile adds to a file that others write to as well.
func AppendFile(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return &Error{fmt.Errorf("writing %s: %w", name, cause(err)), writeHint(err)}
	}
	return nil
}
