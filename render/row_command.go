package render

import "strings"

// purposeLength is the maximum length of the purpose of a command on its row, in characters.
const purposeLength = 160

// commandLine returns a command for its row: one line of at most 160 characters, with ⏎ for line ends. A line end after
// a backslash becomes a blank.
func commandLine(command string) string {
	const most = 160
	if len(command) > 8*most { // enough, whatever the characters are
		command = command[:8*most]
	}
	command = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(command, "\r\n", "\n"), "\\\n", " "))
	if strings.IndexByte(command, '\n') < 0 {
		return oneLine(command, most)
	}
	var lines []string
	for l := range strings.Lines(command) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return oneLine(strings.Join(lines, " ⏎ "), most)
}
