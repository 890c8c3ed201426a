package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newConfig(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "config [COMMAND...]",
		Short: "Print the settings that are in force, and where each is from",
		Long: `config prints all settings as a viewer.toml would hold them, each with the place
that it is from: the environment, the file, or the default. COMMAND limits it to the
settings of some commands.

A setting is the long name of a flag: quiet = true holds for all commands, output
below [build] for one. VIEWER_QUIET and VIEWER_BUILD_OUTPUT are the same in the
environment. The command line stands before the environment, that before the file.

The file is the one that --config or VIEWER_CONFIG name, else viewer.toml in this
folder, else viewer/viewer.toml in the user's folder for configuration. The name
none stands for no file. viewer report never takes the one in this folder, which the
agent that it reports on may have written.`,
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

// untrusting are the commands that read what somebody else's program left in
// the folder that they run in.
var untrusting = map[string]bool{"report": true}

func hasSettings(c *cobra.Command) bool {
	n := 0
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if isSetting(f) {
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
	commands := c.Root().Commands()
	if len(names) > 0 {
		commands = nil
		for _, name := range names {
			one := commandOf(c.Root(), name)
			if one == nil {
				return unknownCommand(c.Root(), name)
			}
			commands = append(commands, one)
		}
	}
	var b strings.Builder
	own, err := readSettings(named, false)
	if err != nil {
		return err
	}
	if err := own.check(c.Root()); err != nil {
		return err
	}
	var files []string
	if len(names) == 0 {
		files = append(files, own.file)
		from, err := own.fill(c)
		if err != nil {
			return err
		}
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
			if isSetting(f) {
				line(&b, f, from[f.Name])
			}
		})
	}
	for _, command := range commands {
		if !hasSettings(command) {
			continue
		}
		s, err := readSettings(named, untrusting[command.Name()])
		if err != nil {
			return err
		}
		from, err := s.fill(command)
		if err != nil {
			return err
		}
		if !slices.Contains(files, s.file) {
			files = append(files, s.file)
		}
		fmt.Fprintf(&b, "\n[%s]\n", command.Name())
		command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if isSetting(f) {
				line(&b, f, from[f.Name])
			}
		})
	}
	for _, name := range files {
		if name != "" {
			u.print("# read from %s\n", name)
		}
	}
	u.print("%s", strings.TrimPrefix(b.String(), "\n"))
	return nil
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
		v = many.GetSlice()
	}
	text, err := toml.Marshal(map[string]any{f.Name: v})
	if err != nil {
		text = []byte(f.Name + ` = ""`) // a flag of a type that TOML lacks: there is none
	}
	fmt.Fprintf(b, "%-40s # %s\n", strings.TrimSpace(string(text)), from)
}

// configFile is what --config or VIEWER_CONFIG name, "" when neither does.
func configFile(c *cobra.Command) (string, error) {
	f := c.Root().PersistentFlags().Lookup("config")
	if f.Changed && f.Value.String() == "" {
		return "", usagef("--config: give a file, or %s for no file", noConfig)
	}
	return f.Value.String(), nil
}
