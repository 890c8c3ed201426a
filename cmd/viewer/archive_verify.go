package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"viewer/internal/archive/signature"
	"viewer/internal/archive/store"
	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

func newVerify(u *ui) *cobra.Command {
	var signers string
	c := &cobra.Command{
		Use:   "verify ARCHIVE [SOURCE...]",
		Short: "Check whether an archive, or logs in it, have changed",
		Long: `verify reads everything in an archive, and lists what has changed since it was archived,
with file and line. For each SOURCE it compares the logs with their archived versions.
New lines at the end are normal; any other change is listed. It exits with 1 if
anything has changed.`,
		Example: `  viewer archive verify ~/sessions
  viewer archive verify ~/sessions ~/.claude/projects
  viewer archive verify ~/sessions --allowed-signers ~/.ssh/allowed_signers`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the archive: viewer archive verify ARCHIVE")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return verifyArchive(c.Context(), u, args[0], signers, args[1:])
		},
	}
	c.Flags().StringVar(&signers, "allowed-signers", "",
		"require that one of the keys in `FILE` signed the newest seal, see ssh-keygen(1)")
	return c
}

func verifyArchive(ctx context.Context, u *ui, name, signers string, sources []string) error {
	if signers != "" {
		if err := signature.CanVerify(signers); err != nil {
			return err
		}
	}
	a, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer a.Close()
	flaws := 0
	tell := func(f store.Flaw) {
		if !f.Mild {
			flaws++
		}
		u.print("%s\n", console.OneLine(f.String()))
	}
	if err := a.Verify(ctx, tell); err != nil {
		return err
	}
	sealed, err := verifySeals(ctx, a, signers, tell)
	if err != nil {
		return err
	}
	compared := 0
	if len(sources) > 0 {
		compared, err = sitegen.CompareArchived(ctx, a, sources, u.unread, tell)
		if err != nil {
			return err
		}
	}
	if flaws > 0 {
		err := fmt.Errorf("%s: %s", storage.Words(name),
			words.Plural(flaws, "place is not as it was archived", "places are not as they were archived"))
		return failure.New(err, "viewer archive restore writes what is intact")
	}
	machines := make(map[string]bool)
	for k := range a.Files {
		machines[k.Machine] = true
	}
	from, as := words.Plural(len(machines), "machine", "machines"), "are as they were archived"
	if len(a.Files) == 1 {
		as = "is as it was archived"
	}
	u.line("%s of %s %s; %s", words.Plural(len(a.Files), "file", "files"), from, as, sealed)
	if len(sources) > 0 {
		u.line("%s compared with the archive",
			words.Plural(compared, "file in the sources was", "files in the sources were"))
	}
	return nil
}

// verifySeals checks the seals of an archive, and prints which part of it is sealed.
func verifySeals(ctx context.Context, a *store.Archive, signers string, tell func(store.Flaw)) (string, error) {
	seals, err := a.Seals()
	if err != nil {
		return "", err
	}
	var newest *store.Sealed
	for i := range seals {
		s := &seals[i]
		switch {
		case s.Err != nil:
			tell(store.Flaw{File: s.File, Text: s.Err.Error()})
		case s.Signature != nil:
			newest = s
		}
	}
	if newest == nil {
		if signers != "" {
			return "", failure.New(fmt.Errorf("%s is not signed", storage.Words(a.Name())),
				"viewer archive --sign KEY signs an archive")
		}
		return "it is not signed", nil
	}
	since := ""
	if n := len(a.Hashes) - newest.Records; n > 0 {
		since = fmt.Sprintf(", but for %s that came later", words.Plural(n, "record", "records"))
	}
	at := newest.Time.Format("2006-01-02 15:04")
	if signers == "" {
		return fmt.Sprintf("signed %s%s; --allowed-signers checks by whom", at, since), nil
	}
	who, err := signature.Verify(ctx, newest, signers)
	if err != nil {
		tell(store.Flaw{File: newest.SignatureFile(), Text: err.Error()})
		return "", nil
	}
	return fmt.Sprintf("signed %s by %s%s", at, who, since), nil
}
