package main

import (
	"crypto/sha256"
	"encoding/hex"
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

	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
)

// Anybody who works in a folder, an agent too, may have written its viewer.toml. So it says only
// how things look and what is left out, until the user trusts it as it is: anything else weakens redaction,
// names files and folders, opens something to others or removes something.

// harmless are the settings that any folder may have. A new flag is not harmless until it is listed here.
var harmless = map[string]bool{
	// How things look and which part of them is shown.
	"at": true, "cache": true, "color": true, "every": true, "format": true, "from": true, "json": true, "level": true,
	"limit":     true,
	"no-search": true, "no-thinking": true, "no-watch": true, "poll": true, "port": true,
	"project": true, "quiet": true,
	"session": true, "since": true, "stats": true, "to": true, "turns": true, "until": true,
	"verbose": true, "watch": true,
	// What makes redaction and checks stricter.
	"redact-pattern": true, "strict": true,
}

// allows reports whether a file may say so of a setting.
func (s *settingsFile) allows(name string, v value) bool {
	if !s.folder || s.trust.is == trusted {
		return true
	}
	if name == "strict" && !slices.Equal(v.words, []string{"true"}) { // the user may want it
		return false
	}
	return harmless[name]
}

// An ignoredSetting is one of a file that is not trusted.
type ignoredSetting struct {
	file    string
	changed bool // since it was trusted
	setting string
	words   []string
}

func (s *settingsFile) ignored(c *cobra.Command, name string, v value) ignoredSetting {
	i := ignoredSetting{s.name, s.trust.is == changed, name + " = " + strings.Join(v.words, ", "), v.words}
	if _, ok := s.values[name]; !ok {
		i.setting += " of [" + c.Name() + "]"
	}
	return i
}

// String says what is ignored and why.
func (i ignoredSetting) String() string {
	why := "is not trusted"
	if i.changed {
		why = "has changed since it was trusted"
	}
	return i.setting + " is ignored: " + i.file + " of this folder " + why
}

// beyond are the settings of a file that it needs trust for, a list for each command that has its own.
func (s *settingsFile) beyond(root *cobra.Command) []string {
	doubted := &settingsFile{name: s.name, values: s.values, folder: true}
	var all []string
	for _, c := range root.Commands() {
		each(c, func(f *pflag.Flag) {
			if v, ok, err := doubted.of(c, f); err == nil && ok && !doubted.allows(f.Name, v) {
				if i := doubted.ignored(c, f.Name, v); !slices.Contains(all, i.setting) {
					all = append(all, i.setting)
				}
			}
		})
	}
	return all
}

// trust says whether the user trusts a text as the settings of the folder that the program runs in.
type trust struct {
	is  standing
	sum string // of the text
}

type standing int

const (
	unknownText standing = iota
	changed              // another text was trusted
	trusted
)

// trustName is the file that remembers, in the user's folder for configuration.
const trustName = "trusted.toml"

// trustedFolders are the sums of the files that are trusted, by folder.
type trustedFolders struct {
	Folders map[string]string `toml:"folders"`
}

func readTrusted() (t trustedFolders, name string, err error) {
	if name, err = ownFile(trustName); err != nil {
		return t, "", err
	}
	if _, err = toml.DecodeFile(name, &t); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		err = &sitegen.Error{
			Err:  fmt.Errorf("reading %s: %w", name, sitegen.Cause(err)),
			Hint: "remove the file, and trust the folders again",
		}
	}
	if t.Folders == nil {
		t.Folders = make(map[string]string)
	}
	return t, name, err
}

// thisFolder is the folder that the program runs in, without links.
func thisFolder() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", fmt.Errorf("finding this folder: %w", sitegen.Cause(err))
	}
	return dir, nil
}

// trustOf looks a text up. What cannot be looked up is not trusted.
func trustOf(data []byte) trust {
	sum := sha256.Sum256(data)
	t := trust{sum: hex.EncodeToString(sum[:])}
	all, _, err := readTrusted()
	if err != nil {
		return t
	}
	dir, err := thisFolder()
	if err != nil {
		return t
	}
	switch known := all.Folders[dir]; known {
	case "":
	case t.sum:
		t.is = trusted
	default:
		t.is = changed
	}
	return t
}

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
	all, name, err := readTrusted()
	if err != nil {
		return err
	}
	dir, err := thisFolder()
	if err != nil {
		return err
	}
	var allowed []string
	if remove {
		delete(all.Folders, dir)
	} else {
		files, err := readFolder()
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return &sitegen.Error{
				Err: fmt.Errorf("no %s in %s", configName, dir), Hint: "go to the folder that holds it",
			}
		}
		if err := files.check(root); err != nil {
			return err
		}
		all.Folders[dir] = files[0].trust.sum
		allowed = files[0].beyond(root)
	}
	data, err := toml.Marshal(all)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	about := "# The viewer.toml of these folders is trusted as long as its SHA-256 is this, see viewer help trust.\n"
	if err := output.WriteFile(name, append([]byte(about), data...)); err != nil {
		return err
	}
	if remove {
		u.line("%s of %s is not trusted", configName, dir)
	} else {
		u.line("%s of %s is trusted until it changes", configName, dir)
		for _, setting := range allowed {
			u.line("it may set %s", setting)
		}
	}
	return nil
}
