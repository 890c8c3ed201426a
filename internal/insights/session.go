package insights

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/stats"
	"viewer/normalize"
)

// A Session has the insights of one session.
type Session struct {
	Days []stats.Day
	Rows []Row // by kind and name
}

// Of counts a session, with the prices and requests of its tally. The result shares no memory with the session.
func Of(c *normalize.Conversation, tally *stats.Tally) Session {
	l := &collector{rows: make(map[rowKey]*Row)}
	for inner := range c.All() {
		l.conversation(inner)
	}
	l.people(c)
	l.time(c)
	l.context(c)
	return Session{Days: tally.Days(c), Rows: l.sorted()}
}

// A collector has the rows of a session while they are counted.
type collector struct {
	rows map[rowKey]*Row
}

func (l *collector) add(r Row) {
	if known := l.rows[r.key()]; known != nil {
		known.add(&r)
		return
	}
	row := r // apart from r, so that adding to a row that is there allocates nothing
	// The log has the originals.
	row.Name, row.Detail = strings.Clone(r.Name), strings.Clone(r.Detail)
	l.rows[row.key()] = &row
}

// conversation counts one conversation without those inside it.
func (l *collector) conversation(c *normalize.Conversation) {
	l.calls(c)
	l.commands(c)
	l.loops(c)
	l.reads(c)
	l.hooks(c)
	for _, t := range c.Turns {
		for _, m := range t.Messages {
			if m.Kind == normalize.System && m.Name == "compact_boundary" && m.Rule == "" {
				l.add(compaction(m))
			}
		}
	}
}

// most is the maximum number of rows of a kind in a session. The others become one row without a name.
const most = 30

// sorted returns the rows by kind. If not all of a kind are kept, those with the highest counts are.
func (l *collector) sorted() []Row {
	var byKind [kinds][]Row
	for _, r := range l.rows {
		byKind[r.Kind] = append(byKind[r.Kind], *r)
	}
	var all []Row
	for kind, rows := range byKind {
		if len(rows) > most && Kind(kind) != Activity {
			slices.SortFunc(rows, func(a, b Row) int {
				return cmp.Or(cmp.Compare(b.Count, a.Count), compareNames(a, b))
			})
			rest := Row{Kind: Kind(kind)}
			for _, r := range rows[most:] {
				rest.add(&r)
			}
			rows = append(rows[:most], rest)
		}
		slices.SortFunc(rows, compareNames)
		all = append(all, rows...)
	}
	return all
}

func compareNames(a, b Row) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Detail, b.Detail))
}
