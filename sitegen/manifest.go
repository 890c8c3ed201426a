package sitegen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// stateDir holds what the next build wants to know. No page needs it: CI
// artifacts leave out names that start with a dot.
const stateDir = ".viewer"

const manifestName = stateDir + "/manifest.json"

// A manifest lists the files of a site, so that the next build removes those
// that it no longer makes, and nothing else.
type manifest struct {
	Version string   `json:"version"`
	Files   []string `json:"files"`
}

// readManifest returns the manifest of a site and whether the folder is one: a
// build that was stopped leaves its lock and no manifest.
func readManifest(dir string) (manifest, bool) {
	var m manifest
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(manifestName)))
	if err != nil {
		_, err := os.Stat(filepath.Join(dir, stateDir, lockName))
		return m, err == nil
	}
	// One that cannot be read still says that the folder is ours.
	_ = json.Unmarshal(data, &m)
	return m, true
}

// prepare makes sure that the output folder may be written to: it is new, or
// empty, or a site of ours.
func prepare(dir string, force bool) (old manifest, err error) {
	old, ours := readManifest(dir)
	if ours || force {
		return old, nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return old, nil
	case err != nil:
		return old, &Error{fmt.Errorf("reading %s: %w", dir, cause(err)), "use -o to choose another folder"}
	case len(entries) == 0:
		return old, nil
	}
	return old, &Error{fmt.Errorf("%s holds files that are not of a site made here", dir), "use -o to choose another folder, or --force to build into this one"}
}

// finish writes the manifest and removes what the last one lists and this
// build did not make.
func (o *output) finish(version string, old manifest) error {
	for _, name := range old.Files {
		if o.made[name] || !inside(name) {
			continue
		}
		full := filepath.Join(o.dir, filepath.FromSlash(name))
		if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", full, cause(err))
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if os.Remove(filepath.Join(o.dir, filepath.FromSlash(dir))) != nil {
				break // not empty
			}
		}
	}
	m := manifest{Version: version, Files: slices.Sorted(maps.Keys(o.made))}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return o.replace(manifestName, data)
}

// inside guards against a manifest that somebody edited.
func inside(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.Contains(name, `\`)
}
