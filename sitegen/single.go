package sitegen

import (
	"fmt"
	"os"
	"path/filepath"

	"viewer/export"
	"viewer/render"
	"viewer/stats"
)

// SinglePage draws sessions as one file that needs no other.
func SinglePage(sessions ...render.Session) []byte {
	return render.DrawSingle(sessions).Pages[0].HTML
}

// Exported is a session as exports take it.
func Exported(s render.Session) export.Session {
	return export.Session{Conversation: s.Conversation, Project: s.Project.Name, Totals: stats.Of(s.Conversation, s.Prices), Spilled: s.Spilled}
}

// WriteFile puts one file in its place, whole or not at all; its folder is made
// when it is not there.
func WriteFile(name string, data []byte) error {
	fail := func(err error) error {
		return &Error{fmt.Errorf("writing %s: %w", name, cause(err)), writeHint(err)}
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fail(err)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // a pipe, a device
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return fail(err)
		}
		return nil
	}
	f, err := os.CreateTemp(dir, ".viewer-*")
	if err != nil {
		return fail(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return fail(err)
	}
	return nil
}
