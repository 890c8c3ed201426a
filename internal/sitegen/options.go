package sitegen

import (
	"io/fs"

	"viewer/internal/fingerprint"
	"viewer/internal/sources"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// Options say what to build and where.
type Options struct {
	Sources  []string // projects folders, project folders, session files; none stands for UsualSources
	Names    Names    // what session files are called
	Failures []string // of a report, which stand on its first page
	Sample   fs.FS    // built instead of Sources when not nil
	Empty    bool     // sources may hold no session yet, or not be there: what the site shows stays
	Out      string
	Personal bool   // draw the account of whoever ran the sessions, too
	Force    bool   // build into a folder that holds other files, and draw everything again
	Pricing  string // a file of prices, instead of the list prices; "" for those
	Verify   bool   // draw everything again, and compare with what the last build left
	Prune    bool   // remove the pages of sessions whose files are missing
	Narrow   bool   // remove the pages of sessions that Filter leaves out: else it is an error that there are some
	NoSearch bool   // write no search index
	Filter   Filter // of the sessions
	Large    int    // sessions above which a site is cut into more files, 0 for LargeSite: for tests
	Version  string // of the program

	// Originals keeps the texts of whole files before edits, which logs hold and pages do not show.
	Originals bool

	// Progress, when not nil, is called after each session, from several goroutines.
	Progress func(Progress)

	// Unread, when not nil, is called for each usual source that is there and cannot be read: the others are.
	Unread func(error)

	// Fault, when not nil, is called for each session that something other than a build had to leave out
	// because of a fault of ours, from several goroutines. When it is nil, that is an error.
	Fault func(transcript.Problem)

	Redaction Redaction // what is taken out of the sessions

	keepLists bool // of the files that sources hold, for a plan

	writers sources.List // instead of those that the program knows: for tests

	bare  bool                // a panic ends the program: for fuzz tests
	probe func(Stage, string) // called at the stages of each session, with its folder: for tests

	prices    stats.Prices       // of Pricing, read once
	pricesKey fingerprint.Digest // stands for them
	rules     rules
	rulesKey  fingerprint.Digest // stands for them
}

// ready reads what the options name.
func (o *Options) ready() error {
	var err error
	if o.prices, o.pricesKey, err = readPrices(o.Pricing); err != nil {
		return err
	}
	o.rules, o.rulesKey, err = o.Redaction.rules()
	return err
}
