package sitegen

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/render"
)

// LargeSite is the number of sessions above which sessions.json, the index pages and the search index are split into
// files whose size does not grow with the number of sessions.
const LargeSite = 10_000

// large reports whether a site of so many sessions is split.
func (o Options) large(sessions int) bool { return sessions > cmp.Or(o.Large, LargeSite) }

// factsVersion is the version of the two levels of lists that replace sessions.json in a large site.
const factsVersion = 2

// undated is the month of sessions without a time.
const undated = "undated"

// factsFolder holds the facts of a large site; mostFacts limits the sessions in each file.
const (
	factsFolder = "facts/"
	mostFacts   = 400
)

// writeLargeFacts writes the facts of the sessions of a large site. sessions.json names a file for each month, which
// names the files of each project. Those have the format of sessions.json in other sites. A session that grew changes
// one of these files, a new session three.
func (b *builder) writeLargeFacts(sessions []render.Summary, keys []render.Key) error {
	order := make([]int32, len(sessions))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		s, t := &sessions[i], &sessions[j]
		return cmp.Or(cmp.Compare(monthOf(s), monthOf(t)), cmp.Compare(s.Project.Path, t.Project.Path),
			s.Start.Compare(t.Start), cmp.Compare(s.Folder, t.Folder))
	})
	root := factWriter{b: []byte("{")}
	root.number("version", factsVersion)
	root.number("sessions", int64(len(sessions)))
	root.member("months")
	for i, before := 0, "["; i < len(order); before = "," {
		month, n := monthOf(&sessions[order[i]]), 1
		for i+n < len(order) && monthOf(&sessions[order[i+n]]) == month {
			n++
		}
		name := factsFolder + month + ".json"
		if err := b.writeMonthFacts(name, month, sessions, keys, order[i:i+n]); err != nil {
			return err
		}
		root.b = append(root.b, before+"\n  {"...)
		root.inside = false
		root.text("month", month)
		root.number("sessions", int64(n))
		root.text("file", name)
		root.b = append(root.b, "}"...)
		i += n
	}
	return b.out.Write(factsName, append(root.b, "]\n}\n"...))
}

// monthOf returns the month in which a session began: "2026-03".
func monthOf(s *render.Summary) string {
	if s.Start.IsZero() {
		return undated
	}
	return s.Start.UTC().Format("2006-01")
}

// writeMonthFacts writes the facts of the sessions of a month, by project.
func (b *builder) writeMonthFacts(
	name, month string, sessions []render.Summary, keys []render.Key, order []int32,
) error {
	list := factWriter{b: []byte("{")}
	list.number("version", factsVersion)
	list.text("month", month)
	list.number("sessions", int64(len(order)))
	list.member("projects")
	for i, before := 0, "["; i < len(order); before = "," {
		project, n := sessions[order[i]].Project, 1
		for i+n < len(order) && sessions[order[i+n]].Project.Path == project.Path {
			n++
		}
		folder := factsFolder + month + "/" + path.Base(path.Dir(project.Path))
		list.b = append(list.b, before+"\n  {"...)
		list.inside = false
		list.text("project", project.Name)
		list.number("sessions", int64(n))
		list.member("files")
		list.b = append(list.b, '[')
		for at := 0; at < n; at += mostFacts {
			file := folder + "/" + strconv.Itoa(at/mostFacts+1) + ".json"
			if at > 0 {
				list.b = append(list.b, ", "...)
			}
			list.quote(file)
			if err := b.writeSomeFacts(file, sessions, keys, order[i+at:i+min(at+mostFacts, n)]); err != nil {
				return err
			}
		}
		list.b = append(list.b, "]}"...)
		i += n
	}
	return b.out.Write(name, append(list.b, "]\n}\n"...))
}

// writeSomeFacts writes the facts of a few sessions, unless the file has them already.
func (b *builder) writeSomeFacts(name string, all []render.Summary, keys []render.Key, order []int32) error {
	r := make(codec.Encoder, 0, (len(render.Key{})+1)*len(order))
	for _, i := range order {
		r = append(r, keys[i][:]...)
	}
	key := fingerprint.Of(r)
	b.next.IndexKeys[name] = key
	if b.old.IndexKeys[name] == key && !b.Force && !b.Verify && b.out.Intact(name) {
		b.out.Keep(name)
		return nil
	}
	some := make([]render.Summary, len(order))
	for i, at := range order {
		some[i] = all[at]
	}
	return b.out.Write(name, factsOf(some))
}
