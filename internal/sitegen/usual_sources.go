package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
)

// UsualSources returns the folders where the known coding agents keep their sessions on this machine, whether or not
// they exist. That of Claude Code comes first.
func UsualSources() []string { return usualSources(all.Sources, os.Getenv) }

// UsualChosen reports whether an environment variable of an agent names one of them. Those that name folders for all
// programs, which Windows and some desktops always set, choose none.
func UsualChosen() bool {
	return !slices.Equal(UsualSources(), usualSources(all.Sources, func(name string) string {
		if name == "APPDATA" || name == "LOCALAPPDATA" || strings.HasPrefix(name, "XDG_") {
			return os.Getenv(name)
		}
		return ""
	}))
}

func usualSources(writers sources.List, getenv func(string) string) []string {
	home, _ := os.UserHomeDir() // without a home folder there may still be variables
	last := len(writers) - 1
	var folders []string
	for _, writer := range append(sources.List{writers[last]}, writers[:last]...) {
		for _, folder := range writer.Folders(getenv, home) {
			if folder = filepath.FromSlash(folder); !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// UsualWords names the usual folders that exist, or the first one if none does.
func UsualWords() string { return folderWords(UsualSources()) }

// folderWords names the folders that exist, or the first one if none does. If there are many, it only counts the rest.
func folderWords(folders []string) string {
	if len(folders) == 0 {
		return "the usual folders: no home folder is known"
	}
	there := slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		_, err := os.Stat(folder)
		return err != nil
	})
	if len(there) == 0 {
		return folders[0]
	}
	const most = 3
	if n := len(there) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(there[:most], ", "), n)
	}
	return strings.Join(there, ", ")
}

// HasUsual reports whether a usual folder holds a session to build.
func HasUsual() (bool, error) {
	var failed error
	for _, folder := range UsualSources() {
		has, err := HasSessions(folder)
		if has {
			return true, nil
		}
		failed = errors.Join(failed, err)
	}
	return false, failed
}

// HasSessions reports whether a folder or a file, or the target of a link to one, holds a session to build. It returns
// an error when part of the folder cannot be read and the rest holds none.
func HasSessions(dir string) (bool, error) {
	if dir == "" {
		return false, nil
	}
	if info, err := os.Stat(dir); err == nil && info.Mode().IsRegular() { // a database
		src := input.Source{FS: decode.FS{FS: os.DirFS(filepath.Dir(dir))}}
		return src.IsSession(filepath.Base(dir)), nil
	}
	found := errors.New("found")
	var failed error
	src := input.Source{FS: decode.FS{FS: os.DirFS(dir)}} // follows a link to dir
	err := fs.WalkDir(src.FS, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && failed == nil && !failure.Missing(err):
			failed = failure.New(fmt.Errorf("reading %s: %w", filepath.Join(dir, filepath.FromSlash(p)),
				failure.Cause(err)),
				"check that the folder can be read")
		case err == nil && !d.IsDir() && src.IsSession(p):
			return found
		}
		return nil
	})
	if err == found {
		return true, nil
	}
	return false, failed
}

// openSources opens the sources of a survey: those of the options, or the usual ones that exist.
func (v *survey) openSources(ctx context.Context) error {
	o := v.options
	if o.Sample != nil {
		v.sources = append(v.sources, &input.Source{Name: "sample", ID: sampleID, FS: o.Sample})
	}
	names, usual := o.Sources, len(o.Sources) == 0 && o.Sample == nil
	if usual {
		names = usualSources(o.sourceList(), os.Getenv)
	}
	for _, name := range names {
		if store.Is(ctx, name) {
			if err := v.openArchive(ctx, name); err != nil {
				return err
			}
			continue
		}
		src, err := input.Open(ctx, name)
		if usual && err == nil && src.Part != "" { // a file has the place of its parent folder, such as ~/.codex
			src.Close()
			err = fs.ErrNotExist
		}
		if (o.Empty || usual) && failure.Missing(err) {
			src, err = input.Missing(name), nil
		}
		if usual && err != nil && !failure.Exhausted(err) {
			v.unread(err)
			src, err = input.Missing(name), nil
		}
		if err != nil {
			return err
		}
		src.Writers = o.writers
		v.sources = append(v.sources, src)
	}
	return nil
}

// unread records that a usual folder cannot be read. The others are read.
func (v *survey) unread(err error) {
	if v.failed == nil {
		v.failed = err
	}
	if v.options.Unread != nil {
		v.options.Unread(err)
	}
}

// nothing returns the error for usual folders without a session: one cannot be read, or there is none.
func (v *survey) nothing() error {
	if v.failed != nil {
		return v.failed
	}
	where := folderWords(usualSources(v.options.sourceList(), os.Getenv))
	return failure.New(none{fmt.Errorf("no sessions in %s", where)},
		"name a folder of sessions: viewer list FOLDER, viewer show ID --source FOLDER, viewer search WORDS -- FOLDER")
}

// IsHidden reports whether a folder of that name is skipped, unless it is that of an agent in a home folder.
func IsHidden(name string) bool { return sources.IsHidden(name) }

// IsUnread reports whether a folder of that name is skipped wherever it is.
func IsUnread(name string) bool { return IsHidden(name) && !all.Sources.HomeFolders().HasName(name) }
