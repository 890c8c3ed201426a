package pi

import (
	"cmp"
	"strings"

	"viewer/internal/transcript"
)

// personal is the rule that hides what identifies an account.
const personal = "personal data"

// otherEntry translates the lines that other programs of the family write, mostly Oh My Pi.
func (t *translator) otherEntry(kind string) {
	p := t.line
	switch kind {
	case "title", "title_change":
		t.title(p.Text("title"))
	case "mode_change":
		mode := p.Text("mode")
		if mode == "none" || mode == "" {
			mode = "default"
		}
		t.Settings("mode", mode)
	case "service_tier_change":
		var tiers []string
		for family, tier := range transcript.Members(p.Get("serviceTier")) {
			tiers = append(tiers, family+" "+transcript.TextOf(tier))
		}
		if tier := p.Text("serviceTier"); tier != "" {
			tiers = append(tiers, tier)
		}
		if len(tiers) == 0 {
			tiers = append(tiers, "default")
		}
		t.Remark("", "Service tier: "+strings.Join(tiers, ", "))
	case "reset_boundary":
		t.Remark("", "Cleared: the model is sent nothing of what was said before")
	case "ttsr_injection":
		var rules []string
		for e := range transcript.Elements(p.Get("injectedRules")) {
			rules = append(rules, transcript.TextOf(e))
		}
		t.Remark("", "Rules were put into the conversation: "+strings.Join(rules, ", "))
	case "model_usage": // a request that is not part of the conversation, such as for a title
		t.used(p.Text("model"), p.Get("usage"))
		if text := p.Text("errorMessage"); text != "" {
			t.Remark("warning", "A request to "+p.Text("model")+" failed: "+text, "for", p.Text("purpose"))
		}
		if t.Added() == 0 {
			t.Hide(kind, tokens)
		}
	case "archive":
		words := "Branch hidden"
		if string(p.Get("archived")) == "false" {
			words = "Branch shown again"
		}
		t.Remark("", words, "entry", p.Text("targetId"))
	case "mcp_tool_selection":
		var names []string
		for e := range transcript.Elements(p.Get("selectedToolNames")) {
			names = append(names, transcript.TextOf(e))
		}
		t.Remark("", "Tools of servers selected: "+cmp.Or(strings.Join(names, ", "), "none"))
	case "credential_pin":
		t.Hide(kind, personal)
	case "session_init":
		t.Snapshot(p.Text("systemPrompt"), p.Get("tools"))
		if task := p.Text("task"); task != "" {
			t.user(transcript.InjectedText, t.Text(task))
		}
	}
}

// mention translates the files that a prompt mentions, with their contents.
func (t *translator) mention() {
	for e := range transcript.Elements(t.message.Get("files")) {
		path := transcript.String(transcript.Field(e, "path"))
		content := transcript.String(transcript.Field(e, "content"))
		t.user(transcript.InjectedText, t.Text("File "+path+":\n\n"+content))
		if image := transcript.Field(e, "image"); image != nil {
			t.part.Read(image)
			t.user(transcript.InjectedText, t.block(image))
		}
	}
}
