package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var _ pflag.Value = (*wordFlag)(nil)

// A wordFlag is a flag whose value is one of a few words.
type wordFlag struct {
	value  string
	of     []string
	former []string // accepted too, but not listed
}

func (v *wordFlag) String() string { return v.value }
func (v *wordFlag) Type() string   { return "string" }

func (v *wordFlag) Set(s string) error {
	if slices.Contains(v.of, s) || slices.Contains(v.former, s) {
		v.value = s
		return nil
	}
	return errNoWord{v.of}
}

type errNoWord struct{ of []string }

func (e errNoWord) Error() string { return "use " + or(e.of) }

// addWord adds such a flag, with its completion.
func addWord(c *cobra.Command, v *wordFlag, name, standard string, of []string, usage string) {
	v.value, v.of = standard, of
	c.Flags().Var(v, name, usage+": "+or(of))
	_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp))
}
