package sitegen

import (
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/sources"
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
	r := make(codec.Encoder, 0, 1024)
	mark := func(write func()) int {
		write()
		return len(r)
	}
	a := mark(func() { encodeOutputs(&r, outputs, summary.Folder) })
	b := mark(func() { encodeSummary(&r, summary) })
	encodeLedger(&r, ledger)
	all := string(r)
	return &knownSession{empty: summary.Empty, folder: summary.Folder, facts: facts, outputs: all[:a], summed: all[a:b], ledger: all[b:]}
}

// mainFacts are the facts of its main file.
func (k *knownSession) mainFacts() sources.Facts { return decodeFacts(&codec.Decoder{Rest: k.facts}) }

// files are its pages and media, with all that goes with them.
func (k *knownSession) files() []string {
	return decodeOutputs(&codec.Decoder{Rest: k.outputs}, k.folder)
}

// summary is what lists say of it.
func (k *knownSession) summary() render.Summary {
	s := decodeSummary(&codec.Decoder{Rest: k.summed}, k.folder)
	s.Empty, s.Archived = k.empty, k.archived
	return s
}

// addLedger adds what became of its records to that of others.
func (k *knownSession) addLedger(to *render.Ledger) { decodeLedger(&codec.Decoder{Rest: k.ledger}, to) }

// outputs records names of files, those below the folder of the session without it.
func encodeOutputs(r *codec.Encoder, names []string, folder string) {
	r.Int(int64(len(names)))
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "s/"+folder+"/"); ok {
			r.Text("/", rest)
		} else {
			r.Text(name)
		}
	}
}

func decodeOutputs(f *codec.Decoder, folder string) []string {
	n := f.Count()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		if all[i] = f.Text(); all[i] == "/" {
			all[i] = "s/" + folder + "/" + f.Text()
		}
	}
	return all
}

func encodeSession(r *codec.Encoder, k *knownSession) {
	r.Digest(k.key)
	r.Digest(k.source)
	r.Digest(k.part)
	r.Int(int64(k.units), int64(k.pages))
	r.Bool(k.empty)
	r.Bool(k.archived)
	r.Text(k.safe, k.folder, k.facts, k.outputs, k.summed, k.ledger)
}

func decodeSession(f *codec.Decoder, k *knownSession) {
	k.key, k.source, k.part = f.Digest(), f.Digest(), f.Digest()
	k.units, k.pages = int(f.Int()), int(f.Int())
	k.empty, k.archived = f.Bool(), f.Bool()
	for _, text := range []*string{&k.safe, &k.folder, &k.facts, &k.outputs, &k.summed, &k.ledger} {
		*text = f.Text()
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
