package render

import (
	"strings"

	"viewer/render/page"
)

var _ = register(systems, "stop_hook_summary", "stop_hook_summary", viewStopHookSummary)

type stopHookSummary struct {
	line
	Hooks   []ranHook
	Errors  []*output
	Context *output
	Reason  string
	Long    []field // commands that the list cuts off
}

// A ranHook is one command that ran when the turn ended.
type ranHook struct{ Command, Took string }

func viewStopHookSummary(e event) (stopHookSummary, error) {
	var in struct {
		HookCount number
		HookInfos []struct {
			Command    text
			DurationMs number
		}
		HookErrors            []hookContent
		HookAdditionalContext hookContent
		PreventedContinuation truth
		StopReason            text
	}
	if err := e.decode(&in); err != nil {
		return stopHookSummary{}, err
	}
	v := stopHookSummary{line: line{Icon: "hook", Text: "Stop hook", Level: atTools}, Reason: string(in.StopReason)}
	total := 0.0
	for _, h := range in.HookInfos {
		r := ranHook{Command: oneLine(string(h.Command), 200)}
		if h.DurationMs > 0 {
			r.Took = millis(float64(h.DurationMs))
			total += float64(h.DurationMs)
		}
		v.Hooks = append(v.Hooks, r)
		if said := strings.TrimSpace(string(h.Command)); said != r.Command {
			v.Long = append(v.Long, e.d.said("all of the command", said))
		}
	}
	n := max(int(in.HookCount), len(v.Hooks))
	if n > 0 {
		v.Text += dot + plural(n, "command", "commands")
	}
	if total > 0 {
		v.Text += dot + millis(total)
	}
	for _, err := range in.HookErrors {
		if o := e.d.terminal(string(err)); o != nil {
			v.Errors = append(v.Errors, o)
		}
	}
	if len(v.Errors) > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: plural(len(v.Errors), "error", "errors"), Look: "bad", Main: true})
		v.Open = true
	}
	if bool(in.PreventedContinuation) {
		v.Facts = append(v.Facts, page.Fact{Text: "stopped the turn", Look: "warn", Main: true})
	}
	v.Context = e.d.plain(string(in.HookAdditionalContext))
	return v, nil
}
