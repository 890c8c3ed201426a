package sitegen

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitedata"
	"viewer/render"
	"viewer/render/indexpages"
)

// LargeSite is the number of sessions above which sessions.json, the index pages and the search index are split into
// files whose size does not grow with the number of sessions.
const LargeSite = 10_000

// large reports whether a site of so many sessions is split.
func (o Options) large(sessions int) bool { return sessions > cmp.Or(o.Large, LargeSite) }

// factsFolder holds the facts of a large site; maxFacts limits the sessions in each file.
const (
	factsFolder = "facts/"
	maxFacts    = 400
)

// writeLargeFacts writes the facts of the sessions of a large site. sessions.json names a file for each month, which
// names the files of each project. Those have the format of sessions.json in other sites. A session that grew changes
// one of these files, a new session three.
func (b *indexBuild) writeLargeFacts() error {
	root := factWriter{b: []byte("{")}
	root.number("version", sitedata.FactsVersion)
	root.number("sessions", int64(b.list.Len()))
	root.member("months")
	before := "["
	for _, month := range b.list.months() {
		order := b.list.order(month.sessions, func(a, b indexpages.Listed) int {
			return strings.Compare(a.Project.Path, b.Project.Path)
		})
		name := factsFolder + month.name + ".json"
		if err := b.writeMonthFacts(name, month.name, order); err != nil {
			return err
		}
		root.b = append(root.b, before+"\n  {"...)
		root.inside = false
		root.text("month", month.name)
		root.number("sessions", int64(len(order)))
		root.text("file", name)
		root.b = append(root.b, "}"...)
		before = ","
	}
	return b.out.Write(sitedata.FactsName, append(root.b, "]\n}\n"...))
}

// writeMonthFacts writes the facts of the sessions of a month, by project.
func (b *indexBuild) writeMonthFacts(name, month string, order []int32) error {
	list := factWriter{b: []byte("{")}
	list.number("version", sitedata.FactsVersion)
	list.text("month", month)
	list.number("sessions", int64(len(order)))
	list.member("projects")
	for i, before := 0, "["; i < len(order); before = "," {
		project, n := b.list.Listed(int(order[i])).Project, 1
		for i+n < len(order) && b.list.Listed(int(order[i+n])).Project.Path == project.Path {
			n++
		}
		folder := factsFolder + month + "/" + path.Base(path.Dir(project.Path))
		list.b = append(list.b, before+"\n  {"...)
		list.inside = false
		list.text("project", project.Name)
		list.number("sessions", int64(n))
		list.member("files")
		list.b = append(list.b, '[')
		for at := 0; at < n; at += maxFacts {
			file := folder + "/" + strconv.Itoa(at/maxFacts+1) + ".json"
			if at > 0 {
				list.b = append(list.b, ", "...)
			}
			list.quote(file)
			if err := b.writeSomeFacts(file, order[i+at:i+min(at+maxFacts, n)]); err != nil {
				return err
			}
		}
		list.b = append(list.b, "]}"...)
		i += n
	}
	return b.out.Write(name, append(list.b, "]\n}\n"...))
}

// writeSomeFacts writes the facts of a few sessions, unless the file has them already.
func (b *indexBuild) writeSomeFacts(name string, order []int32) error {
	r := make(codec.Encoder, 0, (len(indexpages.Key{})+1)*len(order))
	for _, i := range order {
		key := b.list.Listed(int(i)).Key
		r = append(r, key[:]...)
	}
	key := fingerprint.Of(r)
	b.setIndexKey(name, key)
	if b.isKnown(name, key) && b.out.Intact(name) {
		b.out.Keep(name)
		return nil
	}
	some := make([]*render.Summary, len(order))
	for n, i := range order {
		some[n] = b.list.session(i).listSummary()
	}
	if err := b.list.failed(); err != nil {
		return err
	}
	return b.out.Write(name, factsOf(some))
}
