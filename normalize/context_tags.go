package normalize

import "strings"

// cutContextTags moves text of the program around a prompt to Contexts: the tags before it, and reminders after it.
func cutContextTags(m *Message) {
	tags, rest := openEnvelope(m.Text)
	quoted := len(tags)
	for i, t := range tags {
		if !contextTags[t.Name] {
			quoted = i
			break
		}
		m.Contexts = append(m.Contexts, contextsOf(t)...)
	}
	if quoted < len(tags) { // a later tag belongs to the text
		rest = m.Text
		for range quoted {
			_, rest, _ = cutTag(strings.TrimLeft(rest, " \t\r\n"))
		}
	}
	if quoted > 0 {
		m.Text = strings.TrimLeft(rest, "\n")
	}
	for range maxTags {
		text, reminder, ok := cutReminder(m.Text)
		if !ok {
			break
		}
		m.Text, m.Contexts = text, append(m.Contexts, reminder)
	}
}

// cutReminder cuts a reminder from the end of a text if it begins on a new line.
func cutReminder(text string) (rest string, reminder Context, ok bool) {
	const open, shut = "<system-reminder>", "</system-reminder>"
	inner, ok := strings.CutSuffix(strings.TrimRight(text, " \t\r\n"), shut)
	if !ok {
		return text, Context{}, false
	}
	at := strings.LastIndex(inner, open)
	if at < 0 || at > 0 && inner[at-1] != '\n' {
		return text, Context{}, false
	}
	body := inner[at+len(open):]
	return strings.TrimRight(inner[:at], " \t\r\n"), contextOf(Tag{Name: "system-reminder", Body: body}), true
}

// cutPasteMarks cuts the lines from a prompt that Claude Code puts around what was pasted, so that the model knows it:
// <pasted_content id="1f0c"> and </pasted_content id="1f0c">. What was pasted may contain such lines, too.
func cutPasteMarks(text string) string {
	const open, shut = "<pasted_content id=\"", "</pasted_content id=\""
	if !strings.Contains(text, shut) {
		return text
	}
	var cut strings.Builder
	rest := "\n" + text
	for {
		before, after, _ := strings.Cut(rest, "\n"+open)
		id, inside, _ := strings.Cut(after, "\">")
		if len(id) > maxPasteID || !strings.HasPrefix(inside, "\n") {
			break
		}
		pasted, behind, ok := strings.Cut(inside, "\n"+shut+id+"\">")
		if !ok || behind != "" && behind[0] != '\n' {
			break
		}
		cut.WriteString(before)
		cut.WriteString(pasted)
		rest = behind
	}
	if len(rest) > len(text) { // nothing was pasted
		return text
	}
	cut.WriteString(rest)
	return strings.Trim(cut.String(), "\n")
}

const maxPasteID = 64

// maxUploads limits how many files of a prompt are listed separately.
const maxUploads = 100

// contextsOf returns the contexts for a tag next to a text: one, or one for each file.
func contextsOf(t Tag) []Context {
	body := strings.TrimSpace(t.Body)
	switch t.Name {
	case "uploaded_files":
		var files []Context
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			line = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "- "), "* "))
			switch {
			case line == "":
			// no list of paths
			case !strings.ContainsAny(line, `/\.`) || strings.Contains(line, "<") || len(files) == maxUploads:
				return []Context{{Kind: ContextFile, Label: "uploaded files", Detail: body}}
			default:
				files = append(files, Context{Kind: ContextFile, Label: baseName(line), Detail: line})
			}
		}
		if files == nil {
			return []Context{{Kind: ContextFile, Label: "uploaded files", Detail: body}}
		}
		return files
	case "ci-monitor-event":
		return []Context{{Kind: ContextReminder, Label: "CI event", Detail: body}}
	case "observed_from_primary_session":
		return []Context{{Kind: ContextAgent, Label: "seen in the primary session", Detail: body}}
	}
	return []Context{contextOf(t)}
}
