package sitegen

import (
	"io/fs"

	"viewer/internal/compare"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// Options set what to build, and where.
type Options struct {
	Sources  []string // projects folders, project folders, session files; none stands for UsualSources
	Names    Names    // how session files are named
	Failures []string // failures of a report, shown on its first page
	Sample   fs.FS    // built instead of Sources if not nil
	Empty    bool     // sources may be missing or have no session yet; the site is then kept
	Out      string
	Whole    bool   // draw a history that a session copied from another in both
	Personal bool   // include the account of the user who ran the sessions
	Force    bool   // build into a folder with other files, and draw everything again
	Pricing  string // a file of prices, "" for the list prices
	Verify   bool   // draw everything again and compare it with the last build
	Prune    bool   // remove the pages of sessions whose files are missing
	Narrow   bool   // remove the pages of sessions that Filter leaves out; without it, such pages are an error
	NoSearch bool   // write no search index
	Tables   bool   // write tables of sessions and calls, see facts.Format
	Filter   Filter // of the sessions
	Large    int    // number of sessions above which a site is split into more files, 0 for LargeSite; for tests
	Version  string // of the program

	// Compare, if not nil, is a comparison of the sessions, which gets pages of its own.
	Compare *compare.Comparison

	// Originals keeps the texts of whole files from before edits. Logs have them but pages do not show them.
	Originals bool

	// Accept, if not nil, is called with the ids of the sessions that a site is going to have, before any file of it is
	// changed. Its error ends the build.
	Accept func(ids []string) error

	// Progress, if not nil, is called after each session from several goroutines.
	Progress func(Progress)

	// Unread, if not nil, is called for each usual source that exists but cannot be read, and for files that cannot be
	// read where no report lists them. The others are read.
	Unread func(error)

	// Fault, if not nil, is called from several goroutines for each session that a command other than build leaves out
	// because of a bug in the viewer. If it is nil, that is an error.
	Fault func(transcript.Problem)

	Notes     NoteFiles          // notes about sessions, besides those in sources
	Redaction redaction.Settings // what is removed from the sessions

	keepLists bool // keep the lists of files in sources, for a plan

	// For tests.
	partSessions int                          // used instead of maxPart
	storedSize   int64                        // used instead of storedSize
	insightPart  int                          // used instead of maxInsightPart
	writers      sources.List                 // used instead of the known sources
	bare         bool                         // a panic ends the program, for fuzz tests
	probe        func(Stage, string)          // called at each stage of each session with its folder
	segment      func(string) ([]byte, error) // reads the segment of a session by its folder, nil for its file

	prepared
}

// prepared is what ready reads for Options.
type prepared struct {
	prices    stats.Prices       // from Pricing
	pricesKey fingerprint.Digest // hash of the prices
	rules     redaction.Rules
	rulesKey  fingerprint.Digest // hash of the redaction rules
}

// ready reads the files that the options name.
func (o *Options) ready() error {
	var err error
	if o.prices, o.pricesKey, err = readPrices(o.Pricing); err != nil {
		return err
	}
	o.rules, o.rulesKey, err = o.Redaction.Rules()
	return err
}
