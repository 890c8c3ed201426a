package sitegen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/export"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/smallfile"
	"viewer/normalize"
)

// Open reads one session without its agents, which are separate conversations. The name is a file, or an id or a prefix
// of one in a source.
func Open(ctx context.Context, o Options, name string) (*normalize.Conversation, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	f, v, err := locate(ctx, o, name)
	if err != nil {
		return nil, err
	}
	defer v.close()
	s := v.sessionOf(f)
	main, _, err := o.readMain(s)
	if err != nil {
		return nil, err
	}
	id := main.redactor.Text(s.id)
	return normalize.Build(normalize.Input{ID: id, Main: main.file, Personal: o.Personal}), nil
}

// sessionOf returns the session of a main file.
func (v *survey) sessionOf(f file) *session {
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if s.main == f {
				return s
			}
		}
	}
	return &session{id: f.stem(), writer: f.source.SourceList().Of(f.source.Head(f.path)), main: f}
}

// Locate returns the path of a session. The name is a file, or an id or a prefix of one in a source.
func Locate(ctx context.Context, o Options, name string) (string, error) {
	f, v, err := locate(ctx, o, name)
	if err != nil {
		return "", err
	}
	defer v.close()
	if f.source.Bucket != nil {
		return f.absolute(), nil
	}
	return filepath.Join(f.source.Folder(), filepath.FromSlash(f.path)), nil
}

// locate finds the file of a session. The file can be read until the survey is closed.
func locate(ctx context.Context, o Options, name string) (f file, v *survey, err error) {
	if name == "" {
		return file{}, nil, failure.Usage{Err: failure.New(errors.New("the name of the session is empty"),
			"a variable in the command line may be unset; give a file, an id or the beginning of one")}
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return file{}, nil, failure.New(fmt.Errorf("%s is a folder", name),
			"give one session: its file, its id or the beginning of that")
	}
	if _, _, ok := input.SplitPart(name); ok || err == nil {
		o.Sources = []string{name}
		v, err := findSessions(ctx, o)
		if err != nil {
			return file{}, nil, err
		}
		if f, err = v.given(name); err != nil {
			v.close()
			return file{}, nil, err
		}
		return f, v, nil
	}
	if o.isPath(name) || errors.Is(err, fs.ErrPermission) {
		return file{}, nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"give a file, an id or the beginning of one")
	}
	if v, err = findSessions(ctx, o); errors.Is(err, ErrNone) { // mostly the name was meant to be of a file
		return file{}, nil, failure.New(none{fmt.Errorf("%w, and no file %s", err, name)},
			"give a file, an id or the beginning of one; --source says where to look")
	} else if err != nil {
		return file{}, nil, err
	}
	if f, err = v.locate(ctx, o.Sources, name); err != nil {
		v.close()
		return file{}, nil, err
	}
	return f, v, nil
}

// isPath reports whether a name can only be the path of a file. An id may contain slashes, too.
func (o Options) isPath(name string) bool {
	slashed := filepath.ToSlash(name)
	return strings.Contains(slashed, "/") &&
		(filepath.IsAbs(name) || name[0] == '.' || o.sourceList().Wants(slashed))
}

// given returns the session of a file or of a part of one.
func (v *survey) given(name string) (file, error) {
	one := v.folders[0].sessions[0].main
	if one.source.Part == "" && (len(v.folders) == 1 || !one.part) {
		return one, nil
	}
	var names []string
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if s.main.path == one.source.Part {
				return s.main, nil
			}
			names = append(names, filepath.Join(name, path.Base(s.main.path)))
		}
	}
	if one.source.Part != "" {
		return file{}, noPart(one.source)
	}
	if len(names) > 3 {
		names = append(names[:3], "...")
	}
	return file{}, failure.New(fmt.Errorf("%s contains %d sessions", name, len(v.folders)),
		"give the one you mean: "+strings.Join(names, ", "))
}

func (v *survey) locate(ctx context.Context, sources []string, name string) (file, error) {
	var all []identified
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			all = append(all, identified{s.main, s.id})
		}
	}
	matching, whole := matches(all, name)
	if len(matching) == 0 { // files may have been renamed: look for ids in their records
		if err := v.scanAll(ctx, state.New(fingerprint.Digest{})); err != nil {
			return file{}, err
		}
		matching, whole = matches(v.identified(), name)
	}
	switch len(matching) {
	case 0:
		return file{}, failure.New(fmt.Errorf("no session %s in %s, and no such file", name,
			cmp.Or(strings.Join(sources, ", "), folderWords(usualSources(v.options.sourceList(), os.Getenv)))),
			"give a file, an id or the beginning of one; --source says where to look")
	case 1:
		return matching[0], nil
	}
	return file{}, ambiguous(name, matching, whole)
}

// An identified is a file with the id by which lists show it.
type identified struct {
	file
	id string
}

// identified returns the files of sessions by the ids in their records. A file of an agent has the id of its session,
// and counts if there is no log of that session.
func (v *survey) identified() []identified {
	var all, agents []identified
	known := make(map[string]bool)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			facts := s.main.facts()
			id := withRest(cmp.Or(facts.SessionID, facts.Lineage), s.main.stem())
			known[id], known[s.id] = true, true
			all = append(all, identified{s.main, id})
			agents = append(agents, identified{s.main, facts.Parent})
		}
		for _, a := range fo.loose {
			agents = append(agents, identified{a.file, a.facts().SessionID})
		}
	}
	return append(all, slices.DeleteFunc(agents, func(a identified) bool { return known[a.id] })...)
}

// ambiguous returns the error for a name that is the whole id of several sessions, or that their ids begin with.
func ambiguous(name string, matching []file, whole bool) error {
	var names, agents []string
	for _, f := range matching[:min(len(matching), 5)] {
		by, _ := f.writer()
		agent := by.Writer().String()
		if !slices.Contains(agents, agent) {
			agents = append(agents, agent)
		}
		names = append(names, f.path)
	}
	if len(matching) > len(names) {
		names = append(names, "...")
	}
	which, more := "the ids of %d sessions begin with it", "give more of the id, or give the file: "
	if whole {
		which, more = "it is the id of %d sessions", "give the file: "
	}
	if len(agents) > 1 {
		which += ", of " + strings.Join(agents, " and ")
	}
	return failure.New(fmt.Errorf("%s is ambiguous: "+which, name, len(matching)), more+strings.Join(names, ", "))
}

// matches returns the files with an id, or else those whose id begins with it.
func matches(all []identified, name string) (found []file, whole bool) {
	var begun []file
	for _, f := range all {
		switch {
		case f.id == name:
			found = append(found, f.file)
		case name != "" && strings.HasPrefix(f.id, name):
			begun = append(begun, f.file)
		}
	}
	if len(found) > 0 {
		return found, true
	}
	return begun, false
}

// ToolNames reads a file that lists tools, see export.ToolNames.
func ToolNames(path string) (map[string]bool, error) {
	data, err := smallfile.Read(path)
	if err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", path, failure.Cause(err)),
			"give a JSON file with the names of the tools, or with the tools of a request")
	}
	names, err := export.ToolNames(data)
	if err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", path, err),
			`it contains an array of names, or of tools with a name: ["Read","Edit"]`)
	}
	return names, nil
}
