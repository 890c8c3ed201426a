package state

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/internal/sitegen/output"
	"viewer/internal/sources"
	"viewer/render"
)

// A Session is the entry of a session, in memory and on disk: a few values that every build needs, and the rest
// encoded, because a build decodes little of many sessions.
type Session struct {
	Key      fingerprint.Digest // hash of everything that its pages depend on
	Source   fingerprint.Digest // the source that contains it
	SafeName string             // the redacted name of the session
	Folder   string             // of its pages, below s/
	Pages    int
	Empty    bool
	Kept     bool               // its files are missing, and its pages are kept
	Segment  fingerprint.Digest // of the search index, zero if there is none
	Units    int                // number of units in the segment

	EncodedFacts string // see EncodeFacts
	details      details

	stored bool // the state in the folder has the same entry
}

// SetKept sets whether its files are missing.
func (k *Session) SetKept(kept bool) {
	k.stored = k.stored && k.Kept == kept
	k.Kept = kept
}

// Forget makes the next build draw it again.
func (k *Session) Forget() {
	k.Segment, k.Key, k.stored = fingerprint.Digest{}, fingerprint.Digest{}, false
}

// NewSession returns the entry of a drawn session, with its encoded facts.
func NewSession(facts string, outputs []string, drawn *render.Drawing) *Session {
	summary := &drawn.Summary
	all, one := make(codec.Encoder, 0, 2048), make(codec.Encoder, 0, 1024)
	for which := range detailCount {
		one = one[:0]
		switch which {
		case outputsDetail:
			encodeOutputs(&one, outputs, summary.Folder)
		case summaryDetail:
			encodeSummary(&one, summary)
		case ledgerDetail:
			encodeLedger(&one, &drawn.Ledger)
		case filesDetail:
			encodeChangedFiles(&one, drawn.Files)
		case insightsDetail:
			encodeInsights(&one, &drawn.Insights)
		}
		all.Text(string(one))
	}
	return &Session{
		Empty: summary.Empty, Folder: summary.Folder, EncodedFacts: facts,
		details: decodeDetails(&codec.Decoder{Rest: string(all)}),
	}
}

// Spool moves the details of the session to a spool, which must stay open as long as the session is used. Where that
// fails, as without a folder for temporary files, they stay in memory.
func (k *Session) Spool(s *output.Spool) {
	k.details.put(s)
	k.details.keep(0)
}

// Facts returns the facts of its main file.
func (k *Session) Facts() sources.Facts { return DecodeFacts(k.EncodedFacts) }

// CWD returns the working directory in its facts.
func (k *Session) CWD() string { return decodeCWD(k.EncodedFacts) }

// Same reports whether another entry is the same.
func (k *Session) Same(other *Session) bool {
	a, b := *k, *other
	a.stored, b.stored = false, false
	a.details, b.details = details{}, details{}
	return a == b && k.details.all() == other.details.all()
}

// HasSegment reports whether the search index has a segment of it.
func (k *Session) HasSegment() bool { return k.Segment != fingerprint.Digest{} }

// IsStored reports whether the folder has the same entry.
func (k *Session) IsStored() bool { return k.stored }

// Outputs returns the names of its pages and media, and of the files that belong to them.
func (k *Session) Outputs() []string {
	return decodeOutputs(&codec.Decoder{Rest: k.details.of(outputsDetail)}, k.Folder)
}

// Summary returns its facts for lists.
func (k *Session) Summary() render.Summary {
	s := decodeSummary(&codec.Decoder{Rest: k.details.of(summaryDetail)}, k.Folder)
	s.Empty, s.Kept = k.Empty, k.Kept
	return s
}

// Title returns the title in its facts for lists.
func (k *Session) Title() string { return decodeTitle(k.details.of(summaryDetail)) }

// FactsKey returns a hash of its facts for lists, but for whether it is kept.
func (k *Session) FactsKey() fingerprint.Digest {
	key := fingerprint.FromXXH64(xxhash.Sum64String(k.details.of(summaryDetail)))
	folder := fingerprint.FromXXH64(xxhash.Sum64String(k.Folder))
	copy(key[8:15], folder[:])
	return key
}

// SummaryKey returns a hash of its facts for lists.
func (k *Session) SummaryKey() fingerprint.Digest {
	key := k.FactsKey()
	if k.Empty {
		key[15] |= 1
	}
	if k.Kept {
		key[15] |= 2
	}
	return key
}

// FilesKey returns a hash of its changed files.
func (k *Session) FilesKey() fingerprint.Digest { return fingerprint.FromXXH64(k.details.filesKey) }

// Files returns its changed files. There may be thousands.
func (k *Session) Files() []render.ChangedFile {
	return decodeChangedFiles(&codec.Decoder{Rest: k.details.of(filesDetail)})
}

// InsightsKey returns a hash of its insights.
func (k *Session) InsightsKey() fingerprint.Digest {
	return fingerprint.FromXXH64(k.details.insightsKey)
}

// Insights returns its insights. Their rows are appended to rows.
func (k *Session) Insights(rows []insights.Row) insights.Session {
	return decodeInsights(&codec.Decoder{Rest: k.details.of(insightsDetail)}, rows)
}

// AddLedger adds its ledger to another one.
func (k *Session) AddLedger(to *render.Ledger) {
	decodeLedger(&codec.Decoder{Rest: k.details.of(ledgerDetail)}, to)
}

// encodeOutputs encodes names of files. Names below the folder of the session are written without the folder.
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
	r.Bool(k.Kept)
	r.Text(k.SafeName, k.Folder, k.EncodedFacts)
	*r = append(*r, k.details.all()...)
}

func decodeSession(f *codec.Decoder, k *Session) {
	k.Key, k.Source, k.Segment = f.Digest(), f.Digest(), f.Digest()
	k.Units, k.Pages = int(f.Int()), int(f.Int())
	k.Empty, k.Kept = f.Bool(), f.Bool()
	k.SafeName, k.Folder, k.EncodedFacts = f.Text(), f.Text(), f.Text()
	k.details = decodeDetails(f)
}

// Encode encodes a session for the state.
func (k *Session) Encode() string {
	var r codec.Encoder
	encodeSession(&r, k)
	return string(r)
}

// DecodeSession decodes a session.
func DecodeSession(encoded string, isStored bool) *Session {
	k := new(Session)
	decodeSession(&codec.Decoder{Rest: encoded}, k)
	k.stored = isStored
	return k
}
