package sitegen

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"viewer/internal/failure"
	"viewer/internal/sources/all"
)

// A Filter chooses sessions; the zero value chooses all. Other sessions are treated as missing, except that folders and
// projects have the same names with and without a filter.
type Filter struct {
	Since, Until time.Time // sessions that were active between these times; zero is no limit
	Projects     []string  // patterns for the path or folder of the project, one of which must match
	Sessions     []string  // ids or prefixes of ids
	Agents       []string  // coding agents, by AgentID

	Without []string // ids of sessions that are never chosen, not even kept ones

	Choice string   // the argument that chose Files, "" for none
	Files  []string // absolute paths of the chosen sessions; only with Choice
}

// AgentIDs returns the ids of the known coding agents, for filters.
func AgentIDs() []string {
	var ids []string
	for _, s := range all.Sources {
		ids = append(ids, s.Writer().ID())
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// AgentID returns the agent with that name, or the only one whose name begins with it: "claude" is "claude-code".
func AgentID(name string) (string, error) {
	known := AgentIDs()
	name = strings.ToLower(strings.ReplaceAll(name, " ", "-"))
	var found []string
	for _, id := range known {
		if id == name {
			return id, nil
		}
		if name != "" && strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", fmt.Errorf("%q is not a known coding agent: use %s", name, strings.Join(known, ", "))
}

// CheckPattern returns what is wrong with a pattern for projects.
func CheckPattern(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("%q is an invalid pattern: * stands for any characters but /, ? for one, [ab] for one of these", pattern)
	}
	return nil
}

// everything reports whether the filter chooses all sessions.
func (f Filter) everything() bool {
	return f.Since.IsZero() && f.Until.IsZero() && len(f.Projects)+len(f.Sessions)+len(f.Agents)+len(f.Without) == 0 &&
		f.Choice == ""
}

// String returns the filter in words, "" for all.
func (f Filter) String() string {
	var words []string
	for _, p := range f.Projects {
		words = append(words, "--project "+p)
	}
	for _, s := range f.Sessions {
		words = append(words, "--session "+s)
	}
	for _, a := range f.Agents {
		words = append(words, "--agent "+a)
	}
	for _, s := range f.Without {
		words = append(words, "without "+s)
	}
	const minutes = "2006-01-02 15:04"
	if !f.Since.IsZero() {
		words = append(words, "--since "+f.Since.Format(minutes))
	}
	if !f.Until.IsZero() {
		words = append(words, "--until "+f.Until.Format(minutes))
	}
	if f.Choice != "" {
		words = append(words, f.Choice+" ("+strings.Join(f.Files, ", ")+")")
	}
	return strings.Join(words, " ")
}

// A candidate holds the facts of a session that filters look at.
type candidate struct {
	project    string   // as named in lists and pages
	folder     string   // that holds the session files, "" when unknown
	cwds       []string // of the project and of the session
	ids        []string // its name and the ids in its records
	start, end time.Time
	file       string // absolute
	agent      string // transcript.Writer.ID
}

// has reports whether the filter chooses a session. A session without times is not known to be between two times.
func (f Filter) has(c candidate) bool {
	switch {
	case f.Choice != "" && !slices.Contains(f.Files, c.file):
		return false
	case len(f.Agents) > 0 && !slices.Contains(f.Agents, c.agent):
		return false
	case !f.Since.IsZero() && c.end.Before(f.Since):
		return false
	case !f.Until.IsZero() && (c.start.IsZero() || c.start.After(f.Until)):
		return false
	case len(f.Projects) > 0 && !slices.ContainsFunc(f.Projects, func(pattern string) bool {
		return matchProject(pattern, c)
	}):
		return false
	case f.leavesOut(c.ids...):
		return false
	case len(f.Sessions) > 0 && !slices.ContainsFunc(f.Sessions, func(id string) bool {
		return slices.ContainsFunc(c.ids, func(own string) bool { return id != "" && strings.HasPrefix(own, id) })
	}):
		return false
	}
	return true
}

// leavesOut reports whether a session with these ids is in Without.
func (f Filter) leavesOut(ids ...string) bool {
	return slices.ContainsFunc(f.Without, func(id string) bool { return slices.Contains(ids, id) })
}

// matchProject reports whether a pattern matches a project. The pattern may be the end of the project's path ("tides",
// "work/tides"), the path or a folder above it ("/home/mara/work/*"), or the folder of its session files
// ("-home-mara-tides"). Matches must not depend on other projects. The name in lists does, so only the whole name
// matches. Case is ignored.
func matchProject(pattern string, c candidate) bool {
	pattern = strings.ToLower(pattern)
	if len(pattern) > 1 {
		pattern = strings.TrimSuffix(pattern, "/")
	}
	is := func(text string) bool {
		ok, _ := path.Match(pattern, text)
		return ok
	}
	if folder := strings.ToLower(c.folder); pattern == strings.ToLower(c.project) || folder != "" && is(folder) {
		return true
	}
	for _, cwd := range c.cwds {
		cwd = strings.ToLower(strings.ReplaceAll(cwd, `\`, "/"))
		for end := cwd; end != ""; {
			if is(end) {
				return true
			}
			_, end, _ = strings.Cut(end, "/")
		}
		// Facts of sessions have "~" for home folders.
		atHome := home.ReplaceAllString(pattern, "~")
		for dir := cwd; dir != "" && dir != "/" && dir != "."; dir = path.Dir(dir) {
			if known, _ := path.Match(atHome, dir); known || is(dir) {
				return true
			}
		}
	}
	return false
}

// home matches the beginning of a path in a home folder, in lower case.
var home = regexp.MustCompile(`^(/home/[^/]+|/users/[^/]+|/root|[a-z]:/users/[^/]+)`)

// choose removes the sessions that the filter does not choose, and projects without sessions.
func (f Filter) choose(projects []*project) ([]*project, error) {
	if f.everything() || len(projects) == 0 {
		return projects, nil
	}
	projects = slices.DeleteFunc(projects, func(p *project) bool {
		p.sessions = slices.DeleteFunc(p.sessions, func(s *session) bool { return !f.has(p.candidate(s)) })
		return len(p.sessions) == 0
	})
	if len(projects) == 0 {
		return nil, failure.New(none{
			fmt.Errorf("no session matches %s", f),
		}, "viewer list shows the sessions that there are")
	}
	return projects, nil
}

func (p *project) candidate(s *session) candidate {
	facts := s.main.facts()
	return candidate{
		p.Name, p.folder.name, []string{facts.CWD, p.cwd}, []string{s.id, facts.SessionID}, facts.Start, facts.End,
		s.main.absolute(), s.writer.Writer().ID(),
	}
}
