package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// PowerShell is Bash on Windows, with the same input and result.
var (
	_ = claudeShell("Bash")
	_ = claudeShell("PowerShell")
)

func claudeShell(name string) struct{} {
	return register(Tool{
		Name: name, Icon: "term", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describeBash, Files: bashFiles,
	})
}

// Bash is the output of a command, and its effect on the repository. Command and Description are those of the Call.
type Bash struct {
	Stdout      string // both streams, if the log does not separate them
	Stderr      string
	Note        string // explanation of the exit code by the program
	PullRequest string // "pull request #7 created"; "" for none
	Address     string // address of the pull request, as in the log
}

type bashResult struct {
	Stdout, Stderr           fields.Text
	Interrupted, IsImage     fields.Bool
	ReturnCodeInterpretation fields.Text
	BackgroundTaskID         fields.Text
	TimedOutAfterMs          fields.Number
	BashEditDiff             jsontext.Value
	GitOperation             struct {
		Commit jsontext.Value
		Push   struct{ Branch fields.Text }
		PR     struct {
			Number      fields.Number
			URL, Action fields.Text
		}
	}
}

func describeBash(c *Call) error {
	var in struct {
		Command                   jsontext.Value
		Description               fields.Text
		DangerouslyDisableSandbox fields.Bool
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Description, c.Rest = commandText(in.Command), string(in.Description), in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	if bool(in.DangerouslyDisableSandbox) {
		c.Facts = append(c.Facts, Fact{Text: "without sandbox", Tone: Warning})
	}
	output := c.text()
	b := Bash{Stdout: output}
	var res bashResult
	if c.result(&res) && !c.failed() {
		// The text for the model mixes both streams; the log has them separately.
		if (res.Stdout != "" || res.Stderr != "") && !c.isSpilled() {
			if !bool(res.IsImage) || output != "" { // for a picture, stdout repeats its data
				b.Stdout = string(res.Stdout)
			}
			b.Stderr = string(res.Stderr)
		}
		b.Note = string(res.ReturnCodeInterpretation)
		switch {
		case res.BackgroundTaskID != "":
			c.runsOn("in background")
		case res.TimedOutAfterMs > 0:
			c.mark("timed out after "+words.Milliseconds(float64(res.TimedOutAfterMs)), Warning)
		case bool(res.Interrupted):
			c.Interrupted = true
			c.mark("interrupted", Warning)
		}
	}
	b.git(c, res)
	c.changedByCommand(res.BashEditDiff)
	if c.group.State == normalize.Failed {
		if code, rest := cutExit(b.Stdout); code != "" {
			c.Exit = code
			c.mark("exit "+code, Bad)
			b.Stdout = rest
		}
	}
	if !c.failed() && markup.Lines(trimmed(b.Stdout)) > 1 {
		c.fact(words.Plural(markup.Lines(strings.TrimSpace(b.Stdout)), "line", "lines"))
	}
	c.Detail = b
	return nil
}

// git adds the effect of the command on the repository, as Claude Code recorded it.
func (b *Bash) git(c *Call, res bashResult) {
	op := res.GitOperation
	if op.Commit != nil && transcript.Kind(op.Commit) != 'n' {
		c.Facts = append(c.Facts, Fact{Text: "committed", Tone: Added})
	}
	if op.Push.Branch != "" {
		c.Facts = append(c.Facts, Fact{Text: "pushed " + words.Line(string(op.Push.Branch), 40), Tone: Added})
	}
	if op.PR.Number > 0 {
		b.PullRequest = "pull request #" + words.Count(int(op.PR.Number))
		if op.PR.Action != "" {
			b.PullRequest += " " + words.Line(string(op.PR.Action), 20)
		}
		c.Facts = append(c.Facts, Fact{Text: "PR #" + words.Count(int(op.PR.Number)), Tone: Added})
		b.Address = string(op.PR.URL)
	}
}

// trimmed returns a text without blanks at its end and empty lines at its start.
func trimmed(s string) string { return strings.TrimLeft(strings.TrimRight(s, " \t\r\n"), "\n") }
