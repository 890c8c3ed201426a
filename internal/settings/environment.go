package settings

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// prefix begins the names of variables that are settings.
const prefix = "VIEWER_"

// otherVariables are names behind the prefix that are no typing errors: those of the program, and one that scripts use
// for the version to install.
var otherVariables = []string{"config", "pager", "version"}

// variables returns the names of the variables that set a flag of a command, the one that precedes first.
func variables(c *cobra.Command, f *pflag.Flag) []string {
	return []string{variable(strings.Join(path(c), "-") + "-" + f.Name), variable(f.Name)}
}

func variable(name string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// A Misspelled is a variable that is probably meant as a setting.
type Misspelled struct{ Name, Meant string }

// MisspelledIn returns the variables of an environment that have the prefix and almost the name of a setting. Others
// may be those of other programs.
func MisspelledIn(environment []string, root *cobra.Command) []Misspelled {
	var all []Misspelled
	var names []string // see settable
	for _, assignment := range environment {
		name, value, _ := strings.Cut(assignment, "=")
		word, ok := strings.CutPrefix(name, prefix)
		if !ok || value == "" {
			continue
		}
		if names == nil {
			names = settable(root)
		}
		word = strings.ToLower(strings.ReplaceAll(word, "_", "-"))
		if slices.Contains(names, word) {
			continue
		}
		if near := Nearest(word, names); near != "" {
			all = append(all, Misspelled{name, variable(near)})
		}
	}
	return all
}

// settable returns the names that no typing error has.
func settable(root *cobra.Command) []string {
	names := slices.Clone(otherVariables)
	for _, c := range Commands(root) {
		names = append(names, c.Name())
		Each(c, func(f *pflag.Flag) {
			names = append(names, f.Name, strings.Join(path(c), "-")+"-"+f.Name)
		})
	}
	return names
}
