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
		Long: `trust lets the viewer.toml of this folder set everything until the file changes. An
agent may have written it, so read it first. Until then, settings are ignored that
weaken redaction (no-redact, allow, personal), give others access (host, allowed-host),
choose files and folders (output, source, pricing and others), or remove something
(force, prune and others). Trusted files are listed in trusted.toml next to your own
viewer.toml.`,
		Example: `  viewer config     what the file sets, and what of it is ignored
  viewer trust
  viewer trust --remove`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return changeTrust(u, c.Root(), remove) },
	}
	c.Flags().BoolVar(&remove, "remove", false, "stop trusting the file")
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
		u.line("it can set %s", setting)
	}
	return nil
}
