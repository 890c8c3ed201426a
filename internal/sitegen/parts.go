package sitegen

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"viewer/internal/failure"
	"viewer/internal/sitegen/input"
)

// noPart returns an error: the file does not hold the given session.
func noPart(s *input.Source) error {
	return failure.New(none{fmt.Errorf("no session %s in %s", path.Base(s.Part), filepath.Dir(s.Name))},
		"viewer list "+filepath.Dir(s.Name)+" lists those in it")
}

// keepParts removes the other sessions of a file of which one was given. If the given part is not a session, it belongs
// to an agent.
func (v *survey) keepParts() error {
	for _, src := range v.sources {
		if src.Part == "" {
			continue
		}
		any := false
		for _, fo := range v.folders {
			fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool {
				is := s.main.path == src.Part || slices.ContainsFunc(s.agents, func(a agentFile) bool {
					return a.path == src.Part
				})
				any = any || s.main.source == src && is
				return s.main.source == src && !is
			})
		}
		if !any {
			return noPart(src)
		}
	}
	v.folders = slices.DeleteFunc(v.folders, func(fo *folder) bool { return len(fo.sessions)+len(fo.loose) == 0 })
	return nil
}
