package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/sitegen"
)

// Settings are flags that need not be given each time. What the command line
// leaves open is taken from the environment, then from viewer.toml, then it is
// the default. A setting has the name of its flag; one of a command stands
// before one for all:
//
//	command line   environment           viewer.toml
//	--quiet        VIEWER_QUIET=true     quiet = true
//	build --output VIEWER_BUILD_OUTPUT   [build]
//	                                     output = "public"
type settings struct {
	file   string // that was read, "" for none
	values map[string]any
}

// configName is the file that settings are looked for in: in the folder that
// the program runs in, then in the user's own for configuration.
const configName = "viewer.toml"

// noConfig is the name that stands for no file at all.
const noConfig = "none"

// readSettings finds and reads the file. named is what --config or
// VIEWER_CONFIG say; untrusted keeps out the folder that the program runs in.
func readSettings(named string, untrusted bool) (settings, error) {
	if named == noConfig {
		return settings{}, nil
	}
	candidates := []string{named}
	if named == "" {
		candidates = nil
		if !untrusted {
			candidates = append(candidates, configName)
		}
		if dir, err := os.UserConfigDir(); err == nil {
			candidates = append(candidates, filepath.Join(dir, "viewer", configName))
		}
	}
	for _, name := range candidates {
		s := settings{file: name}
		_, err := toml.DecodeFile(name, &s.values)
		var syntax toml.ParseError
		switch {
		case err == nil:
			return s, nil
		case errors.Is(err, fs.ErrNotExist) && named == "":
		case errors.As(err, &syntax):
			return settings{}, usagef("%s:%d: %s", name, syntax.Position.Line, syntax.Message)
		default:
			return settings{}, usagef("reading %s: %w", name, sitegen.Cause(err))
		}
	}
	return settings{}, nil
}

// unset are flags that are no settings.
var unset = []string{"help", "config"}

// isSetting says whether a flag of a command can be set once for all.
func isSetting(f *pflag.Flag) bool { return !slices.Contains(unset, f.Name) }

// check says what in the file is no setting of any command: a slip of the pen
// would else go unnoticed.
func (s settings) check(root *cobra.Command) error {
	for name, value := range s.values {
		table, isTable := value.(map[string]any)
		if !isTable {
			if !anyFlag(root, name) {
				return usagef("%s: there is no setting %s", s.file, name)
			}
			continue
		}
		c := commandOf(root, name)
		if c == nil {
			return usagef("%s: unknown command %s", s.file, name)
		}
		for inner := range table {
			if f := flagOf(c, inner); f == nil || !isSetting(f) {
				return usagef("%s: viewer %s has no setting %s", s.file, name, inner)
			}
		}
	}
	return nil
}

func commandOf(root *cobra.Command, name string) *cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// flagOf finds a flag of a command, or one that all have.
func flagOf(c *cobra.Command, name string) *pflag.Flag {
	if f := c.Flags().Lookup(name); f != nil {
		return f
	}
	return c.InheritedFlags().Lookup(name)
}

func anyFlag(root *cobra.Command, name string) bool {
	for _, c := range root.Commands() {
		if f := flagOf(c, name); f != nil && isSetting(f) {
			return true
		}
	}
	return false
}

// Where values are from that neither environment nor file say.
const (
	byDefault = "default"
	byHand    = "command line"
)

// A value is what a setting says, and where it says so.
type value struct {
	words []string // one, or those of a list
	list  bool
	from  string
}

// of is what environment and file say of a flag, ok when they do.
func (s settings) of(c *cobra.Command, f *pflag.Flag) (v value, ok bool, err error) {
	upper := func(s string) string { return strings.ToUpper(strings.ReplaceAll(s, "-", "_")) }
	for _, name := range []string{"VIEWER_" + upper(c.Name()) + "_" + upper(f.Name), "VIEWER_" + upper(f.Name)} {
		if text := os.Getenv(name); text != "" {
			return value{words: []string{text}, from: name}, true, nil
		}
	}
	table, _ := s.values[c.Name()].(map[string]any)
	for _, place := range []map[string]any{table, s.values} {
		if found, set := place[f.Name]; set {
			v, err := newValue(found)
			if err != nil {
				return v, false, usagef("%s: %s: %w", s.file, f.Name, err)
			}
			v.from = s.file
			return v, true, nil
		}
	}
	return value{}, false, nil
}

func newValue(found any) (value, error) {
	switch found := found.(type) {
	case []any:
		v := value{list: true}
		for _, one := range found {
			inner, err := newValue(one)
			if err != nil || inner.list {
				return v, errors.New("want a list of texts")
			}
			v.words = append(v.words, inner.words...)
		}
		return v, nil
	case map[string]any:
		return value{}, errors.New("want a value, got a table")
	}
	return value{words: []string{fmt.Sprint(found)}}, nil
}

// fill sets the flags that the command line left open. It returns where each
// value is from, by the name of the flag.
func (s settings) fill(c *cobra.Command) (map[string]string, error) {
	from := make(map[string]string)
	var failed error
	each(c, func(f *pflag.Flag) {
		from[f.Name] = byDefault
		if f.Changed {
			from[f.Name] = byHand
			return
		}
		v, ok, err := s.of(c, f)
		if err == nil && ok {
			if err = set(f, v); err != nil {
				err = usagef("%s: %s: %w", v.from, f.Name, err)
			}
			from[f.Name] = v.from
		}
		failed = errors.Join(failed, err)
	})
	if failed != nil {
		return nil, usageError{failed}
	}
	return from, nil
}

// each calls do with the flags of a command that are settings, in the order of
// their names, those that all commands have last.
func each(c *cobra.Command, do func(*pflag.Flag)) {
	one := func(f *pflag.Flag) {
		if isSetting(f) {
			do(f)
		}
	}
	c.LocalNonPersistentFlags().VisitAll(one)
	c.InheritedFlags().VisitAll(one)
}

func set(f *pflag.Flag, v value) error {
	if many, ok := f.Value.(pflag.SliceValue); ok {
		f.Changed = true
		return many.Replace(v.words)
	}
	if v.list {
		return errors.New("want one value, got a list")
	}
	if v.words[0] == f.DefValue {
		return nil // also where that is no value that may be given, such as no format
	}
	f.Changed = true
	return f.Value.Set(v.words[0])
}
