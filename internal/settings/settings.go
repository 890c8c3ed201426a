package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/failure"
	"viewer/internal/smallfile"
)

// Settings are flags that need not be given each time. A flag that is not on the command line is taken from the
// environment, else from viewer.toml of the folder, else from the user's own, else it is the default. Lists of the two
// files are joined. A setting has the name of its flag. A setting of a command precedes one for all commands:
//
//	command line   environment           viewer.toml
//	--quiet        VIEWER_QUIET=true     quiet = true
//	build --output VIEWER_BUILD_OUTPUT   [build]
//	                                     output = "public"
//
// A command of a command has a table in that of the other, such as [archive.verify].
type Settings []*File // the first overrides the others

// A File is a viewer.toml.
type File struct {
	Name   string
	values map[string]any
	folder bool  // it is in the working directory
	trust  trust // of a file in the working directory
}

// Name is the name of files with settings: in the working directory, and in the user's configuration folder.
const Name = "viewer.toml"

// None is the name that means no file at all.
const None = "none"

// maxConfig is the maximum size of such a file in bytes, because anybody may have written it.
const maxConfig = 1 << 20

// Read finds and reads the files. named is the file that --config or VIEWER_CONFIG names, which is then the
// only one. With untrusted the file of the working directory is not read.
func Read(named string, untrusted bool) (Settings, error) {
	switch named {
	case None:
		return nil, nil
	case "":
	default:
		f, _, err := readConfig(named)
		if err != nil {
			return nil, err
		}
		return Settings{f}, nil
	}
	var s Settings
	own, err := ownFile(Name)
	if err != nil {
		own = ""
	}
	if !untrusted && !sameFile(Name, own) {
		f, err := readFolder()
		if err != nil {
			return nil, err
		}
		s = append(s, f...)
	}
	if own == "" {
		return s, nil
	}
	f, _, err := readConfig(own)
	switch {
	case failure.Missing(err):
		return s, nil
	case errors.Is(err, fs.ErrPermission):
		// It may make redaction stricter, so it is not skipped.
		const hint = "HOME may be that of another user: set it, or use --config none"
		return nil, failure.Usage{Err: failure.New(err, hint)}
	case err != nil:
		return nil, err
	}
	return append(s, f), nil
}

// WithoutFolder returns the settings without those of the working directory.
func (s Settings) WithoutFolder() Settings {
	return slices.DeleteFunc(slices.Clone(s), func(f *File) bool { return f.folder })
}

// ownFile returns the path of a file in the user's configuration folder.
func ownFile(name string) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", failure.New(fmt.Errorf("finding your folder for configuration: %w", err),
			ownFolderHint)
	}
	return filepath.Join(dir, "viewer", name), nil
}

const ownFolderHint = "set HOME, or XDG_CONFIG_HOME, to a folder that can be written to"

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// readFolder reads the file of the working directory, if there is one, and looks up whether its text is trusted.
func readFolder() (Settings, error) {
	info, err := os.Stat(Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, failure.Usagef("reading %s: %v", Name, failure.ErrIrregular)
	case err == nil && info.Size() > maxConfig:
		return nil, failure.Usagef("reading %s: it is longer than %d MB", Name, maxConfig>>20)
	}
	f, data, err := readConfig(Name)
	if err != nil {
		return nil, err
	}
	f.folder, f.trust = true, trustOf(data)
	return Settings{f}, nil
}

// readConfig reads a file. It also returns its text.
func readConfig(name string) (*File, []byte, error) {
	f := &File{Name: name}
	data, err := smallfile.Read(name)
	if failure.Exhausted(err) {
		return nil, nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)), "")
	}
	if err != nil {
		return nil, nil, failure.Usagef("reading %s: %w", name, failure.Cause(err))
	}
	var syntax toml.ParseError
	if _, err := toml.Decode(string(data), &f.values); errors.As(err, &syntax) {
		return nil, nil, failure.Usagef("%s:%d: %s", name, syntax.Position.Line, syntax.Message)
	} else if err != nil {
		return nil, nil, failure.Usagef("reading %s: %w", name, err)
	}
	return f, data, nil
}

