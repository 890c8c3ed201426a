package render

import (
	"html/template"
	"strings"

	"viewer/normalize"
	"viewer/render/page"
)

// statusWords describe synthetic texts.
var statusWords = map[normalize.StatusKind]string{
	normalize.Interrupted:     "Interrupted by you",
	normalize.InterruptedCall: "Interrupted by you during a tool call",
	normalize.Cancelled:       "Cancelled by you",
	normalize.Declined:        "Declined by you",
	normalize.NoResponse:      "No response requested",
	normalize.MissingResult:   "A tool result is missing",
	normalize.HookStopped:     "Stopped by a hook",
}

type statusView struct {
	ID, Text string
	Level    level
	When     page.Stamp
}

func (d *drawer) status(m *normalize.Message) template.HTML {
	d.drawn(m)
	v := statusView{ID: m.Anchor, Text: statusWords[m.Status], Level: d.saidAt(m), When: page.Clock(m.Time())}
	if m.Record.ShutDown {
		v.Text = "Interrupted: the program was closed"
	}
	if m.Status == normalize.NoResponse {
		v.Level = atEverything
	}
	if why, ok := strings.CutPrefix(m.Text, normalize.StoppedByHook); ok {
		l := line{Icon: "stop", Text: oneLine(v.Text+why, 200), Level: v.Level}
		return d.note(m, l, d.terminalIfLonger(m.Text, 200))
	}
	switch strings.TrimSpace(m.Text) {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]", "No response requested.",
		"[Tool result missing due to internal error]":
		d.show(v.Level)
		return page.Execute("partial/status", v)
	}
	// It has more details: a time, or what the model should do now.
	return d.note(m, line{Icon: "stop", Text: v.Text, Level: v.Level}, page.Execute("partial/output", d.plain(m.Text)))
}
