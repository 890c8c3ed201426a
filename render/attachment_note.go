package render

import (
	"strings"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// Notes to the model that are one text, under a name that differs by the kind.
var (
	_ = register(attachments, "secondary_reminder_sent", "attached", viewNote("message", "Reminder"))
	_ = register(attachments, "secondary_reminder", "attached", viewNote("message", "Reminder"))
	_ = register(attachments, "batching_reminder", "attached", viewNote("message", "Reminder to make calls together"))
	_ = register(attachments, "inlined_image_paths", "attached", viewNote("image", "Pictures of the prompt as files"))
	_ = register(attachments, "fork_briefing", "attached", viewNote("git", "Told that this is a fork"))
	_ = register(attachments, "dir_sync_notice", "attached", viewNote("folder", "Folders were synchronized"))
	_ = register(attachments, "artifact_opening_prefetch", "attached", viewNote("file", "Artifact read in advance"))
	_ = register(attachments, "cowork_memory_context", "attached", viewNote("memory", "Memories"))
	_ = register(attachments, "prefix_delta", "attached", viewNote("gear", "Addition to the system prompt"))
	_ = register(attachments, "tool_hosts_notice", "attached", viewNote("plug", "Other machines for calls"))
	_ = register(attachments, "tool_hosts_correction", "attached", viewNote("plug", "Other machines for calls"))
	_ = register(attachments, "tool_host_result_lines", "attached", viewNote("plug", "Call on another machine"))
	_ = register(attachments, "unknown_command_fallback", "attached",
		viewNote("term", "Told that a command is not known"))
	_ = register(attachments, "prompt_render_point", "attached", viewNote("file", "System prompt made again"))
	_ = register(attachments, "poll_events", "attached", viewNote("bell", "Events that the session waited for"))
	_ = register(attachments, "attention_budget", "attached", viewNote("gear", "Budget of attention"))
)

// noteTexts are the members of an attachment that may have its text.
var noteTexts = []string{"text", "content", "lines", "paths"}

// viewNote draws a note by its text, whichever member has it.
func viewNote(icon, what string) func(event) (attached, error) {
	return func(e event) (attached, error) {
		var all []string
		for _, name := range noteTexts {
			for _, t := range texts(transcript.Field(e.Record.Attachment.Raw, name)) {
				if name == "paths" {
					t = e.d.path(t)
				}
				all = append(all, t)
			}
		}
		said := strings.Join(words.NonEmpty(all...), "\n")
		v := attached{line: quiet(icon, also(what, markup.Excerpt(said, 90))), Rows: e.rest(noteTexts...)}
		if said != markup.Excerpt(said, 90) {
			v.Blocks = append(v.Blocks, e.d.plain(said))
		}
		return v, nil
	}
}
