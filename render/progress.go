package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// progress draws the last progress of a call without a result: the end of the output of a command, the step of an
// agent, the state of a server.
func (p *pageState) progress(m *normalize.Message) *output {
	var in struct {
		Output, FullOutput, Status, ServerName, ToolName, Query, TaskDescription, Prompt text
		ElapsedTimeSeconds, ElapsedTimeMs, TotalLines, ResultCount                       number
		Message                                                                          jsontext.Value
	}
	if err := decode(m.Record.Data, &in); err != nil {
		return p.code(transcript.Pretty(m.Record.Raw), "json")
	}
	var lines []string
	if in.ElapsedTimeSeconds > 0 {
		lines = append(lines, "after "+millis(float64(in.ElapsedTimeSeconds)*1000))
	}
	lines = append(lines, words.NonEmpty(string(in.Status), string(in.ServerName), string(in.ToolName),
		string(in.Query), string(in.TaskDescription))...)
	if in.ResultCount > 0 {
		lines = append(lines, plural(int(in.ResultCount), "result", "results"))
	}
	switch {
	case in.FullOutput != "":
		lines = append(lines, string(in.FullOutput))
	case in.Output != "":
		lines = append(lines, string(in.Output))
	case in.Message != nil:
		lines = append(lines, transcript.Pretty(in.Message))
	}
	if len(lines) == 0 {
		return p.code(transcript.Pretty(m.Record.Data), "json")
	}
	return p.terminal(strings.Join(lines, "\n"))
}
