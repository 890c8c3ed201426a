package render

import (
	"html/template"

	"viewer/internal/markup"
)

// Notes of the program to the model about a call or a request, and what it leaves out of a request.
var (
	_ = register(attachments, "batching_reminder_sent", "attached", viewBatchingReminder)
	_ = register(attachments, "bash_output_audience_note", "attached",
		viewBesideCall("term", "Told who reads the output of a command"))
	_ = register(attachments, "read_truncation_notice", "attached", viewTruncation)
	_ = register(attachments, "thinking_stripped", "attached", viewThinkingLeftOut)
	_ = register(attachments, "thinking_drop", "attached", viewThinkingLeftOut)
)

func viewBatchingReminder(e event) (attached, error) {
	said := e.field("text")
	v := attached{line: quiet("message", also("Reminder to make calls together", markup.Excerpt(said, 90))),
		Rows: e.rest("text")}
	if said != markup.Excerpt(said, 90) {
		v.Prose = e.markdown(said)
	}
	return v, nil
}

// viewBesideCall draws a note about a call, with a link to the call.
func viewBesideCall(icon, what string) func(event) (attached, error) {
	return func(e event) (attached, error) {
		banner := e.field("banner")
		v := attached{line: quiet(icon, also(what, markup.Excerpt(banner, 90))), Rows: e.rest("banner", "toolUseID")}
		var body template.HTML
		if banner != markup.Excerpt(banner, 90) {
			body = e.markdown(banner)
		}
		v.Prose = body + e.d.linkCall(e.field("toolUseID"), "To the call")
		return v, nil
	}
}

// viewTruncation draws a notice that a file was truncated. Older notices name the file.
func viewTruncation(e event) (attached, error) {
	if e.field("banner") == "" && e.field("filename") != "" {
		return viewFile("file", "was cut when it was read")(e)
	}
	return viewBesideCall("file", "Told that a file was cut when it was read")(e)
}

func viewThinkingLeftOut(e event) (attached, error) {
	return attached{line: quiet("message", also("Thinking left out of what is sent", oneLine(e.field("scope"), 60))),
		Rows: e.rest("scope")}, nil
}
