package state

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sources"
	"viewer/render"
)

// A Session is what is kept of a session, in memory and on disk: a
// few values that every build asks for, and the rest encoded, since
// there are many sessions and a build looks at few of them.
type Session struct {
	Key      fingerprint.Digest // of all that its pages depend on
	Source   fingerprint.Digest // that it was found in
	SafeName string             // the name of the session as folders may have it
	Folder   string             // of its pages, below s/
	Pages    int
	Empty    bool
	Archived bool               // its files are missing, its pages stay
	Segment  fingerprint.Digest // of the search index, zero when it is in none
	Units    int                // in the part

	EncodedFacts, encodedOutputs, encodedSummary, encodedFiles, encodedLedger string // encoded

	stored bool // the state in the folder says the same of it
}

// SetArchived says whether its files are missing.
func (k *Session) SetArchived(archived bool) {
	k.stored = k.stored && k.Archived == archived
	k.Archived = archived
}

// Forget lets the next build draw it again.
func (k *Session) Forget() {
	k.Segment, k.Key, k.stored = fingerprint.Digest{}, fingerprint.Digest{}, false
}

// NewSession keeps what a build has made of a session, of which the facts are encoded.
func NewSession(facts string, outputs []string, drawn *render.Drawing) *Session {
	summary := &drawn.Summary
	r := make(codec.Encoder, 0, 1024)
	mark := func(write func()) int {
		write()
		return len(r)
	}
	a := mark(func() { encodeOutputs(&r, outputs, summary.Folder) })
	b := mark(func() { encodeSummary(&r, summary) })
	c := mark(func() { encodeChangedFiles(&r, drawn.Files) })
	encodeLedger(&r, &drawn.Ledger)
	all := string(r)
	return &Session{
		Empty: summary.Empty, Folder: summary.Folder, EncodedFacts: facts,
		encodedOutputs: all[:a], encodedSummary: all[a:b], encodedFiles: all[b:c],
		encodedLedger: all[c:],
	}
}

// Facts are the facts of its main file.
func (k *Session) Facts() sources.Facts { return DecodeFacts(k.EncodedFacts) }

// Outputs are its pages and media, with all that goes with them.
func (k *Session) Outputs() []string {
	return decodeOutputs(&codec.Decoder{Rest: k.encodedOutputs}, k.Folder)
}

// Summary is what lists say of it.
func (k *Session) Summary() render.Summary {
	s := decodeSummary(&codec.Decoder{Rest: k.encodedSummary}, k.Folder)
	s.Empty, s.Archived = k.Empty, k.Archived
	return s
}

// SummaryKey stands for all that lists say of it.
func (k *Session) SummaryKey() fingerprint.Digest {
	key := fingerprint.FromXXH64(xxhash.Sum64String(k.encodedSummary))
	folder := fingerprint.FromXXH64(xxhash.Sum64String(k.Folder))
	copy(key[8:15], folder[:])
	if k.Empty {
		key[15] |= 1
	}
	if k.Archived {
		key[15] |= 2
	}
	return key
}

// AppendFiles appends what it left of its changes to files, encoded: it stands for all of that.
func (k *Session) AppendFiles(to []byte) []byte { return append(to, k.encodedFiles...) }

// Files are what it left of its changes to files. There may be thousands.
func (k *Session) Files() []render.ChangedFile {
	return decodeChangedFiles(&codec.Decoder{Rest: k.encodedFiles})
}

// AddLedger adds what became of its records to that of others.
func (k *Session) AddLedger(to *render.Ledger) {
	decodeLedger(&codec.Decoder{Rest: k.encodedLedger}, to)
}

// encodeOutputs writes names of files, those below the folder of the session without it.
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

func encodeSession(r *codec.Encoder, k *Session) {
	r.Digest(k.Key)
	r.Digest(k.Source)
	r.Digest(k.Segment)
	r.Int(int64(k.Units), int64(k.Pages))
	r.Bool(k.Empty)
	r.Bool(k.Archived)
	r.Text(k.SafeName, k.Folder, k.EncodedFacts, k.encodedOutputs, k.encodedSummary,
		k.encodedFiles, k.encodedLedger)
}

func decodeSession(f *codec.Decoder, k *Session) {
	k.Key, k.Source, k.Segment = f.Digest(), f.Digest(), f.Digest()
	k.Units, k.Pages = int(f.Int()), int(f.Int())
	k.Empty, k.Archived = f.Bool(), f.Bool()
	k.SafeName, k.Folder, k.EncodedFacts = f.Text(), f.Text(), f.Text()
	k.encodedOutputs, k.encodedSummary = f.Text(), f.Text()
	k.encodedFiles, k.encodedLedger = f.Text(), f.Text()
}
