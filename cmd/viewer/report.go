package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/failure"
	"viewer/internal/report"
	"viewer/internal/runs"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
	"viewer/internal/words"
)

type reportFlags struct {
	filterFlags
	choiceFlags
	redactFlags
	matrixFlags
	out, summary, json string
	comment            string
	baseURL, failOn    string
	personal           bool
	pricing            string
	force, tee         bool
}

func newReport(u *ui) *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report FILE...",
		Short: "Report what a run of an agent did, for a CI job",
		Long: `report reads the logs of agent runs and reports what happened. A FILE is the execution
file of the CI action, the stream-json output of claude -p, a session file, a projects
folder, or - for standard input. Files may be in UTF-16 or gzip.

-o report.html writes one page that needs no other file; -o with any other name writes
a site. --summary writes Markdown for the page of a job, at most 900 KB: outcome, cost,
changed files, failed commands, denied calls, the answer, and every prompt and call,
folded. --json writes the same facts.

--comment writes Markdown for a pull or merge request, at most 64 KB: prompts, net
changes, tests, failed commands, denied calls, tokens and cost. Without any of these
flags the summary is printed.

--branch, --commit and --pr select sessions by what they did in a repository: from the
files, or from your sessions in the current repository (--project names others). A
pull request has the sessions that opened or changed it, those that their log links
with it, and others on its branch up to then. Rebased commits are recognized by subject
and time.

In GitHub Actions the summary goes to $GITHUB_STEP_SUMMARY, unless --summary names
another file ("" for none). The outputs report, cost, unpriced, sessions and outcome go
to $GITHUB_OUTPUT, and lines that failed commands name become annotations.

--matrix begins the summary with a table of many runs of the same tasks: tasks by
models, or with --by by agents, prompts or sources. A cell has the result of a run, its
cost and its turns. See viewer compare --matrix for --rows and --verdicts.

--fail-on exits with 3 if a condition is met:
  error     a run failed, was stopped, or did not finish
  denied    a call was not allowed
  secret    a secret was found and redacted
  problem   something in the log could not be used
  cost=5.00 a run cost more than this many dollars, or its cost is unknown
  turns=50  there were more turns
If there is no run, the exit code is 1, or 3 with any condition.`,
		Example: `  viewer report claude-execution-output.json -o report.html
  claude -p "Mend the tests" --output-format stream-json --verbose | viewer report -
  claude -p "Mend the tests" --output-format stream-json --verbose | viewer report - --tee -o report.html
  viewer report run.jsonl -o report/ --summary summary.md --fail-on error,cost=5.00
  viewer report jobs/ --matrix --summary summary.md
  viewer report --pr 7 --comment comment.md
  viewer report --commit main..HEAD --comment - --project .`,
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("summary") {
				f.summary = os.Getenv("GITHUB_STEP_SUMMARY")
			}
			return writeReport(c.Context(), u, f, args)
		},
	}
	c.Flags().StringVarP(&f.out, "output", "o", "",
		"`PATH` of the report: one file if it ends in .html, otherwise the folder of a site")
	c.Flags().StringVar(&f.summary, "summary", "",
		"write the summary to `FILE` in Markdown; - prints it (default $GITHUB_STEP_SUMMARY)")
	c.Flags().StringVar(&f.json, "json", "", "write the facts to `FILE` as JSON; - prints them")
	c.Flags().StringVar(&f.comment, "comment", "",
		"write a comment for the reviewer to `FILE`, in Markdown, at most 64 KB; - prints it")
	c.Flags().StringVar(&f.baseURL, "base-url", "",
		"future `ADDRESS` of the folder of the report, or of its page, for links in the summary")
	c.Flags().StringVar(&f.failOn, "fail-on", "",
		"exit with 3 on `CONDITIONS`, separated by commas: error, denied, secret, problem, cost=5.00, turns=50")
	c.Flags().BoolVar(&f.force, "force", false, "build a site into a folder that has other files")
	addPersonal(c, &f.personal)
	addPricing(c, &f.pricing)
	c.Flags().BoolVar(&f.tee, "tee", false, "also copy standard input to standard output")
	f.filterFlags.add(c)
	f.choiceFlags.add(c)
	f.matrixFlags.add(c, "begin the summary with a table of many runs")
	f.redactFlags.add(c)
	return c
}

