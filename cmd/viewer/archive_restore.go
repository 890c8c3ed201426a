package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

type restoreFlags struct {
	out      string
	versions bool
}

func newRestore(u *ui) *cobra.Command {
	var f restoreFlags
	c := &cobra.Command{
		Use:   "restore ARCHIVE [SESSION] -o DIR",
		Short: "Restore files of an archive",
		Long: `restore writes the files of an archive into a folder, byte for byte and in their
original layout: DIR/MACHINE/PATH. SESSION is the id of one session, or its beginning.
An identical file is left alone; a different one is an error. If the list of files in
the archive was changed, restore says where, writes what is left, and exits with 1.`,
		Example: `  viewer archive restore ~/sessions -o restored
  viewer archive restore ~/sessions ab12cd34 -o restored --versions`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("name the archive: viewer archive restore ARCHIVE [SESSION] -o DIR")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return restore(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "folder to write to")
	c.Flags().BoolVar(&f.versions, "versions", false,
		"also write older versions, with ~1, ~2 after their names, the oldest first")
	return c
}

func restore(ctx context.Context, u *ui, f restoreFlags, args []string) error {
	if f.out == "" {
		return usagef("name the folder to write to: viewer archive restore ARCHIVE -o DIR")
	}
	a, err := store.Open(ctx, args[0])
	if err != nil {
		return err
	}
	defer a.Close()
	if !storage.IsAddress(args[0]) {
		if _, inside := sitegen.Inside(storage.Folder(args[0]), f.out); inside {
			return failure.New(fmt.Errorf("%s is inside the archive %s", f.out, args[0]),
				"use -o to choose another folder")
		}
	}
	changed, err := tellManifest(u, a)
	if err != nil {
		return err
	}
	keys, err := keysOf(a, args)
	if err != nil {
		return err
	}
	to, err := createRoot(f.out)
	if err != nil {
		return err
	}
	defer to.Close()
	u.begins("files that were restored stay, and the next run does the rest")
	written, size, failed := 0, int64(0), 0
	for _, v := range toRestore(a, keys, f.versions) {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, done, err := a.Restore(to, v.record, v.ending)
		if failure.Full(err) {
			return err
		}
		if err != nil {
			failed++
			u.complain(err)
			continue
		}
		u.detail("%s", name)
		if done {
			written, size = written+1, size+v.record.Size
		}
	}
	u.line("%s (%s) written to %s", words.Plural(written, "file", "files"), words.Size(int(size)),
		strings.TrimRight(f.out, "/"))
	const verify = "viewer archive verify lists what is wrong with the archive"
	switch {
	case failed > 0:
		return failure.New(fmt.Errorf("%s not restored", words.Plural(failed, "file was", "files were")), verify)
	case changed:
		return failure.New(fmt.Errorf("%s: the list of files was changed: files may be missing, or older than archived",
			storage.Words(args[0])), verify)
	}
	return nil
}

// keysOf returns the files of an archive, or those of the session that the second argument names.
func keysOf(a *store.Archive, args []string) ([]archive.Key, error) {
	keys := a.Keys()
	if len(args) < 2 {
		return keys, nil
	}
	keys = slices.DeleteFunc(keys, func(k archive.Key) bool { return !sitegen.IsOfSession(k.Path, args[1]) })
	if len(keys) == 0 {
		return nil, failure.New(fmt.Errorf("%w %s in %s", sitegen.ErrNone, args[1], storage.Words(args[0])),
			"viewer list "+storage.Words(args[0])+" lists those in it")
	}
	return keys, nil
}

// createRoot opens a folder to write to, and creates it if it does not exist.
func createRoot(name string) (*os.Root, error) {
	const hint = "use -o to choose another folder"
	if err := os.MkdirAll(name, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", name, failure.Cause(err)), hint)
	}
	to, err := os.OpenRoot(name)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", name, failure.Cause(err)), hint)
	}
	return to, nil
}

// tellManifest prints where the manifest is not as it was written or sealed, and reports whether it is not.
func tellManifest(u *ui, a *store.Archive) (changed bool, err error) {
	flaws := a.ManifestFlaws()
	seals, err := a.Seals()
	if err != nil {
		return false, err
	}
	for _, s := range seals {
		if s.Err != nil {
			flaws = append(flaws, store.Flaw{File: s.File, Text: s.Err.Error()})
		}
	}
	const most = 10
	for _, f := range flaws[:min(len(flaws), most)] {
		u.fault("%s", f)
	}
	if n := len(flaws) - most; n > 0 {
		u.fault("and %d more", n)
	}
	return len(flaws) > 0, nil
}

// A restorable is a version of a file, and how to name it.
type restorable struct {
	record *archive.Record
	ending string // of the name of the restored file
}

// toRestore returns versions of files in the order of their places in the archive, so that a frame that has many small
// files is unpacked once.
func toRestore(a *store.Archive, keys []archive.Key, older bool) []restorable {
	var all []restorable
	for _, k := range keys {
		versions := a.Files[k]
		last := len(versions) - 1
		for i, r := range versions {
			switch {
			case i == last:
				all = append(all, restorable{r, ""})
			case older:
				all = append(all, restorable{r, fmt.Sprintf("~%d", i+1)})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y restorable) int {
		if len(x.record.Parts) == 0 || len(y.record.Parts) == 0 {
			return cmp.Compare(len(x.record.Parts), len(y.record.Parts))
		}
		p, q := x.record.Parts[0], y.record.Parts[0]
		return cmp.Or(strings.Compare(p.Stream, q.Stream), cmp.Compare(p.From, q.From))
	})
	return all
}
