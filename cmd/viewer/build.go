package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/failure"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

// siteFlags are the flags of all commands that build a site.
type siteFlags struct {
	filterFlags
	redactFlags
	out             string
	force, personal bool
	pricing         string
	prune, noSearch bool
	pruneFiltered   bool
	findings        []string
	noNotes         bool
	notes           string // a file that serve writes
}

func (f *siteFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.force, "force", false, "build into a folder that has other files, and draw everything again")
	c.Flags().BoolVar(&f.prune, "prune", false,
		"remove pages of sessions whose files are gone, which otherwise are kept")
	c.Flags().BoolVar(&f.pruneFiltered, "prune-filtered", false,
		"remove pages of sessions that the filters exclude, which is otherwise an error")
	addNoSearch(c, &f.noSearch)
	c.Flags().StringArrayVar(&f.findings, "findings", nil,
		"draw the notes or findings in `FILE` on pages, see docs/notes.md; may be repeated")
	c.Flags().BoolVar(&f.noNotes, "no-notes", false,
		"draw no notes, not even those in the sources and in this folder")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	addPersonal(c, &f.personal)
	addPricing(c, &f.pricing)
}

// noteFiles returns the files of notes that are not in the sources.
func (f *siteFlags) noteFiles() sitegen.NoteFiles {
	return sitegen.NoteFiles{Off: f.noNotes, Folders: []string{"."}, Files: f.findings, Written: f.notes}
}

// options returns the build options for these sources, or for the default ones if there are none.
func (f *siteFlags) options(sources []string) (sitegen.Options, error) {
	o := sitegen.Options{
		Sources: sources, Out: f.out, Force: f.force, Personal: f.personal, Pricing: f.pricing, Prune: f.prune,
		Narrow: f.pruneFiltered, NoSearch: f.noSearch, Redaction: f.redaction(), Version: version,
	}
	o.Notes = f.noteFiles()
	var err error
	if o.Filter, err = f.filter(); err != nil {
		return o, err
	}
	if f.out == "" {
		return o, usagef("-o is empty: name the folder of the site")
	}
	if err := checkFolder(f.out, "viewer export writes a session as one file"); err != nil {
		return o, err
	}
	return o, nil
}

type buildFlags struct {
	siteFlags
	watchFlags
	watch         bool
	strict, stats bool
	cache, shard  string
	facts         string
	cpuprofile    string
	memprofile    string
}