// An errFailOn is the error of a report that meets conditions, and names them.
var errFailOn = errors.New("--fail-on")

// stdin is the name of standard input.
const stdin = "standard input"

func writeReport(ctx context.Context, u *ui, f reportFlags, files []string) error {
	conditions, err := f.complete(ctx, u, files)
	if err != nil {
		return err
	}
	o := sitegen.Options{
		Out: f.out, Force: f.force, Personal: f.personal, Pricing: f.pricing, Redaction: f.redaction(),
		Version: version, Fault: u.leftOut, Unread: u.unread,
	}
	if o.Filter, err = f.filter(); err != nil {
		return err
	}
	var tee []io.Writer
	passed := new(passage)
	if f.tee {
		passed = &passage{to: u.stream()}
		tee = append(tee, passed)
	}
	if files, err = f.reportFiles(ctx, files, &o.Filter); err != nil {
		return err
	}
	in, err := readInput(ctx, u, files, tee...)
	if err != nil {
		return err
	}
	defer in.drop()
	o.Sources = in.files
	a := actions{u: u, env: os.Getenv}
	wanted := f.wanted(a)
	wanted.Conditions = conditions
	account, err := f.account(ctx, u, &o, wanted)
	var none error // why there is no session
	if err != nil && isNone(err, o.Sources) {
		none, err = reportError(err), nil
		account = runs.NoAccount(wanted, report.Missing{Reason: none.Error()})
	}
	if err != nil {
		return err
	}
	defer account.Close()
	nameStreams(account.Facts.Missing, in)
	account.Facts.Judge(conditions)
	facts := account.Facts
	o.Failures = facts.Failures
	drawn, err := f.draw(ctx, o, account)
	if err != nil {
		return err
	}
	if err := f.write(u, account); err != nil {
		return err
	}
	if err := a.tell(account, drawn); err != nil {
		return err
	}
	printResult(u, facts, drawn)
	if passed.failed != nil {
		return fmt.Errorf("passing the stream on: %w", failure.Cause(passed.failed))
	}
	return verdict(facts, conditions, none)
}

// draw writes the page or the site of the report, and returns its path, "" for none.
func (f *reportFlags) draw(ctx context.Context, o sitegen.Options, account *runs.Account) (string, error) {
	switch {
	case account.Facts.Sessions == 0:
		return "", nil // there is nothing to draw
	case isPage(f.out):
		return f.out, output.WriteFileBy(f.out, account.Page)
	case f.out != "":
		o.Narrow = true // the folder is only for this report
		_, err := sitegen.Build(ctx, o)
		return f.out, err
	}
	return "", nil
}

// complete checks the flags, and returns the conditions of --fail-on.
func (f *reportFlags) complete(ctx context.Context, u *ui, files []string) ([]report.Condition, error) {
	if err := f.choiceFlags.check(); err != nil {
		return nil, err
	}
	conditions, err := report.ParseConditions(f.failOn)
	if err != nil {
		return nil, usagef("--fail-on %w", err)
	}
	if f.off && report.Asks(conditions, "secret") {
		return nil, usagef("--fail-on secret is unsupported with --no-redact, which looks for no secrets")
	}
	if err := checkBase(f.baseURL); err != nil {
		return nil, err
	}
	if err := f.matrixFlags.check(u); err != nil {
		return nil, err
	}
	if f.matrix && !f.summarizes() {
		return nil, usagef("--matrix is a table of the summary: name a file with --summary")
	}
	err = checkOutputs(ctx, files, outputFile("-o", f.out), outputFile("--summary", f.summary),
		outputFile("--comment", f.comment), outputFile("--json", f.json))
	if err == nil && !isPage(f.out) {
		err = checkFolder(f.out, "one page ends in .html")
	}
	if err == nil && f.tee {
		err = f.checkTee(files)
	}
	return conditions, err
}