// unset are flags that are not settings.
var unset = []string{"help", "config", "remove", "no-descriptions"}

// IsSetting reports whether a flag of a command can be set in a file or in the environment.
func IsSetting(f *pflag.Flag) bool { return !slices.Contains(unset, f.Name) }

// Check reports settings that no command has, so that typing errors are noticed.
func (s Settings) Check(root *cobra.Command) error {
	for _, f := range s {
		if err := f.check(root); err != nil {
			return err
		}
	}
	return nil
}

func (s *File) check(root *cobra.Command) error {
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		table, isTable := s.values[name].(map[string]any)
		if !isTable {
			if !anyFlag(root, name) {
				return failure.Usage{
					Err:  fmt.Errorf("%s: unknown setting %s", s.Name, name),
					Near: Nearest(name, settingNames(Commands(root)...)),
				}
			}
			continue
		}
		c := CommandOf(root, name)
		if c == nil {
			return failure.Usage{
				Err: fmt.Errorf("%s: unknown command %s", s.Name, name), Near: Nearest(name, CommandNames(root)),
			}
		}
		if err := s.checkTable(c, table); err != nil {
			return err
		}
	}
	return nil
}

// checkTable checks the table of a command.
func (s *File) checkTable(c *cobra.Command, table map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		inner := CommandOf(c, name)
		if innerTable, ok := table[name].(map[string]any); ok && inner != nil {
			if err := s.checkTable(inner, innerTable); err != nil {
				return err
			}
			continue
		}
		if f := flagOf(c, name); f == nil || !IsSetting(f) {
			return failure.Usage{
				Err:  fmt.Errorf("%s: unknown setting %s of %s", s.Name, name, c.CommandPath()),
				Near: Nearest(name, settingNames(c)),
			}
		}
	}
	return nil
}

// Commands returns the commands below another one, each before its own commands.
func Commands(parent *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range parent.Commands() {
		all = append(append(all, c), Commands(c)...)
	}
	return all
}

// Table returns the name of the table of a command in a file, such as "archive.verify".
func Table(c *cobra.Command) string { return strings.Join(path(c), ".") }

// path returns the names that call a command.
func path(c *cobra.Command) []string {
	if !c.HasParent() {
		return nil
	}
	return append(path(c.Parent()), c.Name())
}

// settingNames returns the settings of commands.
func settingNames(commands ...*cobra.Command) []string {
	var names []string
	for _, c := range commands {
		Each(c, func(f *pflag.Flag) { names = append(names, f.Name) })
	}
	return names
}

func CommandOf(root *cobra.Command, name string) *cobra.Command {
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
	for _, c := range Commands(root) {
		if f := flagOf(c, name); f != nil && IsSetting(f) {
			return true
		}
	}
	return false
}

// Origins of values besides environment and files.
const (
	ByDefault     = "default"
	ByCommandLine = "command line"
)

// A value is the value of a setting, and its origin.
type value struct {
	words []string // one word, or the elements of a list
	list  bool
	from  string
}

// of returns the value of a flag in the environment and the files. ok is false if it has none. It also returns ignored
// settings of the folder's file.
func (s Settings) of(c *cobra.Command, f *pflag.Flag) (v value, ok bool, ignored []IgnoredSetting, err error) {
	for _, name := range variables(c, f) {
		if text := os.Getenv(name); text != "" {
			return value{words: []string{text}, from: name}, true, nil, nil
		}
	}
	_, many := f.Value.(pflag.SliceValue)
	var candidates []IgnoredSetting
	for _, file := range s {
		one, set, err := file.of(c, f)
		switch {
		case err != nil:
			return v, false, nil, err
		case !set:
			continue
		case !file.allows(f.Name, one):
			candidates = append(candidates, file.ignored(c, f.Name, one))
			continue
		case !ok:
			v, ok = one, true
		default: // a list of the folder adds to the user's own
			v = value{joined(one.words, v.words), true, one.from + ", " + v.from}
		}
		if !many {
			break
		}
	}
	for _, i := range candidates { // settings that change nothing are not mentioned
		if same := ok && slices.Equal(i.words, v.words); !same &&
			(ok || strings.Join(i.words, ",") != plainDefault(f)) {
			ignored = append(ignored, i)
		}
	}
	return v, ok, ignored, nil
}

