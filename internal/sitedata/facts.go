package sitedata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"viewer/internal/failure"
)

// FactsName is the file with the facts of the sessions of a site. In a large site it lists a file for each month, which
// lists the files with the facts.
const FactsName = "sessions.json"

// FactsVersion is the version of these lists.
const FactsVersion = 2

// Undated is the name of the month of sessions without a time.
const Undated = "undated"

// Sessions returns all sessions of the site in a folder, however many.
func Sessions(dir string) ([]Session, error) {
	f, err := readFacts(dir)
	if err != nil {
		return nil, err
	}
	return f.all()
}

// facts are the facts of the sessions of a site.
type facts struct {
	dir      string
	sessions []Session    // of a site that is not large
	months   []factsMonth // the newest first
}

// A factsMonth is a month in sessions.json of a large site.
type factsMonth struct {
	Month string `json:"month"`
	File  string `json:"file"`
}

// A factsProject is a project in the list of a month.
type factsProject struct {
	Project  string   `json:"project"`
	Sessions int      `json:"sessions"`
	Files    []string `json:"files"`
}

// readFacts reads sessions.json.
func readFacts(dir string) (facts, error) {
	f := facts{dir: dir}
	data, err := f.read(FactsName)
	if err != nil {
		return f, err
	}
	if !bytes.HasPrefix(data, []byte("{")) {
		return f, decodeFacts(FactsName, data, &f.sessions)
	}
	var root struct {
		Version int          `json:"version"`
		Months  []factsMonth `json:"months"`
	}
	if err := decodeFacts(FactsName, data, &root); err != nil {
		return f, err
	}
	if root.Version != FactsVersion {
		return f, failure.New(fmt.Errorf("reading %s: its version %d is unknown", FactsName, root.Version),
			"use the version of viewer that built the site")
	}
	f.months = root.Months
	slices.SortStableFunc(f.months, func(a, b factsMonth) int { return strings.Compare(b.Month, a.Month) })
	return f, nil
}

func (f *facts) read(name string) ([]byte, error) { return readFile(f.dir, name) }

func decodeFacts(name string, data []byte, to any) error {
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// projects returns the projects of a month of a large site.
func (f *facts) projects(m factsMonth) ([]factsProject, error) {
	data, err := f.read(m.File)
	if err != nil {
		return nil, err
	}
	var list struct {
		Projects []factsProject `json:"projects"`
	}
	return list.Projects, decodeFacts(m.File, data, &list)
}

// each reads the files with the facts of a large site, the newest first, until do is done.
func (f *facts) each(do func(name string, data []byte) (done bool, err error)) error {
	for _, m := range f.months {
		projects, err := f.projects(m)
		if err != nil {
			return err
		}
		for _, p := range projects {
			for _, name := range p.Files {
				data, err := f.read(name)
				if err != nil {
					return err
				}
				if done, err := do(name, data); done || err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// all returns all sessions, however many.
func (f *facts) all() ([]Session, error) {
	all := f.sessions
	err := f.each(func(name string, data []byte) (bool, error) {
		var some []Session
		err := decodeFacts(name, data, &some)
		all = append(all, some...)
		return false, err
	})
	return all, err
}

// IDs returns the ids of the sessions of the site in a folder, by the folders of their pages. A site without facts has
// none.
func IDs(dir string, folders []string) (map[string]string, error) {
	f, err := readFacts(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	ids := make(map[string]string)
	note := func(all []Session) {
		for i := range all {
			if folder := all[i].Folder(); slices.Contains(folders, folder) {
				ids[folder] = all[i].ID
			}
		}
	}
	note(f.sessions)
	err = f.each(func(name string, data []byte) (bool, error) {
		has := func(folder string) bool { return bytes.Contains(data, []byte("s/"+folder+"/")) }
		if !slices.ContainsFunc(folders, has) { // decoding takes most of the time
			return false, nil
		}
		var some []Session
		err := decodeFacts(name, data, &some)
		note(some)
		return len(ids) == len(folders), err
	})
	return ids, err
}

// Chosen selects the sessions to read: those of projects whose name contains a word, that began in a period. Dates are
// days, months or years, "" for no limit.
type Chosen struct{ Project, Since, Until string }

// maxChosen limits how many sessions of a large site are read for one question.
const maxChosen = 20_000

// Sessions returns the sessions of the site; for a large site, at least all that are chosen.
func (v *View) Sessions(c Chosen) ([]Session, error) {
	all := slices.Clone(v.facts.sessions)
	sessions := 0
	for _, m := range v.facts.months {
		n := len(m.Month)
		if m.Month == Undated && c.Since != "" || m.Month < c.Since[:min(n, len(c.Since))] ||
			c.Until != "" && m.Month[:min(n, len(c.Until))] > c.Until[:min(n, len(c.Until))] {
			continue
		}
		projects, err := v.facts.projects(m)
		if err != nil {
			return nil, err
		}
		for _, p := range projects {
			if !strings.Contains(strings.ToLower(p.Project), strings.ToLower(c.Project)) {
				continue
			}
			if sessions += p.Sessions; sessions > maxChosen {
				return nil, errManyChosen
			}
			for _, name := range p.Files {
				data, err := v.facts.read(name)
				if err == nil {
					var some []Session
					err = decodeFacts(name, data, &some)
					all = append(all, some...)
				}
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

var errManyChosen = errors.New("these are too many sessions to list: ask for a project or a time")

// Folder returns the folder of its pages, below s/.
func (s *Session) Folder() string { return strings.TrimPrefix(path.Dir(s.Page), "s/") }

// Named returns the session with an id or a folder, or all sessions whose ids begin with it.
func (v *View) Named(id string) ([]Session, error) {
	var found []Session
	look := func(all []Session) bool {
		for i := range all {
			switch s := &all[i]; {
			case s.ID == id || s.Folder() == id:
				found = append(found[:0], *s)
				return true
			case strings.HasPrefix(s.ID, id):
				found = append(found, *s)
			}
		}
		return false
	}
	look(v.facts.sessions)
	quoted, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	part := quoted[1 : len(quoted)-1]
	err = v.facts.each(func(name string, data []byte) (bool, error) {
		if !bytes.Contains(data, part) { // decoding takes most of the time
			return false, nil
		}
		var some []Session
		if err := decodeFacts(name, data, &some); err != nil {
			return false, err
		}
		return look(some), nil
	})
	return found, err
}

// ID returns the id of the session with a folder, if it can be found without reading much.
func (v *View) ID(folder string) (string, bool) {
	i := slices.IndexFunc(v.facts.sessions, func(s Session) bool { return s.Folder() == folder })
	if i < 0 {
		return "", false
	}
	return v.facts.sessions[i].ID, true
}