// isNone reports whether an error is about sources without a session.
func isNone(err error, sources []string) bool {
	return errors.Is(err, sitegen.ErrNone) || errors.Is(err, os.ErrNotExist) &&
		slices.ContainsFunc(sources, func(name string) bool {
			_, err := os.Stat(name)
			return errors.Is(err, os.ErrNotExist)
		})
}

// nameStreams replaces the names of temporary files with those that the user gave.
func nameStreams(missing []report.Missing, in input) {
	for i := range missing {
		missing[i].Source = cmp.Or(in.kept[missing[i].Source], missing[i].Source)
	}
}

// noRunHint tells the user which files a report reads.
const noRunHint = "give a file that the agent wrote: an execution file, stream-json output, a session file or a projects folder"

// verdict returns the error of a report. none is the reason if there is no session.
func verdict(f report.Facts, conditions []report.Condition, none error) error {
	if len(f.Failures) == 0 {
		return nil
	}
	var known *failure.Error
	hint := ""
	switch {
	case errors.As(none, &known):
		hint = known.Hint
	case len(f.Missing) > 0 || f.Outcome == report.None:
		hint = noRunHint
	case len(f.Unpriced) > 0 && report.Asks(conditions, "cost"):
		hint = "--pricing gives models a price"
	}
	why := strings.Join(f.Failures, "; ")
	if len(conditions) > 0 {
		return &failure.Error{Err: fmt.Errorf("%w: %s", errFailOn, why), Hint: hint}
	}
	return &failure.Error{Err: errors.New(why), Hint: hint}
}

// isPage reports whether a path names one page and not the folder of a site.
func isPage(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".html" || ext == ".htm"
}

func checkBase(address string) error {
	if address == "" {
		return nil
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return usagef("--base-url %s is invalid: an address that begins with https:// or http://", address)
	}
	return nil
}

// account reads the chosen sessions.
func (f *reportFlags) account(
	ctx context.Context, u *ui, o *sitegen.Options, wanted runs.Wanted,
) (*runs.Account, error) {
	if err := f.take(ctx, u, o, wanted.Comment); err != nil {
		return nil, err
	}
	if f.matrix {
		if err := f.tabulate(ctx, *o, wanted.Summary); err != nil {
			return nil, err
		}
	}
	return runs.NewAccount(ctx, *o, wanted)
}

// take chooses sessions by the flags, and records why.
func (f *reportFlags) take(ctx context.Context, u *ui, o *sitegen.Options, comment *report.CommentOptions) error {
	if f.choiceFlags.String() == "" {
		return nil
	}
	choice, err := f.choose(ctx, *o)
	if err != nil {
		return err
	}
	o.Filter.Choice, o.Filter.Files = f.choiceFlags.String(), choice.Files
	u.line("%s", choice.Why)
	if comment != nil {
		comment.Choice = choice.Why
	}
	return nil
}

// reportFiles returns the files to read.
func (f *reportFlags) reportFiles(ctx context.Context, files []string, filter *sitegen.Filter) ([]string, error) {
	if len(files) > 0 {
		return files, nil
	}
	if f.choiceFlags.String() != "" {
		f.here(ctx, filter)
		return nil, nil // the usual folders
	}
	dir := os.Getenv("RUNNER_TEMP")
	if os.Getenv("GITHUB_ACTIONS") != "true" || dir == "" {
		return nil, usagef("viewer report needs at least one file")
	}
	return []string{filepath.Join(dir, "claude-execution-output.json")}, nil
}