func newBuild(u *ui) *cobra.Command {
	var f buildFlags
	c := &cobra.Command{
		Use:   "build [SOURCE...]",
		Short: "Build a site from session logs",
		Long: `build writes a site from session logs. A SOURCE is a projects folder, the folder of
one project, or a session file. Without one, build reads the folders where coding
agents keep their sessions, such as ~/.claude/projects (docs/agents.md lists them).
If those have no sessions and there is no site yet, it builds a sample.

The folder of a site must have no other files, unless --force is given. Files that
viewer did not create are never changed, except those with the name of a file of the
site.`,
		Example: `  viewer build
  viewer build ~/.claude/projects -o site
  viewer build ab12.jsonl other.jsonl -o review --strict`,
		RunE: func(c *cobra.Command, args []string) error { return build(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "site", "folder to write the site to")
	f.siteFlags.add(c)
	c.Flags().StringVar(&f.cache, "cache", "use",
		"`WHAT` to do with pages of the last build: use them, or verify to draw everything and compare")
	c.Flags().BoolVar(&f.strict, "strict", false, "list every problem of the data, and exit with 3 if there is one")
	c.Flags().StringVar(&f.shard, "shard", "",
		"build only `SHARD`, such as 3/64; auto takes the number from the engine (see viewer help plan)")
	addFacts(c, &f.facts)
	c.Flags().BoolVar(&f.watch, "watch", false, "keep the site up to date, like viewer watch")
	f.watchFlags.add(c)
	c.Flags().BoolVar(&f.stats, "stats", false,
		"print the time of each stage, and the processor time and memory of the run")
	c.Flags().StringVar(&f.cpuprofile, "cpuprofile", "",
		"write a CPU profile to `FILE`, for go tool pprof")
	c.Flags().StringVar(&f.memprofile, "memprofile", "", "write a profile of allocations to `FILE`, for go tool pprof")
	return c
}

func build(ctx context.Context, u *ui, f buildFlags, sources []string) error {
	if f.watch {
		if f.strict || f.stats || f.cache != "use" || f.cpuprofile+f.memprofile+f.shard+f.facts != "" {
			return usagef("--watch runs until it is stopped: --strict, --stats, --cache, --facts, --shard and profiles are for one build")
		}
		return watchSite(ctx, u, f.siteFlags, f.watchFlags, sources)
	}
	if f.poll != 0 {
		return usagef("--poll is for --watch")
	}
	o, shard, err := f.complete(ctx, u, sources)
	if err != nil {
		return err
	}
	stop, err := startProfiles(f.cpuprofile, f.memprofile)
	if err != nil {
		return err
	}
	p := newProgress(u)
	o.Progress, o.Unread = p.update, u.unread
	buildSite := sitegen.Build
	if f.shard != "" {
		buildSite = func(ctx context.Context, o sitegen.Options) (sitegen.Report, error) {
			return sitegen.BuildShard(ctx, o, shard)
		}
	}
	u.begins(leavesSite)
	report, err := buildSite(ctx, o)
	p.done()
	if stopped := stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return err
	}
	u.begins("the site is complete")
	if f.shard != "" {
		summarize(u, report)
		u.line("shard %s is done; when all are: viewer merge %s", shard, storage.Words(f.out))
	} else {
		u.tellBuilt(report, f.out, f.strict)
		u.tellDeletions(u.columns() > 0, sources, time.Now())
	}
	if f.stats {
		printStats(u, report)
	}
	if n := len(report.Wrong); n > 0 {
		return fmt.Errorf("%s differed from a fresh build, replaced: %s", words.Plural(n, "file", "files"),
			strings.Join(report.Wrong[:min(n, 5)], ", "))
	}
	return strictly(report, f.strict)
}

// complete checks the flags, and returns the options of the build and its shard, if any.
func (f *buildFlags) complete(
	ctx context.Context, u *ui, sources []string,
) (o sitegen.Options, shard sitegen.Shard, err error) {
	if o, err = f.options(sources); err != nil {
		return o, shard, err
	}
	if o.Tables, err = withTables(f.facts); err != nil {
		return o, shard, err
	}
	switch {
	case f.shard != "":
		shard, err = f.shardOptions()
	case len(sources) == 0:
		err = f.orSample(u, &o)
	}
	if err != nil {
		return o, shard, err
	}
	switch f.cache {
	case "use":
	case "verify":
		o.Verify = true
	default:
		return o, shard, usagef("--cache %s is invalid: use or verify", f.cache)
	}
	err = checkOutputs(ctx, sources, outputFile("--cpuprofile", f.cpuprofile), outputFile("--memprofile", f.memprofile))
	return o, shard, err
}

// tellBuilt prints the result of a build or a merge, and the problems of the data.
func (u *ui) tellBuilt(report sitegen.Report, out string, strict bool) {
	out = storage.Words(out)
	if strict || u.verbose {
		for _, problem := range report.Problems {
			if !problem.Fault { // faults are printed in any case
				u.warn("%s", problem)
			}
		}
	}
	if n := report.Ledger.Sure; strict && n > 0 {
		u.warn("%s redacted in the pages but still in the logs: replace them where they are used",
			words.Plural(n, "secret was", "secrets were"))
	}
	if report.Fresh != "" {
		u.warn("%s; everything was drawn again", report.Fresh)
	}
	if n := report.Removed; n > 0 {
		u.line("%s of the last build removed from %s: not among those to build now, or empty",
			words.Plural(n, "session", "sessions"), out)
	}
	if report.Left > 0 {
		u.warn("%s of sessions that are no longer listed: to remove them, delete %s and build again",
			words.Plural(report.Left, "file stays", "files stay"), out)
	}
	summarize(u, report)
	u.open(out, "index.html")
}

// strictly returns the error of a build or a check with --strict. A fault of the program precedes problems of the data.
func strictly(r sitegen.Report, strict bool) error {
	switch {
	case !strict:
		return nil
	case len(r.Faults()) > 0:
		return errFaults
	case len(r.Problems)+r.Ledger.Generics()+r.Ledger.Sure > 0:
		return errStrict
	}
	return nil
}

// orSample builds a sample for new users: if no source was named, the default ones have no session, and there is no
// site yet.
func (f *buildFlags) orSample(u *ui, o *sitegen.Options) error {
	has, err := sitegen.HasUsual()
	if has || err != nil {
		return err
	}
	source := sitegen.UsualWords()
	if sitegen.IsSite(f.out) || storage.IsAddress(f.out) { // which may be a site
		return &failure.Error{
			Err:  fmt.Errorf("no sessions in %s: %s stays as it is", source, storage.Words(f.out)),
			Hint: "check that the folder exists and is the right one, or name another: viewer build FOLDER",
		}
	}
	if f.strict || sitegen.UsualChosen() {
		return &failure.Error{
			Err:  fmt.Errorf("no sessions in %s", source),
			Hint: "check that the folder exists and is the right one, or name another: viewer build FOLDER",
		}
	}
	u.line("no sessions in %s: building a sample", source)
	o.Sources, o.Sample = nil, sitegen.Sample()
	return nil
}

// sessionWords returns the number of sessions for the beginning of a line, and that of each coding agent if there are
// several: "3 sessions: 2 Claude Code, 1 Codex; ".
func sessionWords(r sitegen.Report) string {
	all := words.Plural(r.Sessions, "session", "sessions")
	if len(r.Agents) < 2 {
		return all + ", "
	}
	names := slices.SortedFunc(maps.Keys(r.Agents), func(a, b string) int {
		return cmp.Or(r.Agents[b]-r.Agents[a], strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = words.Count(r.Agents[name]) + " " + name
	}
	return all + ": " + strings.Join(names, ", ") + "; "
}

// summarize returns one line about what was built.
func summarize(u *ui, r sitegen.Report) {
	if r.Filter != "" {
		u.detail("chosen by %s", r.Filter)
	}
	u.detail("%s of logs, %s in the site, %s written", words.Size(int(r.InBytes)), words.Size(int(r.OutBytes)),
		words.Plural(r.Written, "file", "files"))
	drawn, kept, problems, faults := "", "", "", ""
	if r.Reused > 0 {
		drawn = fmt.Sprintf("rendered %s, reused %s", words.Count(r.Rendered), words.Count(r.Reused))
	}
	if r.Kept > 0 {
		kept = words.Count(r.Kept) + " kept"
	}
	if n := len(r.Problems); n > 0 {
		problems = words.Plural(n, "problem", "problems")
	}
	if n := len(r.Faults()); n > 0 {
		faults = words.Count(n) + " of them NOT SHOWN"
	}
	for _, p := range r.Faults() {
		u.fault("%s", p)
	}
	if n := r.Ledger.LogMissing; n > 0 {
		u.detail("%s; their agents are shown", words.Plural(n, "session log is missing", "session logs are missing"))
	}
	if n := r.Ledger.Missed; n > 0 {
		u.warn("%s not drawn: please report it", words.Plural(n, "record", "records"))
	}
	made := join(faults, words.Plural(r.Pages, "page", "pages"), kept, drawn, problems)
	u.line("%s%s in %s", sessionWords(r), made, r.Elapsed.Round(time.Millisecond))
}
