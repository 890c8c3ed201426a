package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/failure"
	"viewer/internal/sitegen/output"
)

// The viewer.toml of a folder may have been written by anybody who works there, including agents. Until the user trusts
// its text, only settings count that change how things look or leave something out. Other settings could weaken
// redaction, name files and folders, give others access, or remove something.

// Harmless are the settings that any folder may have. A new flag is not harmless until it is listed here.
var Harmless = map[string]bool{
	// Settings for how things look and which part of them is shown.
	"at": true, "cache": true, "color": true, "every": true, "format": true, "from": true, "json": true, "level": true,
	"limit":     true,
	"no-search": true, "no-thinking": true, "no-watch": true, "poll": true, "port": true,
	"project": true, "quiet": true,
	"session": true, "since": true, "stats": true, "to": true, "turns": true, "until": true,
	"verbose": true, "watch": true,
	// Settings that make redaction and checks stricter.
	"redact-pattern": true, "strict": true,
}

// allows reports whether a file may set a setting to this value.
func (s *File) allows(name string, v value) bool {
	if !s.folder || s.trust.is == trusted {
		return true
	}
	if name == "strict" && !slices.Equal(v.words, []string{"true"}) { // the user may want it
		return false
	}
	return Harmless[name]
}

// An IgnoredSetting is a setting of a file that is not trusted.
type IgnoredSetting struct {
	file    string
	changed bool // the file was changed since it was trusted
	setting string
	words   []string
}

func (s *File) ignored(c *cobra.Command, name string, v value) IgnoredSetting {
	i := IgnoredSetting{s.Name, s.trust.is == changed, name + " = " + strings.Join(v.words, ", "), v.words}
	if _, ok := s.values[name]; !ok {
		i.setting += " of [" + Table(c) + "]"
	}
	return i
}

// String names what is ignored, and why.
func (i IgnoredSetting) String() string {
	why := "is not trusted"
	if i.changed {
		why = "has changed since it was trusted"
	}
	return i.setting + " is ignored: " + i.file + " of this folder " + why
}

// TrustWords describes whether the file is trusted.
func (s *File) TrustWords() string {
	switch {
	case !s.folder:
		return ""
	case s.trust.is == trusted:
		return ", of this folder, trusted"
	case s.trust.is == changed:
		return ", of this folder, changed since it was trusted"
	}
	return ", of this folder, not trusted"
}

// beyond lists the settings of a file that need trust.
func (s *File) beyond(root *cobra.Command) []string {
	untrusted := &File{Name: s.Name, values: s.values, folder: true}
	var all []string
	for _, c := range Commands(root) {
		Each(c, func(f *pflag.Flag) {
			if v, ok, err := untrusted.of(c, f); err == nil && ok && !untrusted.allows(f.Name, v) {
				if i := untrusted.ignored(c, f.Name, v); !slices.Contains(all, i.setting) {
					all = append(all, i.setting)
				}
			}
		})
	}
	return all
}

// A trust records whether the user trusts a text as the settings of the working directory.
type trust struct {
	is  trustState
	sum string // of the text
}

type trustState int

const (
	unknownText trustState = iota
	changed                // another text was trusted
	trusted
)

// trustName is the file with the trusted folders, in the user's configuration folder.
const trustName = "trusted.toml"

// trustedFolders are the checksums of the trusted files, by folder.
type trustedFolders struct {
	Folders map[string]string `toml:"folders"`
}

func readTrusted() (t trustedFolders, name string, err error) {
	if name, err = ownFile(trustName); err != nil {
		return t, "", err
	}
	if _, err = toml.DecodeFile(name, &t); failure.Missing(err) {
		err = nil
	}
	if err != nil {
		err = &failure.Error{
			Err:  fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			Hint: "remove the file, and trust the folders again",
		}
	}
	if t.Folders == nil {
		t.Folders = make(map[string]string)
	}
	return t, name, err
}

// thisFolder returns the working directory, with links resolved.
func thisFolder() (string, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", fmt.Errorf("finding this folder: %w", failure.Cause(err))
	}
	return dir, nil
}

// trustOf looks up a text. If that fails, it is not trusted.
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

// SetTrust trusts the file of the working directory as it is, or removes that trust. It returns the folder, and the
// settings that the file can now set besides the harmless ones.
func SetTrust(root *cobra.Command, remove bool) (dir string, allowed []string, err error) {
	all, name, err := readTrusted()
	if err != nil {
		return "", nil, err
	}
	if dir, err = thisFolder(); err != nil {
		return "", nil, err
	}
	if remove {
		delete(all.Folders, dir)
	} else {
		files, err := readFolder()
		if err != nil {
			return "", nil, err
		}
		if len(files) == 0 {
			return "", nil, failure.New(fmt.Errorf("no %s in %s", Name, dir), "go to the folder that contains it")
		}
		if err := files.Check(root); err != nil {
			return "", nil, err
		}
		all.Folders[dir] = files[0].trust.sum
		allowed = files[0].beyond(root)
	}
	data, err := toml.Marshal(all)
	if err != nil {
		return "", nil, fmt.Errorf("writing %s: %w", name, err)
	}
	about := "# The viewer.toml of these folders is trusted as long as its SHA-256 is this, see viewer help trust.\n"
	if err := output.WriteFile(name, append([]byte(about), data...)); err != nil {
		if !failure.Full(err) {
			err = failure.New(err, ownFolderHint)
		}
		return "", nil, err
	}
	return dir, allowed, nil
}
