package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

var _ = register(tools, "Bash", "bash", viewBash)

type bash struct {
	row
	Description string
	Command     *output
	Output      *output
	Stderr      *output
	Note        string // what the program says of the exit code
	PR, PRHref  string // the pull request that it made
}

type bashInput struct {
	Command, Description      text
	DangerouslyDisableSandbox truth
	extra
}

type bashResult struct {
	Stdout, Stderr           text
	Interrupted, IsImage     truth
	ReturnCodeInterpretation text
	BackgroundTaskID         text
	TimedOutAfterMs          number
	GitOperation             struct {
		Commit jsontext.Value
		Push   struct{ Branch text }
		PR     struct {
			Number      number
			URL, Action text
		}
	}
}

func viewBash(c call) (bash, error) {
	var in bashInput
	if err := c.input(&in); err != nil {
		return bash{}, err
	}
	v := bash{row: row{Icon: "term", Target: oneLine(string(in.Command), 160), Shows: shows{Failure: true}}}
	v.More = c.d.fields(in.Rest)
	v.Command, v.Description = c.d.plain(string(in.Command)), oneLine(string(in.Description), 200)
	if bool(in.DangerouslyDisableSandbox) {
		v.Facts = append(v.Facts, fact{Text: "without sandbox", Look: "warn"})
	}
	stdout := c.text()
	var res bashResult
	if c.result(&res) && !c.failed() {
		// The text for the model mixes both streams; the log has them apart.
		if _, spilled := c.d.spill(normalize.SpilledOutput(c.Group)); !spilled && (res.Stdout != "" || res.Stderr != "") {
			if !bool(res.IsImage) || stdout != "" { // of a picture, stdout is its data once more
				stdout = string(res.Stdout)
			}
			v.Stderr = c.d.terminal(string(res.Stderr))
		}
		v.Note = string(res.ReturnCodeInterpretation)
		switch {
		case res.BackgroundTaskID != "":
			v.Look = "bg"
			v.Facts = append(v.Facts, fact{Text: "in background", Main: true})
		case res.TimedOutAfterMs > 0:
			v.Facts = append(v.Facts, fact{Text: "timed out after " + millis(float64(res.TimedOutAfterMs)), Look: "warn", Main: true})
		case bool(res.Interrupted):
			v.Look = "interrupted"
			v.Facts = append(v.Facts, fact{Text: "interrupted", Look: "warn", Main: true})
		}
	}
	v.git(res)
	if c.State == normalize.Failed {
		if code, rest, ok := cutExitCode(stdout); ok {
			v.Facts = append(v.Facts, fact{Text: "exit " + code, Look: "bad", Main: true})
			stdout = rest
		}
	}
	v.Output = c.d.terminal(stdout)
	if v.Output != nil && v.Output.Lines > 1 && !c.failed() {
		v.Facts = append(v.Facts, fact{Text: plural(markup.Lines(strings.TrimSpace(stdout)), "line", "lines")})
	}
	return v, nil
}

// git says what the command did to the repository, as the program saw it.
func (v *bash) git(res bashResult) {
	op := res.GitOperation
	if op.Commit != nil && transcript.Kind(op.Commit) != 'n' {
		v.Facts = append(v.Facts, fact{Text: "committed", Look: "add"})
	}
	if op.Push.Branch != "" {
		v.Facts = append(v.Facts, fact{Text: "pushed " + oneLine(string(op.Push.Branch), 40), Look: "add"})
	}
	if op.PR.Number > 0 {
		v.PR = "pull request #" + count(int(op.PR.Number))
		if op.PR.Action != "" {
			v.PR += " " + oneLine(string(op.PR.Action), 20)
		}
		v.Facts = append(v.Facts, fact{Text: "PR #" + count(int(op.PR.Number)), Look: "add"})
		v.PRHref = markup.Link(string(op.PR.URL))
	}
}

// cutExitCode takes "Exit code 1" from the start of an error.
func cutExitCode(s string) (code, rest string, ok bool) {
	after, ok := strings.CutPrefix(s, "Exit code ")
	if !ok {
		return "", s, false
	}
	code, rest, _ = strings.Cut(after, "\n")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return "", s, false
	}
	return code, rest, true
}
