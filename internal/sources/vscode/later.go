package vscode

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// routed notes the model to which a request to the model "auto" went.
func (t *translator) routed(o *sources.Object) {
	model := cmp.Or(transcript.String(transcript.Field(o.Get("resolved"), "id")), o.Text("resolvedModel"))
	if model != "" {
		t.Model = model
		t.Settings("model", model)
	}
}

// later translates the parts of an answer that newer versions have.
func (t *translator) later(kind string, o *sources.Object, v jsontext.Value) {
	switch kind {
	case "questionCarousel":
		t.questions(o)
	case "planReview":
		t.plan(o)
	case "hook":
		t.hook(o)
	case "pullRequest":
		t.Remark("", "Pull request: "+o.Text("title"), "number", o.Text("linkTag"),
			"description", o.Text("description"))
	case "extensions":
		t.Remark("", "Extensions: "+listed(o.Get("extensions"), transcript.String))
	case "multiDiffData":
		data := o.Get("multiDiffData")
		files := listed(transcript.Field(data, "resources"), func(e jsontext.Value) string {
			return pathOf(transcript.Or(transcript.Field(e, "modifiedUri"), transcript.Field(e, "originalUri")))
		})
		t.Remark("", "Changes: "+transcript.String(transcript.Field(data, "title")), "files", files)
	case "treeData":
		t.Remark("", "Files: "+transcript.String(transcript.Field(o.Get("treeData"), "label")))
	case "workspaceEdit":
		t.Remark("", "Files changed: "+listed(o.Get("edits"), fileEdit))
	case "externalEdit":
		diff := o.Get("diff")
		t.Remark("", "File changed ("+o.Text("editKind")+"): "+pathOf(o.Get("uri")),
			"before", pathOf(o.Get("originalUri")),
			"lines added", transcript.TextOf(transcript.Field(diff, "added")),
			"lines removed", transcript.TextOf(transcript.Field(diff, "removed")))
	default:
		t.say(transcript.Block{Type: kind, Raw: v})
	}
}

// listed joins what read returns for the elements of a list.
func listed(v jsontext.Value, read func(jsontext.Value) string) string {
	var all []string
	for e := range transcript.Elements(v) {
		if s := read(e); s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, ", ")
}

// fileEdit says what becomes of a file.
func fileEdit(e jsontext.Value) string {
	before, after := pathOf(transcript.Field(e, "oldResource")), pathOf(transcript.Field(e, "newResource"))
	switch {
	case before == "":
		return "created " + after
	case after == "":
		return "deleted " + before
	}
	return "renamed " + before + " to " + after
}

// questions translates questions to the human and the answers.
func (t *translator) questions(o *sources.Object) {
	answers := o.Get("data")
	var all []string
	for e := range transcript.Elements(o.Get("questions")) {
		var q sources.Object
		q.Read(e)
		line := q.Text("title")
		if answer := answerOf(transcript.Field(answers, q.Text("id")), q.Get("options")); answer != "" {
			line += " → " + answer
		}
		all = append(all, line)
	}
	text := strings.Join(append(nonEmpty(textOf(o.Get("message"))), all...), "\n")
	if text == "" {
		return
	}
	if answers == nil && string(o.Get("isUsed")) == "true" {
		text += "\n(skipped)"
	}
	t.Remark("", "Asked: "+text)
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// answerOf returns an answer in words: a text, or the values that were selected.
func answerOf(v, options jsontext.Value) string {
	if transcript.Kind(v) != '{' {
		return transcript.TextOf(v)
	}
	label := func(e jsontext.Value) string {
		value := transcript.TextOf(e)
		for option := range transcript.Elements(options) {
			if value != "" && transcript.String(transcript.Field(option, "value")) == value {
				return transcript.String(transcript.Field(option, "label"))
			}
		}
		return value
	}
	all := nonEmpty(label(transcript.Field(v, "selectedValue")))
	all = append(all, nonEmpty(listed(transcript.Field(v, "selectedValues"), label))...)
	all = append(all, nonEmpty(transcript.String(transcript.Field(v, "freeformValue")))...)
	return strings.Join(all, ", ")
}

// plan translates a plan and what the human thought of it.
func (t *translator) plan(o *sources.Object) {
	text := textOf(o.Get("content"))
	if title := textOf(o.Get("title")); title != "" {
		text = "**" + title + "**\n\n" + text
	}
	if strings.TrimSpace(text) != "" {
		t.say(t.Text(text))
	}
	var result sources.Object
	result.Read(o.Get("data"))
	switch {
	case string(result.Get("rejected")) == "true":
		t.Remark("", "The plan was rejected", "why", result.Text("feedback"))
	case result.Text("action") != "":
		t.Remark("", "The plan was accepted: "+result.Text("action"), "remarks", result.Text("feedback"))
	}
}

// hook translates what a hook said.
func (t *translator) hook(o *sources.Object) {
	stop := o.Text("stopReason")
	said := cmp.Or(o.Text("systemMessage"), stop)
	r := t.Remark("", "Hook "+o.Text("hookType")+": "+said, "tool", o.Text("toolDisplayName"))
	if stop != "" {
		sources.Rare(r).Level = "warning"
	}
}
