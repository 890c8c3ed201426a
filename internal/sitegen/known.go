package sitegen

import (
	"slices"
	"strings"

	"viewer/render"
)

// A knownSession is what is kept of a session, in memory and in the state: a
// few things that every build asks for, and the rest as it is recorded, since
// there are many sessions and a build looks at few of them.
type knownSession struct {
	key      digest // of all that its pages depend on
	source   digest // that it was found in
	safe     string // the name of the session as folders may have it
	folder   string // of its pages, below s/
	pages    int
	empty    bool
	archived bool   // its files are gone, its pages stay
	part     digest // of the search index, zero when it is in none
	units    int    // in the part

	facts, outputs, summed, ledger string // recorded
}

// know keeps what a build has made of a session, of which the facts are recorded.
func know(facts string, outputs []string, summary *render.Summary, ledger *render.Ledger) *knownSession {
	r := make(record, 0, 1024)
	mark := func(write func()) int {
		write()
		return len(r)
	}
	a := mark(func() { r.outputs(outputs, summary.Folder) })
	b := mark(func() { r.summary(summary) })
	r.ledger(ledger)
	all := string(r)
	return &knownSession{empty: summary.Empty, folder: summary.Folder, facts: facts, outputs: all[:a], summed: all[a:b], ledger: all[b:]}
}

// scanned are the facts of its main file.
func (k *knownSession) scanned() scanned { return (&fields{rest: k.facts}).scanned() }

// files are its pages and media, with all that goes with them.
func (k *knownSession) files() []string { return (&fields{rest: k.outputs}).outputs(k.folder) }

// summary is what lists say of it.
func (k *knownSession) summary() render.Summary {
	s := (&fields{rest: k.summed}).summary(k.folder)
	s.Empty, s.Archived = k.empty, k.archived
	return s
}

// addLedger adds what became of its records to that of others.
func (k *knownSession) addLedger(to *render.Ledger) { (&fields{rest: k.ledger}).ledger(to) }

// outputs records names of files, those below the folder of the session without it.
func (r *record) outputs(names []string, folder string) {
	r.number(int64(len(names)))
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "s/"+folder+"/"); ok {
			r.text("/", rest)
		} else {
			r.text(name)
		}
	}
}

func (f *fields) outputs(folder string) []string {
	n := f.count()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		if all[i] = f.text(); all[i] == "/" {
			all[i] = "s/" + folder + "/" + f.text()
		}
	}
	return all
}

func (r *record) known(k *knownSession) {
	r.digest(k.key)
	r.digest(k.source)
	r.digest(k.part)
	r.number(int64(k.units), int64(k.pages))
	r.truth(k.empty)
	r.truth(k.archived)
	r.text(k.safe, k.folder, k.facts, k.outputs, k.summed, k.ledger)
}

func (f *fields) known(k *knownSession) {
	k.key, k.source, k.part = f.digest(), f.digest(), f.digest()
	k.units, k.pages = int(f.number()), int(f.number())
	k.empty, k.archived = f.truth(), f.truth()
	for _, text := range []*string{&k.safe, &k.folder, &k.facts, &k.outputs, &k.summed, &k.ledger} {
		*text = f.text()
	}
}

// A foundIDs says of records, by their ids, whether a file holds them.
type foundIDs struct {
	ids []string // sorted
	has []bool
}

// of says whether a record is there, and whether that is known.
func (w foundIDs) of(id string) (has, known bool) {
	i, known := slices.BinarySearch(w.ids, id)
	return known && w.has[i], known
}