// joined returns the elements of two lists, without duplicates.
func joined(a, b []string) []string {
	all := slices.Clone(a)
	for _, word := range b {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// plainDefault returns the default of a flag as it would be in a file.
func plainDefault(f *pflag.Flag) string {
	if _, many := f.Value.(pflag.SliceValue); many {
		return strings.Trim(f.DefValue, "[]")
	}
	return f.DefValue
}

// of returns the value of a flag in the file.
func (s *File) of(c *cobra.Command, f *pflag.Flag) (v value, ok bool, err error) {
	table := s.values
	for _, name := range path(c) {
		table, _ = table[name].(map[string]any)
	}
	for _, place := range []map[string]any{table, s.values} {
		if found, set := place[f.Name]; set {
			if _, isTable := found.(map[string]any); isTable && CommandOf(c.Root(), f.Name) != nil {
				continue // a table for a command with the name of the flag
			}
			v, err := newValue(found)
			if err != nil {
				return v, false, failure.Usagef("%s: %s: %w", s.Name, f.Name, err)
			}
			v.from = s.Name
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
				return v, errors.New("must be a list of texts")
			}
			v.words = append(v.words, inner.words...)
		}
		return v, nil
	case map[string]any:
		return value{}, errors.New("must be a value, not a table")
	}
	return value{words: []string{fmt.Sprint(found)}}, nil
}

// A filled has the origin of the value of each flag, by name, and the ignored settings.
type filled struct {
	From    map[string]string
	Ignored []IgnoredSetting
}

// Fill sets the flags that are not on the command line.
func (s Settings) Fill(c *cobra.Command) (filled, error) {
	all := filled{From: make(map[string]string)}
	var failed error
	Each(c, func(f *pflag.Flag) {
		all.From[f.Name] = ByDefault
		if f.Changed {
			all.From[f.Name] = ByCommandLine
			return
		}
		v, ok, ignored, err := s.of(c, f)
		all.Ignored = append(all.Ignored, ignored...)
		if err == nil && ok {
			if err = set(f, v); err != nil {
				err = failure.Usagef("%s: %s: %w", v.from, f.Name, err)
			}
			all.From[f.Name] = v.from
		}
		failed = errors.Join(failed, err)
	})
	if failed != nil {
		return filled{}, failure.Usage{Err: failed}
	}
	return all, nil
}

// Each calls do with the flags of a command that are settings, sorted by name, the global ones last.
func Each(c *cobra.Command, do func(*pflag.Flag)) {
	one := func(f *pflag.Flag) {
		if IsSetting(f) {
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
		return errors.New("must be one value, not a list")
	}
	if v.words[0] == f.DefValue {
		return nil // also if the default cannot be given, such as an empty format
	}
	f.Changed = true
	return InvalidValue(f, f.Value.Set(v.words[0]))
}

// InvalidValue says what a flag takes, if err is the error about its value by a package for which a value is text.
func InvalidValue(f *pflag.Flag, err error) error {
	if err != nil {
		switch f.Value.Type() {
		case "bool":
			return errors.New("use true or false")
		case "int":
			return errors.New("use a whole number")
		case "float64":
			return errors.New("use a number")
		case "duration":
			return errors.New("use a number and a unit, such as 30s or 5m")
		}
	}
	return err
}
