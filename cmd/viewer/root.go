package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/failure"
	"viewer/internal/settings"
)

func newRoot(u *ui) *cobra.Command {
	asked := false // for the version
	root := &cobra.Command{
		Use:   "viewer",
		Short: "Read sessions of coding agents in a browser",
		Long: `viewer turns session logs of coding agents into a static site that opens with a
double click: prompts, answers, and every tool call with its hooks and its result.
Every line of a log is shown, hidden by a named rule, or listed as a problem.

Exit codes: 0 for success, 1 for a failure, 2 for a mistake in the command line or
the settings, 3 if --strict or --fail-on found what it looks for, and 130 after an
interrupt. Results go to standard output, messages to standard error.`,
		Example: `  viewer build                              all your sessions, into site/
  viewer build ~/.claude/projects -o site   the sessions of one folder
  viewer build session.jsonl -o out         one session`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if asked {
				u.print("%s", versionLine())
				return nil
			}
			return c.Help()
		},
	}
	root.SetOut(u.out)
	root.SetErr(u.err)
	root.SetFlagErrorFunc(flagError)
	root.Flags().BoolVar(&asked, "version", false, "print the version, with its commit and date")
	root.PersistentFlags().BoolVarP(&u.quiet, "quiet", "q", false, "print only errors and warnings")
	root.PersistentFlags().BoolVarP(&u.verbose, "verbose", "v", false,
		"print more: settings, files that are read and written, every problem")
	root.PersistentFlags().Var(&u.color, "color", "use colours: "+or(u.color.of))
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(u.color.of, cobra.ShellCompDirectiveNoFileComp))
	root.PersistentFlags().String("config", os.Getenv("VIEWER_CONFIG"),
		"read settings from `FILE`, none for no file (default viewer.toml, see viewer config)")
	root.PersistentFlags().Lookup("config").DefValue = ""
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := checkEmpty(c); err != nil {
			return err
		}
		return u.applySettings(c)
	}
	root.AddCommand(newBuild(u), newPlan(u), newMerge(u), newWatch(u), newServe(u), newCheck(u), newExport(u),
		newList(u), newShow(u), newDiff(u), newBlame(u), newOpen(u), newSearch(u), newReport(u), newCompare(u),
		newStats(u), newMCP(u), newArchive(u), newPublish(u),
		newConfig(u), newTrust(u), newVersion(u), newLicenses(u))
	root.InitDefaultHelpCmd()
	help := settings.CommandOf(root, "help")
	help.Run, help.RunE = nil, showHelp
	root.InitDefaultCompletionCmd()
	scripts := settings.CommandOf(root, "completion")
	scripts.Args, scripts.RunE = noCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, c := range scripts.Commands() {
		c.Args = noArgs
	}
	return root
}

// noCommand returns an error for words that are not the name of a command.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	return nil
}

// showHelp prints the help of the command that the words name.
func showHelp(c *cobra.Command, args []string) error {
	about := c.Root()
	for _, name := range args {
		inner := settings.CommandOf(about, name)
		if inner == nil {
			return unknownCommand(about, name)
		}
		about = inner
	}
	about.InitDefaultHelpFlag()
	return about.Help()
}

// mayBeEmpty are the flags whose empty value means none, or about which their commands say more.
var mayBeEmpty = []string{"summary", "base-url", "fail-on", "site", "config"}

// checkEmpty returns an error for a flag with an empty value on the command line, such as that of a variable that is
// not set. Without a password, an end or a list of secrets, more would be written than the user wants to show.
func checkEmpty(c *cobra.Command) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values := many.GetSlice()
			empty = len(values) == 0 || slices.Contains(values, "")
		}
		if !empty || slices.Contains(mayBeEmpty, f.Name) || f.Name == "output" && f.DefValue != "" {
			return
		}
		err = failure.Usage{Err: failure.New(fmt.Errorf("--%s is empty", f.Name),
			"a variable in the command line may be unset; leave out the flag if it has no value")}
	})
	return err
}

// applySettings sets flags from the settings before a command runs.
func (u *ui) applySettings(c *cobra.Command) error {
	if c.HasParent() && c.Parent().Name() == "completion" || c.Name() == "config" || c.Name() == "trust" ||
		c.Name() == "help" || c.Name() == cobra.ShellCompRequestCmd {
		return nil // completion scripts, and commands that must work with an invalid file
	}
	named, err := configFile(c)
	if err != nil {
		return err
	}
	s, err := settings.Read(named, readsUntrusted[c.Name()])
	if err == nil {
		err = s.Check(c.Root())
	}
	if err != nil {
		return err
	}
	filled, err := s.Fill(c)
	if err != nil {
		return err
	}
	u.from = filled.From
	if u.quiet && u.verbose {
		return usagef("--quiet and --verbose cannot be combined")
	}
	u.warnIgnored(filled.Ignored)
	for _, m := range settings.MisspelledIn(os.Environ(), c.Root()) {
		u.warn("the environment variable %s is ignored: there is no such setting", m.Name)
		u.hint("did you mean %s?", m.Meant)
	}
	u.bare(c)
	for _, f := range s {
		u.detail("settings of %s", f.Name)
	}
	settings.Each(c, func(f *pflag.Flag) {
		if place := u.from[f.Name]; place != settings.ByDefault && place != settings.ByCommandLine {
			u.detail("%s = %s, of %s", f.Name, f.Value, place)
		}
	})
	return nil
}

// warnIgnored warns about ignored settings of the folder.
func (u *ui) warnIgnored(all []settings.IgnoredSetting) {
	for _, i := range all {
		u.warn("%s", i)
	}
	if len(all) > 0 {
		u.hint("read it; viewer trust lets it set everything")
	}
}

// bare warns that a command shows text without redaction.
func (u *ui) bare(c *cobra.Command) {
	f := c.Flags().Lookup("no-redact")
	if f == nil || f.Value.String() != "true" {
		return
	}
	why := "--no-redact"
	if place := u.from[f.Name]; place != settings.ByCommandLine {
		why = "no-redact of " + place
	}
	u.warn("redaction is off (%s): secrets and personal data are kept", why)
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return failure.Usage{Err: fmt.Errorf("%s takes no arguments", c.CommandPath())}
	}
	return nil
}
