package main

import (
	"github.com/spf13/cobra"
	"viewer/internal/settings"
)

func newTrust(u *ui) *cobra.Command {
	remove := false
	c := &cobra.Command{
		Use:   "trust",
		Short: "Let the viewer.toml of this folder set everything",
		Long: `trust remembers the viewer.toml of this folder as it is now, in trusted.toml beside
your own. Until then, and again when it has changed, what it says is ignored where it
would weaken redaction (no-redact, allow, personal), open something to others (host,
allowed-host), choose files and folders (output, source, pricing and the like) or
remove something (force, prune and the like): anybody who works in the folder may have written it.
Read it first.`,
		Example: `  viewer config     what the file sets, and what of it is ignored
  viewer trust
  viewer trust --remove`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return changeTrust(u, c.Root(), remove) },
	}
	c.Flags().BoolVar(&remove, "remove", false, "trust the file no more")
	return c
}

func changeTrust(u *ui, root *cobra.Command, remove bool) error {
	dir, allowed, err := settings.SetTrust(root, remove)
	if err != nil {
		return err
	}
	if remove {
		u.line("%s of %s is not trusted", settings.Name, dir)
		return nil
	}
	u.line("%s of %s is trusted until it changes", settings.Name, dir)
	for _, setting := range allowed {
		u.line("it may set %s", setting)
	}
	return nil
}
