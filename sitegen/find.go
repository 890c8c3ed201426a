package sitegen

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"viewer/transcript"
)

// find discovers, scans and plans all sources. A file that cannot be read is a
// problem, and the others are built; only when none can be read is it an error.
func find(ctx context.Context, o Options) ([]*project, []transcript.Problem, error) {
	var folders []*folder
	if o.Sample != nil {
		var err error
		if folders, err = discoverFS(o.Sample, "sample"); err != nil {
			return nil, nil, err
		}
	}
	for _, s := range o.Sources {
		more, err := discover(s)
		if err != nil {
			return nil, nil, err
		}
		folders = append(folders, more...)
	}
	folders = joinFolders(folders)
	if err := scanAll(ctx, folders); err != nil {
		return nil, nil, err
	}
	var problems []transcript.Problem
	left := 0
	failed := func(f file) bool {
		if f.seen.err != nil {
			problems = append(problems, unreadable(f, f.seen.err))
		}
		return f.seen.err != nil
	}
	for _, fo := range folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool { return failed(s.main) })
		fo.loose = slices.DeleteFunc(fo.loose, failed)
		left += len(fo.sessions) + len(fo.loose)
	}
	if left == 0 && len(problems) > 0 {
		p := problems[0]
		return nil, nil, &Error{fmt.Errorf("reading %s: %s", p.Pos, p.Text), "check that the files can be read"}
	}
	projects, err := plan(folders)
	return projects, problems, err
}

// joinFolders makes one project of the folders that stand for one working
// directory in several sources: Claude Code names them "-home-mara-tides".
func joinFolders(folders []*folder) []*folder {
	first := make(map[string]*folder)
	return slices.DeleteFunc(folders, func(fo *folder) bool {
		if !strings.HasPrefix(fo.name, "-") {
			return false
		}
		one := first[fo.name]
		if one == nil {
			first[fo.name] = fo
			return false
		}
		one.sessions = append(one.sessions, fo.sessions...)
		one.loose = append(one.loose, fo.loose...)
		return true
	})
}

// unreadable makes a problem of a file that cannot be read.
func unreadable(f file, err error) transcript.Problem {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // the place names the file
	}
	return transcript.Problem{Pos: transcript.Pos{File: f.name}, Text: err.Error()}
}

// scanAll looks at all main files and loose agents on all cores.
func scanAll(ctx context.Context, folders []*folder) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	look := func(f file) {
		group.Go(func() error {
			var data []byte
			if data, f.seen.err = f.read(); f.seen.err == nil {
				f.seen.scanned = scan(data)
			}
			return ctx.Err()
		})
	}
	for _, fo := range folders {
		for _, s := range fo.sessions {
			look(s.main)
		}
		for _, f := range fo.loose {
			look(f)
		}
	}
	return group.Wait()
}
