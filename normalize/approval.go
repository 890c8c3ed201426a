package normalize

import (
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// planPrompt begins the prompt that the program writes when the user approves a plan and clears the context with it.
const planPrompt = "Implement the following plan:"

// PlanOf returns the plan of a prompt that the program wrote with it, and any other prompt as it is.
func PlanOf(prompt string) string {
	plan, ok := strings.CutPrefix(prompt, planPrompt)
	if plan = strings.TrimSpace(plan); !ok || plan == "" {
		return prompt
	}
	return plan
}

// markApproved corrects what the log says of plans with whose approval the user cleared the context: the program stops
// the call as if the user had declined it, and writes the plan as the next prompt. It returns the items without the
// interruptions of these calls.
func markApproved(items []Item) []Item {
	var next *Message                  // the next prompt that may have a plan, if nothing was said before it
	var stops []*Message               // interruptions before that prompt
	var approved map[*Message]struct{} // interruptions of approved plans
	for i := len(items) - 1; i >= 0; i-- {
		switch it := items[i].(type) {
		case *Message:
			switch {
			case it.Kind == Prompt && !it.Queued:
				next, stops = nil, nil
				if strings.HasPrefix(it.Text, planPrompt) {
					next = it
				}
			case it.Status == InterruptedCall:
				stops = append(stops, it)
			case it.Kind != Hook:
				next = nil
			}
		case *Group:
			if next != nil && declinedPlan(it) {
				it.State, next.Anew = Done, true
				if approved == nil {
					approved = make(map[*Message]struct{})
				}
				for _, m := range stops {
					m.Rule = ruleApproved
					approved[m] = struct{}{}
				}
			}
			next = nil
		}
	}
	if approved == nil {
		return items
	}
	return slices.DeleteFunc(items, func(item Item) bool {
		m, ok := item.(*Message)
		_, gone := approved[m]
		return ok && gone
	})
}

// declinedPlan reports whether a call has a plan, and was declined without a reason.
func declinedPlan(g *Group) bool {
	if g.State != CallDeclined || g.Call == nil || g.Result == nil || len(g.Result.Block.Content) != 1 {
		return false
	}
	plan := transcript.String(transcript.Field(g.Call.Block.Input, "plan"))
	return plan != "" && statusOf(g.Result.Block.Content[0].Text) == Declined
}
