package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/console"
	"viewer/internal/settings"
)

func newConfig(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "config [COMMAND...]",
		Short: "Print the settings that apply, and where each comes from",
		Long: `config prints all settings in the form of a viewer.toml, each with its origin: the
environment, a file, or the default. COMMAND limits the output to the settings of some
commands. The first lines name the files that were read, and their ignored settings.

A setting is the long name of a flag: quiet = true applies to all commands, output
below [build] to one, and below [archive.restore] to viewer archive restore.
VIEWER_QUIET and VIEWER_BUILD_OUTPUT are the same in the environment. The command line
overrides the environment, which overrides the files.

The files are viewer.toml in the current folder, then viewer/viewer.toml in your
configuration folder; their lists are joined. An agent may have written the file in the
current folder. So it can only change how pages look and what is left out or redacted,
until you trust it (viewer trust). viewer report never reads it. --config or
VIEWER_CONFIG names the only file to read; "none" reads no file.`,
		Example: `  viewer config
  viewer config report
  viewer config > viewer.toml`,
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, other := range c.Root().Commands() {
				if hasSettings(other) {
					names = append(names, other.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return printConfig(u, c, args) },
	}
}

// readsUntrusted are the commands that read files which other programs may have written to the current folder.
var readsUntrusted = map[string]bool{"report": true}

func hasSettings(c *cobra.Command) bool {
	n := 0
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if settings.IsSetting(f) {
			n++
		}
	})
	return n > 0
}

func printConfig(u *ui, c *cobra.Command, names []string) error {
	named, err := configFile(c)
	if err != nil {
		return err
	}
	commands, err := commandsOf(c.Root(), names)
	if err != nil {
		return err
	}
	all, err := settings.Read(named, false)
	if err != nil {
		return err
	}
	if err := all.Check(c.Root()); err != nil {
		return err
	}
	var b strings.Builder
	var ignored []settings.IgnoredSetting
	if len(names) == 0 {
		filled, err := all.Fill(c)
		if err != nil {
			return err
		}
		ignored = filled.Ignored
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
			if settings.IsSetting(f) {
				line(&b, f, filled.From[f.Name])
			}
		})
	}
	for _, command := range commands {
		if !hasSettings(command) {
			continue
		}
		s := all
		if named == "" && readsUntrusted[command.Name()] {
			s = all.WithoutFolder()
		}
		filled, err := s.Fill(command)
		if err != nil {
			return err
		}
		ignored = append(ignored, filled.Ignored...)
		fmt.Fprintf(&b, "\n[%s]\n", settings.Table(command))
		command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if settings.IsSetting(f) {
				line(&b, f, filled.From[f.Name])
			}
		})
	}
	printFiles(u, c.Root(), all, ignored)
	u.print("%s", strings.TrimPrefix(b.String(), "\n"))
	return nil
}

// commandsOf returns the commands with some names, or all of them for no names.
func commandsOf(root *cobra.Command, names []string) ([]*cobra.Command, error) {
	if len(names) == 0 {
		return settings.Commands(root), nil
	}
	var commands []*cobra.Command
	for _, name := range names {
		one := settings.CommandOf(root, name)
		if one == nil {
			return nil, unknownCommand(root, name)
		}
		commands = append(append(commands, one), settings.Commands(one)...)
	}
	return commands, nil
}

// printFiles prints which files were read, the one that overrides the others first, and which of their settings and of
// the variables are ignored.
func printFiles(u *ui, root *cobra.Command, all settings.Settings, ignored []settings.IgnoredSetting) {
	for _, f := range all {
		u.print("# read from %s%s\n", console.OneLine(f.Name), f.TrustWords())
	}
	for _, m := range settings.MisspelledIn(os.Environ(), root) {
		u.print("# %s is ignored: did you mean %s?\n", console.OneLine(m.Name), m.Meant)
	}
	var said []string
	for _, i := range ignored {
		if line := console.OneLine(i.String()); !slices.Contains(said, line) {
			said = append(said, line)
			u.print("# %s\n", line)
		}
	}
	if len(said) > 0 {
		u.print("# viewer trust lets it set everything\n")
	}
}

// line writes one setting.
func line(b *strings.Builder, f *pflag.Flag, from string) {
	var v any = f.Value.String()
	switch f.Value.Type() {
	case "bool":
		v = f.Value.String() == "true"
	case "int":
		var n int
		fmt.Sscan(f.Value.String(), &n)
		v = n
	}
	if many, ok := f.Value.(pflag.SliceValue); ok {
		v = append([]string{}, many.GetSlice()...) // toml leaves out a slice that is nil
	}
	text, err := toml.Marshal(map[string]any{f.Name: v})
	if err != nil {
		text = []byte(f.Name + ` = ""`) // a flag of a type that TOML lacks, which does not exist
	}
	fmt.Fprintf(b, "%-40s # %s\n", strings.TrimSpace(string(text)), from)
}

// configFile returns the file that --config or VIEWER_CONFIG names, "" for neither.
func configFile(c *cobra.Command) (string, error) {
	f := c.Root().PersistentFlags().Lookup("config")
	if f.Changed && f.Value.String() == "" {
		return "", usagef("--config: give a file, or %s for no file", settings.None)
	}
	return f.Value.String(), nil
}
