package sweagent

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// tasks are what the programs write around the task in the first message, as in their configurations. More specific
// ones come first.
var tasks = []sources.Frame{
	{Open: "<pr_description>\nConsider the following PR description:\n", End: "\n</pr_description>"},
	{Open: "<pr_description>\n", End: "\n</pr_description>"},
	{Open: "\nISSUE:\n", End: "\nINSTRUCTIONS:\n"},
	{Open: "We're currently solving the following CTF challenge. ", End: "\nINSTRUCTIONS:\n"},
	{Open: "Please solve this issue: ", End: "\n\nYou can execute bash commands"},
}

// task translates the first message: the task, between instructions of the program.
func (t *translator) task(blocks []transcript.Block) {
	if len(blocks) != 1 || blocks[0].Type != "text" {
		t.user(transcript.PromptText, blocks)
		return
	}
	before, task, after := sources.CutTask(blocks[0].Text, tasks)
	t.user(transcript.InjectedText, t.text(before))
	t.user(transcript.PromptText, t.text(task))
	t.user(transcript.InjectedText, t.text(after))
}

// text returns a text as a block, or nil if it is empty.
func (t *translator) text(s string) []transcript.Block {
	if s == "" {
		return nil
	}
	return []transcript.Block{t.Text(s)}
}

// interposed translates what the human of mini-swe-agent wrote while the model worked, with words of the program before
// it. It reports whether the text is such a message.
func (t *translator) interposed(text string) bool {
	const rejected, interrupted = "Command not executed. ", "Interrupted by user: "
	const temporary = "Temporary interruption caught."
	if typed, ok := strings.CutPrefix(text, "The user added a new task: "); ok {
		t.open = nil
		t.user(transcript.PromptText, t.text(typed))
		return true
	}
	switch {
	case strings.HasPrefix(text, rejected):
		_, typed, ok := strings.Cut(text, "with the following message:")
		if !ok && len(t.open) == 0 {
			t.user(transcript.InjectedText, t.text(text))
		}
		t.halt(text, "user-rejected")
		t.user(transcript.PromptText, t.text(strings.TrimSpace(typed)))
	case strings.HasPrefix(text, interrupted), strings.HasPrefix(text, temporary):
		t.halt(text, "interrupted")
		typed := strings.TrimPrefix(text, interrupted)
		if t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]")); typed != text &&
			!strings.HasPrefix(typed, temporary) {
			t.user(transcript.PromptText, t.text(strings.TrimSpace(typed)))
		}
	default:
		return false
	}
	return true
}

// halt ends the calls that the human stopped.
func (t *translator) halt(text, why string) {
	for _, i := range t.skipped { // their results come before the words of the human
		sources.Rare(t.Record(i)).ToolDenialKind = why
	}
	for _, id := range t.open {
		b := transcript.Block{Type: "tool_result", Raw: t.Value, ToolUseID: id, IsError: true, Content: t.text(text)}
		sources.Rare(t.User(transcript.AnyText, b)).ToolDenialKind = why
	}
	t.open, t.skipped = nil, nil
}
