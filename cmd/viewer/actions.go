package main

import (
	"fmt"
	"strconv"
	"strings"

	"viewer/internal/console"
	"viewer/internal/report"
	"viewer/internal/runs"
	"viewer/internal/sitegen/output"
)

// actions writes workflow commands for the runner of GitHub Actions. Text of a log is escaped, so that a line of it
// does not become a command.
type actions struct {
	u   *ui
	env func(string) string
}

// maxAnnotations limits the annotations of a step. The service shows no more.
const maxAnnotations = 10

// on reports whether the program runs in GitHub Actions.
func (a actions) on() bool { return a.env("GITHUB_ACTIONS") == "true" }

// tell writes the outputs of the step and its annotations. Outside of GitHub Actions it does nothing.
func (a actions) tell(account *runs.Account, out string) error {
	if !a.on() {
		return nil
	}
	f := account.Facts
	for _, why := range f.Failures {
		fmt.Fprintln(a.u.err.Raw(), command(report.Annotation{Error: true, Title: "viewer report", Text: why}))
	}
	for _, n := range account.Annotations() {
		fmt.Fprintln(a.u.err.Raw(), command(n))
	}
	file := a.env("GITHUB_OUTPUT")
	if file == "" {
		return nil
	}
	var b strings.Builder
	for _, o := range []struct{ name, value string }{
		{"report", out},
		{"cost", strconv.FormatFloat(f.CostUSD, 'f', 4, 64)},
		{"unpriced", strings.Join(f.Unpriced, ", ")},
		{"sessions", strconv.Itoa(f.Sessions)},
		{"outcome", string(f.Outcome)},
	} {
		if !strings.ContainsAny(o.value, "\r\n") {
			b.WriteString(o.name + "=" + o.value + "\n")
		}
	}
	return output.AppendFile(file, []byte(b.String()))
}

var (
	inMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	inProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// command returns the workflow command for an annotation.
func command(n report.Annotation) string {
	level := "warning"
	if n.Error {
		level = "error"
	}
	var properties []string
	add := func(name, value string) {
		if value != "" {
			properties = append(properties, name+"="+inProperty.Replace(console.Text(value)))
		}
	}
	add("file", n.File)
	if n.Line > 0 {
		add("line", strconv.Itoa(n.Line))
	}
	add("title", n.Title)
	return "::" + level + " " + strings.Join(properties, ",") + "::" + inMessage.Replace(console.Text(n.Text))
}
