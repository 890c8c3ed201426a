package render

import (
	"cmp"
	"html/template"
	"strings"
	"time"

	"viewer/render/page"
)

// A boxed is an element in a box of calls: a call, or something between two calls that is only shown at the level
// Everything.
type boxed struct {
	html template.HTML // with the lines of the level As sent around it
	call *drawnCall    // nil if not a call
}

// In a longer row of calls of one tool, the successful ones fold into one row. Failed ones stay visible in their
// places, and so do a few next to them that are too few to fold.
const (
	runMost  = 5
	runWorth = 3
)

// runs folds many neighbouring calls of one tool into one row.
func runs(all []boxed) []template.HTML {
	var out []template.HTML
	for len(all) > 0 {
		n, calls := sameTool(all)
		if calls <= runMost {
			for _, b := range all[:n] {
				out = append(out, b.html)
			}
			all = all[n:]
			continue
		}
		for rest := all[:n]; len(rest) > 0; {
			if rest[0].call == nil { // after a call that must be seen: a row begins with a call
				out, rest = append(out, rest[0].html), rest[1:]
				continue
			}
			k, folding := foldable(rest)
			if folding >= runWorth {
				out = append(out, page.Execute("partial/run", newRun(rest[:k], folding)))
			} else {
				k = max(k, 1)
				for _, b := range rest[:k] {
					out = append(out, b.html)
				}
			}
			rest = rest[k:]
		}
		all = all[n:]
	}
	return out
}

// sameTool counts the elements up to the last call of the same tool as the first, and the calls among them.
func sameTool(all []boxed) (n, calls int) {
	if all[0].call == nil {
		return 1, 0
	}
	for i, b := range all {
		switch {
		case b.call == nil:
		case b.call.tool != all[0].call.tool:
			return n, calls
		default:
			n, calls = i+1, calls+1
		}
	}
	return n, calls
}

// foldable counts the elements up to the last call before one that must be visible, and the calls among them.
func foldable(all []boxed) (n, calls int) {
	for i, b := range all {
		switch {
		case b.call == nil:
		case !b.call.folds:
			return n, calls
		default:
			n, calls = i+1, calls+1
		}
	}
	return n, calls
}

// runView is a row for many calls.
type runView struct {
	Icon, Name, Target string
	Prose              bool
	Facts              []page.Fact
	Items              []template.HTML
}

// newRun sums up consecutive calls of one tool, beginning with the first item.
func newRun(all []boxed, calls int) runView {
	first := all[0].call
	v := runView{Icon: first.row.Icon, Name: first.name, Prose: first.row.Prose}
	if first.row.Kind != "" {
		v.Name = first.row.Kind
	}
	v.Name = count(calls) + " × " + v.Name
	var targets []string
	said := make(map[string]bool)
	purposes := true
	changed, added, removed, hooks := false, 0, 0, 0
	var took time.Duration
	for _, b := range all {
		v.Items = append(v.Items, b.html)
		if b.call == nil {
			continue
		}
		r := b.call.row
		what := cmp.Or(r.Purpose, r.Target)
		purposes = purposes && r.Purpose != ""
		if r.Path != "" {
			what = r.Path[strings.LastIndexAny(r.Path, `/\`)+1:]
		}
		if what = oneLine(what, 60); what != "" && !said[what] {
			said[what] = true
			targets = append(targets, what)
		}
		changed = changed || r.Changes
		added += r.Added
		removed += r.Removed
		hooks += b.call.hooks
		took += b.call.took
	}
	v.Prose = v.Prose || purposes
	v.Target = oneLine(strings.Join(targets, ", "), 200)
	if changed {
		v.Facts = page.PlusMinus(added, removed)
	}
	if took >= time.Second {
		v.Facts = append(v.Facts, page.Fact{Text: duration(took)})
	}
	if hooks > 0 {
		v.Facts = append(v.Facts, page.Fact{Text: plural(hooks, "hook", "hooks")})
	}
	return v
}
