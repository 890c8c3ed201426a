package runs

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/compare"
	"viewer/internal/failure"
	"viewer/internal/smallfile"
	"viewer/internal/storage"
)

// verdictFiles are the verdicts on runs, from files among them and from named files.
type verdictFiles struct {
	named  []compare.Verdict            // from named files
	among  []compare.Verdict            // from files among the runs, about runs elsewhere
	beside map[string][]compare.Verdict // by folder, about the runs in it
}

// Limits of the search for verdicts.
const (
	largestVerdicts   = 16 << 20 // of a file, in bytes
	maxVerdictFiles   = 20_000
	deepestRunFolders = 12
)

// findVerdicts reads the named files, and result.json, report.json, XML and reports of SWE-bench among the runs.
func findVerdicts(sources, files []string) (*verdictFiles, error) {
	v := &verdictFiles{beside: make(map[string][]compare.Verdict)}
	for _, name := range files {
		data, err := smallfile.Read(name)
		if err != nil {
			return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
				"--verdicts takes files: lines of a name and an exit code, JUnit XML, reports of Harbor and SWE-bench")
		}
		all, err := compare.ParseVerdicts(filepath.ToSlash(name), data)
		if err != nil {
			return nil, failure.New(fmt.Errorf("reading %s: %w", name, err),
				"lines look like: fix-tides/opus 0")
		}
		v.named = append(v.named, all...)
	}
	for _, source := range sources {
		if info, err := os.Stat(source); err != nil || !info.IsDir() || storage.IsAddress(source) {
			continue
		}
		if err := v.walk(absolutePath(source)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// walk reads the files of verdicts in a folder and its subfolders. Unreadable ones are left out, since nobody named
// them.
func (v *verdictFiles) walk(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return failure.New(fmt.Errorf("reading %s: %w", folder, failure.Cause(err)),
			"check that the folder can be read")
	}
	defer root.Close()
	left := maxVerdictFiles
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && strings.Count(name, "/") > deepestRunFolders:
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || !mayHoldVerdicts(name):
			return nil
		case left == 0:
			return fs.SkipAll
		}
		left--
		info, err := d.Info()
		if err != nil || info.Size() > largestVerdicts {
			return nil
		}
		data, err := root.ReadFile(name)
		if err != nil || path.Dir(name) == "." && isOther(name, data) {
			return nil
		}
		all, err := compare.ParseVerdicts(name, data)
		if err != nil {
			return nil // of another program
		}
		v.add(path.Join(filepath.ToSlash(folder), path.Dir(name)), name, all)
		return nil
	})
}

// mayHoldVerdicts reports whether the name of a file is one of files with verdicts.
func mayHoldVerdicts(name string) bool {
	base := path.Base(name)
	return base == "result.json" || base == "report.json" || path.Ext(base) == ".xml" ||
		path.Ext(base) == ".json" && !strings.Contains(name, "/")
}

// isOther reports whether a JSON file at the top of a source is not a report of SWE-bench.
func isOther(name string, data []byte) bool {
	base := path.Base(name)
	return path.Ext(base) == ".json" && base != "result.json" && base != "report.json" &&
		!bytes.Contains(data, []byte(`"resolved_ids"`))
}

// add adds verdicts: those about one run to its folder, those about many to all.
func (v *verdictFiles) add(folder, name string, all []compare.Verdict) {
	for _, one := range all {
		if one.Of == "" || len(all) == 1 && path.Base(name) == "report.json" {
			v.beside[folder] = append(v.beside[folder], one)
		}
		if one.Of != "" {
			v.among = append(v.among, one)
		}
	}
}

// of sets the task and the verdict of a run.
func (v *verdictFiles) of(r *compare.Run) {
	var near *compare.Verdict
	for dir := path.Dir(r.Path); near == nil; dir = path.Dir(dir) {
		if all := v.beside[dir]; len(all) > 0 {
			at := slices.IndexFunc(all, func(one compare.Verdict) bool { return one.Task != "" })
			near = &all[max(at, 0)]
			if r.Task = near.Task; near.Source == "Harbor" {
				r.Trial = dir
				if r.Task == "" {
					r.Task, _, _ = strings.Cut(path.Base(dir), "__")
				}
			}
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	if r.Verdict = compare.Find(v.named, r); r.Verdict == nil {
		if r.Verdict = near; near == nil {
			r.Verdict = compare.Find(v.among, r)
		}
	}
	if r.Task == "" && r.Verdict != nil {
		r.Task = r.Verdict.Task
	}
}