// checkTee returns an error for flags that also write to standard output.
func (f *reportFlags) checkTee(files []string) error {
	switch {
	case !slices.Contains(files, "-"):
		return usagef("--tee passes standard input on: give - as a file")
	case f.summary == "-" || f.json == "-" || f.comment == "-",
		f.summary == "" && f.json == "" && f.comment == "" && f.out == "":
		return usagef("--tee passes the stream on to standard output: write the report with -o, --summary, --comment or --json to a file")
	}
	return nil
}

// reportError adds the usual cause of a missing file to an error.
func reportError(err error) error {
	if known, ok := errors.AsType[*failure.Error](err); ok && errors.Is(err, os.ErrNotExist) {
		hint := "give a file that the agent wrote; viewer list --json names those of sessions"
		if inCI() {
			hint = "the step that runs the agent writes it: let this one run after it, also when it failed (if: always())"
		}
		return &failure.Error{Err: known.Err, Hint: hint}
	}
	return err
}

// wanted returns which parts of each run are kept.
func (f *reportFlags) wanted(a actions) runs.Wanted {
	var w runs.Wanted
	if w.JSON = f.json != ""; f.summarizes() {
		w.Summary = &report.SummaryOptions{BaseURL: f.baseURL}
		if f.summary != "" && f.ofStep() { // other commands of the step may have written to it
			if info, err := os.Stat(f.summary); err == nil {
				w.Summary.Limit = max(report.Limit-int(info.Size()), 2000)
			}
		}
	}
	if f.comment != "" {
		w.Comment = &report.CommentOptions{BaseURL: f.baseURL}
	}
	if isPage(f.out) {
		w.Single = filepath.Base(f.out)
	}
	if a.on() {
		w.Annotations = maxAnnotations
	}
	return w
}

// summarizes reports whether there is a summary.
func (f *reportFlags) summarizes() bool {
	return f.summary != "" || f.out == "" && f.json == "" && f.comment == ""
}

// ofStep reports whether the summary is written for a step of GitHub Actions.
func (f *reportFlags) ofStep() bool { return f.summary == os.Getenv("GITHUB_STEP_SUMMARY") }

// write writes the summary and the facts to the files that the flags name.
func (f *reportFlags) write(u *ui, account *runs.Account) error {
	switch f.json {
	case "":
	case "-":
		if err := account.JSON(unchecked{u.out}); err != nil {
			return err
		}
	default:
		if err := output.WriteFileBy(f.json, account.JSON); err != nil {
			return err
		}
	}
	if f.comment != "" {
		if err := u.put(f.comment, account.Comment()); err != nil {
			return err
		}
	}
	if !f.summarizes() {
		return nil
	}
	summary, err := account.Summary()
	summary = append(f.table, summary...)
	switch {
	case err != nil:
		return err
	case f.summary == "":
		return u.put("-", summary)
	case f.ofStep():
		return output.AppendFile(f.summary, summary)
	}
	return u.put(f.summary, summary)
}

// An unchecked writer ignores errors of printing, since they are checked at the end.
type unchecked struct{ w io.Writer }

func (h unchecked) Write(data []byte) (int, error) {
	_, _ = h.w.Write(data) // see ui.print
	return len(data), nil
}

// put writes data to a file, or prints it for "-".
func (u *ui) put(name string, data []byte) error {
	if name == "-" {
		_, _ = u.out.Write(data) // see ui.print
		return nil
	}
	return output.WriteFile(name, data)
}

// printResult prints one line about the result.
func printResult(u *ui, f report.Facts, out string) {
	runs := ""
	if f.Sessions != 1 {
		runs = words.Plural(f.Sessions, "run", "runs")
	}
	if f.Sessions == 0 {
		u.line("outcome %s", f.Outcome)
		return
	}
	u.line("%s", join(runs, "outcome "+string(f.Outcome), words.Plural(f.Turns, "turn", "turns"), f.Cost(),
		words.Duration(time.Duration(f.Seconds*1e9))))
	switch {
	case isPage(out):
		u.line("open %s", out)
	case out != "":
		u.open(out, "index.html")
	}
}
