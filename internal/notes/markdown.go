package notes

import (
	"regexp"
	"strings"

	"viewer/internal/transcript"
)

// markdown reads a file of notes about one session. Its front matter, names and values between two lines of three
// hyphens, names the session. A heading that begins with an anchor, such as "## #k3f9a1 flaky test", starts a note
// about that element; the rest of the heading is its label. A file without front matter, or without a session or an
// anchor in it, is not a file of notes. It yields no notes and no problems.
func markdown(name string, data []byte) ([]Note, []transcript.Problem) {
	lines := strings.Split(strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\uFEFF"), "\n")
	m := markdownFile{name: name}
	n, ours := m.front(lines)
	if !ours {
		return nil, m.problems
	}
	note, fence := m.whole, ""
	start := n + 1
	var text []string
	for i, line := range lines[n:] {
		fence = fenceBehind(line, fence)
		if heading := anchored.FindStringSubmatch(line); heading != nil && fence == "" {
			m.add(note, text, start)
			note, text, start = m.whole, nil, n+i+1
			note.Anchor = heading[1]
			if heading[2] != "" {
				note.Label = heading[2]
			}
			continue
		}
		text = append(text, line)
	}
	m.add(note, text, start)
	if len(m.notes) == 0 && len(m.problems) == 0 {
		m.problems = append(m.problems, problem(name, start, "a note without a text"))
	}
	return m.notes, m.problems
}

// anchored matches a heading that begins with an anchor.
var anchored = regexp.MustCompile(`^#{1,6}[ \t]+#([^\s:]+):?[ \t]*(.*?)[ \t]*#*$`)

// A markdownFile is a file while it is read.
type markdownFile struct {
	name     string
	whole    Note // the fields that all of its notes share
	notes    []Note
	problems []transcript.Problem
}

// front reads the lines between the hyphens. It returns the number of lines up to the text, and whether the file has
// notes.
func (m *markdownFile) front(lines []string) (n int, ours bool) {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return 0, false
	}
	m.whole.Source = m.name
	named := 0 // the line of a session or an anchor
	for i, line := range lines[1:] {
		if line = strings.TrimRight(line, " \t"); line == "---" || line == "..." {
			m.whole.Session, m.whole.Anchor = at(m.whole.Session, m.whole.Anchor)
			if m.whole.Session == "" && named > 0 {
				m.problems = append(m.problems, problem(m.name, named, "a note about no session: session is not given"))
			}
			return i + 2, m.whole.Session != ""
		}
		key, value, _ := strings.Cut(line, ":")
		value = unquoted(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "session":
			m.whole.Session, named = value, i+2
		case "anchor":
			m.whole.Anchor, named = value, i+2
		case "author":
			m.whole.Author = value
		case "label":
			m.whole.Label = value
		}
	}
	if named > 0 {
		m.problems = append(m.problems, problem(m.name, 1, "a note whose first lines do not end: --- is missing"))
	}
	return 0, false
}

// add adds a note. If anchors follow, the file need not contain a note about the whole session.
func (m *markdownFile) add(note Note, text []string, line int) {
	note.Text = strings.Trim(strings.Join(text, "\n"), "\n")
	switch {
	case strings.TrimSpace(note.Text) != "":
		m.notes = append(m.notes, note)
	case note.Anchor != m.whole.Anchor || note.Label != m.whole.Label:
		m.problems = append(m.problems, problem(m.name, line, "a note without a text"))
	}
}

func unquoted(s string) string {
	if n := len(s); n >= 2 && s[0] == s[n-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : n-1]
	}
	return s
}

// fenceBehind returns the fence of the block of code that is open after a line, "" for none.
func fenceBehind(line, open string) string {
	line = strings.TrimLeft(line, " ")
	n := 0
	for n < len(line) && (line[n] == '`' || line[n] == '~') && line[n] == line[0] {
		n++
	}
	switch {
	case n < 3:
		return open
	case open == "":
		return line[:n]
	case line[0] == open[0] && n >= len(open) && strings.TrimSpace(line[n:]) == "":
		return ""
	}
	return open
}
