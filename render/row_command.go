package render

import "strings"

// purposeLength is how much of what a command is for is on its row, in characters.
const purposeLength = 160

// commandLine returns a command as its row has it: one line of at most 160 characters, in which ⏎ stands where a line
// ends. A line end after a backslash only continues the line, and is a blank.
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
