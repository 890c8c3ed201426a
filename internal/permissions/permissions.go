package permissions

import (
	"viewer/internal/tools"
	"viewer/normalize"
)

// Facts are what a log contains about permissions. Each list has the order of the log.
type Facts struct {
	Modes     []Mode
	Decisions []Decision
	Elevated  []Elevation
	Files     []File // outside of the project
	Hosts     []Host
}

// Of collects the facts of a session, including its agents and attempts that were taken back, since their effects
// remain.
func Of(c *normalize.Conversation) Facts {
	k := &collector{
		files: make(map[string]int), hosts: make(map[string]int), modes: make(map[string]int),
		decided: make(map[string]bool),
	}
	k.startIn(c.Facts.CWD)
	k.modesOf(c, modeState{})
	for inner := range c.All() {
		k.conversation(inner)
	}
	k.reported(c)
	return k.Facts
}

// Empty reports whether there is nothing to show: only the default mode was in force, and only temporary files were
// used.
func (f *Facts) Empty() bool {
	for _, m := range f.Modes {
		if !m.Usual {
			return false
		}
	}
	for _, o := range f.Files {
		if !o.Temporary {
			return false
		}
	}
	return len(f.Decisions)+len(f.Elevated)+len(f.Hosts) == 0
}

// A collector collects the facts of a session.
type collector struct {
	Facts
	roots               []string // the folders of the project, in the form of changes.Clean
	windows             bool     // these are of Windows
	home                string   // the home folder, from the folder of the session; "" for unknown
	files, hosts, modes map[string]int
	decided             map[string]bool   // ids of the calls in Decisions
	reasons             map[string]reason // why calls were denied, by id
}

// conversation collects the facts of one conversation without its agents.
func (k *collector) conversation(c *normalize.Conversation) {
	k.readReasons(c)
	shells := tools.ShellsOf(c, nil)
	for g := range c.Groups() {
		if g.Call == nil {
			continue
		}
		k.decision(g)
		ran := ran(g)
		action := tools.ActionOf(g)
		switch action {
		case tools.Read, tools.Search, tools.Write, tools.Edit, tools.Delete, tools.Move:
			if ran {
				k.fileCall(g, action, c.Facts.CWD)
			}
		case tools.Run:
			k.commandCall(shells.Of(g), c.Facts.CWD, ran)
		default:
			if ran {
				k.fetchCall(g, action)
			}
		}
	}
}

// ran reports whether a call was allowed to run.
func ran(g *normalize.Group) bool {
	switch g.State {
	case normalize.Blocked, normalize.CallDeclined, normalize.CallDenied:
		return false
	}
	return true
}
