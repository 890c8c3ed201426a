package sitegen

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
)

// sourceList returns the known sources, or those of a test.
func (o Options) sourceList() sources.List {
	if o.writers == nil {
		return all.Sources
	}
	return o.writers
}

// deepestAgent is the maximum number of sessions between an agent with its own file and the first session.
const deepestAgent = 16

// byWriter moves each session whose writer is recognized by its content to a separate folder, and files of agents to
// the session that they name, because the paths of such files do not depend on their project. Those of the last source
// of the list are not moved.
func (v *survey) byWriter() {
	writers := v.options.sourceList()
	if len(writers) == 1 {
		return
	}
	last := writers[len(writers)-1]
	titles := v.titles()
	var found []*session
	parents := make(map[*session]string)
	byID := make(map[string]*session)
	foreign := func(s *session) bool {
		facts := s.main.facts()
		if s.logMissing || facts.Writer == last.Writer().Name {
			return false
		}
		s.writer, s.id = writers.Named(facts.Writer), cmp.Or(facts.SessionID, s.id)
		if byID[s.id] == nil {
			byID[s.id] = s
		}
		s.title = titles[[2]string{facts.Writer, s.id}]
		s.id = withRest(s.id, s.main.stem())
		found, parents[s] = append(found, s), facts.Parent
		return true
	}
	for _, fo := range v.folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, foreign)
		fo.loose = slices.DeleteFunc(fo.loose, func(a agentFile) bool { // its path names no session
			return foreign(&session{id: a.stem(), main: a.file})
		})
	}
	v.folders = slices.DeleteFunc(v.folders, func(fo *folder) bool { return len(fo.sessions)+len(fo.loose) == 0 })
	for _, s := range found {
		root := s
		for range deepestAgent { // there may be cycles
			if parent := byID[parents[root]]; parent != nil {
				root = parent
			}
		}
		if root != s && byID[parents[root]] == nil {
			root.agents = append(append(root.agents, agentFile{file: s.main, agentID: s.id}), s.agents...)
			continue
		}
		v.folders = append(v.folders, &folder{name: s.writer.Writer().Name, sessions: []*session{s}})
	}
}

// withRest returns the id of a session followed by the second id in the name of its file, which some programs use when
// they continue a session.
func withRest(id, stem string) string {
	const uuid = 36 // bytes
	if at := strings.Index(stem, id+"_"); at >= 0 && len(stem) == at+len(id)+1+uuid {
		return stem[at:]
	}
	return id
}
