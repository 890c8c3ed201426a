package sitegen

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// A merge of a large site keeps some hundred bytes of each session in memory. It reads all parts at once, in the order
// of the plan, and puts records about sessions and files into partitions by id, together with those of the last build.
// It writes the sessions, sorted by id like the state, to a file from which they are read when needed. Otherwise it
// works like a merge of a small site, with the same result.
type largeMerge struct {
	*builder
	plan   *state.PlanReader
	stored *state.Stored
	report Report

	sessions, files *output.Partitions // records about them, by id
	err             error              // error of writing to them

	all     output.Sequence // the sessions, sorted by id
	ends    []int64         // offset of the end of each session in all
	marks   []sessionMarks  // of each session
	changed map[string]*state.Session

	changes   state.Changes
	tooMany   bool // more changes than an update of the state may list
	number    int  // number of sessions that the state keeps
	others    bool // sessions were added, removed or moved to other folders
	forgotten map[int]bool
	mu        sync.Mutex // guards forgotten and loading
	loading   error      // of a session that could not be loaded
}

// sessionMarks are flags of a session.
type sessionMarks uint8

const (
	markKept      sessionMarks = 1 << iota // the state keeps it
	markStored                             // the last build left the same
	markSegmented                          // it has a segment of the search index
)

// maxChanges limits how many changes of a kind an update of the state lists.
const maxChanges = 4096

// mergeLarge merges the parts of a large site. It returns false, and writes nothing, if the site turns out not to be
// large.
func (b *builder) mergeLarge(
	ctx context.Context, dir partsDir, plan *state.PlanReader,
) (report Report, done bool, err error) {
	m := &largeMerge{builder: b, plan: plan, sessions: new(output.Partitions), files: new(output.Partitions),
		changed: make(map[string]*state.Session), forgotten: make(map[int]bool),
		changes: state.Changes{Sessions: make(map[fingerprint.Digest]*state.Session),
			Files: make(map[fingerprint.Digest]*state.File)}}
	defer func() {
		m.sessions.Close()
		m.files.Close()
		m.all.Close()
		b.out.ClosePartitions()
	}()
	b.memory.setFor(plan.Sessions + len(plan.Kept))
	b.out.ListInPartitions()
	m.readStored()
	defer m.stored.Close()
	b.next = state.New(plan.Base)
	b.next.LooseFacts, b.next.Lookups = plan.Loose, plan.Lookups
	for _, folder := range b.out.Folders(partsFolder) {
		b.out.AdoptAttempts(partsFolder + "/" + folder)
	}
	m.report.Problems = plan.Problems
	err = b.readParts(dir, plan, m.readEntry, func(f state.SourceFile) { m.sayFile(filePlanned, f.ID, f.File) })
	if err = cmp.Or(err, m.err); err != nil {
		return report, false, err
	}
	l, err := m.joinSessions()
	if err != nil || !b.large(l.Len()) {
		return report, false, err
	}
	if err := ctx.Err(); err != nil {
		return report, true, err
	}
	if err := b.writeAssets(); err != nil {
		return report, true, err
	}
	b.stopwatch.Lap(StageFind, 0)
	if err := b.newIndexBuild(&m.report, l).write(); err != nil {
		return report, true, err
	}
	b.stopwatch.Lap(StageIndex, 0)
	err = m.finish()
	return m.report, true, err
}

// readStored reads the state of the last build.
func (m *largeMerge) readStored() {
	manifest := new(output.Manifest)
	m.stored = state.OpenStored(m.out, m.plan.Base, &storedSink{m, manifest})
	m.old = m.stored.State
	m.segments.Before = m.old
	m.old.NewLookups = m.plan.Lookups
	if m.stored.Unusable != "" {
		m.files.Close()
		m.files = new(output.Partitions)
	}
	manifest.MarkStored()
	m.out.Adopt(manifest)
}

// A storedSink writes the records of the last build into the partitions of this one.
type storedSink struct {
	*largeMerge
	manifest *output.Manifest
}

func (s *storedSink) File(id fingerprint.Digest, f state.File) { s.sayFile(fileBefore, id, f) }
func (s *storedSink) FileGone(id fingerprint.Digest)           { s.sayFile(fileGone, id, state.File{}) }

func (s *storedSink) Output(f output.File) {
	if output.IsPartitioned(f.Name) {
		s.out.Before(f)
		return
	}
	f.Name = strings.Clone(f.Name)
	s.manifest.Update([]output.File{f}, nil)
}

func (s *storedSink) OutputGone(name string) {
	if output.IsPartitioned(name) {
		s.out.Gone(name)
		return
	}
	s.manifest.Update(nil, []string{name})
}

// Kinds of records about a file of a source. A record of a part, which has read the file, overrides that of the plan.
const (
	fileBefore = iota
	fileGone
	filePlanned
	fileRead
)

func (m *largeMerge) sayFile(what int64, id fingerprint.Digest, f state.File) {
	var r codec.Encoder
	r.Int(what)
	r.Digest(id)
	state.EncodeFile(&r, f)
	m.put(m.files, id, r)
}

func (m *largeMerge) put(to *output.Partitions, id fingerprint.Digest, record codec.Encoder) {
	if err := to.Put(int(id[0])*output.NumPartitions/256, record); err != nil && m.err == nil {
		m.err = err
	}
}

func (m *largeMerge) readEntry(k *state.Entry, encoded string) {
	r := result{Session: k.Session, bytes: k.Bytes, drawn: k.Drawn, reused: k.Reused}
	summary := r.summary()
	m.report.add(r, summary)
	m.report.ownProblems(len(summary.Problems))
	var marks sessionMarks
	if k.Kept {
		marks |= markKept
	}
	var record codec.Encoder
	record.Digest(k.ID)
	record.Int(int64(marks))
	record.Text(encoded)
	m.put(m.sessions, k.ID, record)
	for _, f := range k.Files {
		m.sayFile(fileRead, f.ID, f.File)
	}
	m.out.Accept(withoutAssets(k.Outputs))
}
